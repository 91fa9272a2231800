import { durationText, patternText } from '@cordon/plugin-kit/text-schema';
import { z } from 'zod';

/** Visitors prove that they are no program before they get to the site (spec section 3; product design, "challenge"). */
export const schema = z.strictObject({
  mode: z
    .enum(['js', 'google_recaptcha', 'puzzle'])
    .default('js')
    .describe(
      'How they prove it. `js`: their browser does some work, and they need do nothing. `google_recaptcha`: they tick the box of Google reCAPTCHA, where the deployment has keys of it. `puzzle`: they move a piece into the gap of a picture; who cannot see it waits for more work.',
    ),
  path: patternText()
    .default('.*')
    .describe('Requests whose path this pattern is found in, such as `^/account`. Upper and lower case differ.'),
  pass_time: durationText({ min: '5m', max: '12h' })
    .default('30m')
    .describe('How long a proof holds: a number with `s`, `m`, `h` or `d`.'),
});

export type ChallengeConfig = z.output<typeof schema>;
