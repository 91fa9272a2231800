import { headerList } from '@cordon/plugin-kit/header-list';
import { addCodeIssue } from '@cordon/plugin-kit/schema';
import { z } from 'zod';

/** Besides what no customer sets: what describes the body that the origin sent, and where a redirect leads. */
const FORBIDDEN = ['content-encoding', 'content-range', 'accept-ranges', 'location', 'date', 'age', 'alt-svc'];

/**
 * Header fields that visitors get with answers of the origin, own error pages and redirects (spec section 3; product
 * design, "response-transformer"); the brand's pages stay as they are.
 */
export const schema = z
  .strictObject({
    add: z
      .strictObject({
        headers: headerList(FORBIDDEN)
          .default([])
          .describe(
            'Sent to the visitor with answers of the origin, own error pages and redirects, but not with the service’s own pages; in place of the field of the same name that the origin sent; Set-Cookie, Link, Vary, Server-Timing and WWW-Authenticate stand beside the origin’s.',
          ),
      })
      .prefault({})
      .describe('What is added.'),
  })
  .superRefine(({ add }, ctx) => {
    if (add.headers.length === 0) addCodeIssue(ctx, ['add', 'headers'], 'HEADERS_REQUIRED');
  });

export type ResponseTransformerConfig = z.output<typeof schema>;
