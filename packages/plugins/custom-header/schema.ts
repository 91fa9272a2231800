import { headerList } from '@cordon/plugin-kit/header-list';
import { addCodeIssue } from '@cordon/plugin-kit/schema';
import { z } from 'zod';

/** Besides what no customer sets: the body's own fields, and those that ask for a part of it. */
const FORBIDDEN = ['content-encoding', 'range', 'if-range', 'accept-encoding'];

/** Header fields that origins get with every request (spec section 3; product design, "custom-header"). */
export const schema = z
  .strictObject({
    add: z
      .strictObject({
        headers: headerList(FORBIDDEN)
          .default([])
          .describe(
            'Sent to the origin with every request, in place of a field of the same name that the visitor sent.',
          ),
      })
      .prefault({})
      .describe('What is added.'),
  })
  .superRefine(({ add }, ctx) => {
    if (add.headers.length === 0) addCodeIssue(ctx, ['add', 'headers'], 'HEADERS_REQUIRED');
  });

export type CustomHeaderConfig = z.output<typeof schema>;
