import { addCodeIssue } from '@cordon/plugin-kit/schema';
import { patternText, secretText } from '@cordon/plugin-kit/text-schema';
import { z } from 'zod';

/** Paths that open by a signed link only, for a while (spec section 3, "seclink"; product design, "seclink"). */
export const schema = z
  .strictObject({
    path: patternText()
      .default('.*')
      .describe(
        'Requests whose path this pattern is found in need a signed link, such as `^/download/`. Upper and lower case differ.',
      ),
    api_secret: secretText({ min: 16, max: 128 }).describe(
      'What links are signed with: visible ASCII characters. Never shown again: answers have a handle in its place, which may be sent back.',
    ),
    sleep_seconds: z
      .number()
      .int()
      .min(0)
      .max(60)
      .default(5)
      .describe('How long visitors of a link wait on a page before it opens; 0: not at all.'),
    expire_seconds: z
      .number()
      .int()
      .min(1)
      .max(604_800)
      .default(300)
      .describe('How long a link is valid after it was signed, the wait included.'),
  })
  .superRefine(({ sleep_seconds: wait, expire_seconds: valid }, ctx) => {
    if (wait >= valid) addCodeIssue(ctx, ['expire_seconds'], 'LINK_ENDS_WHILE_WAITING', { seconds: wait });
  });

export type SeclinkConfig = z.output<typeof schema>;
