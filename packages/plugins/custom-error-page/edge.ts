import type { EdgeHandler, ErrorPage } from '@cordon/plugin-kit/edge';
import type { ResolvedPages } from './resolve.ts';
import type { CustomErrorPageConfig } from './schema.ts';

const REQUEST_ID = '{{request_id}}';
const BODY_END = '</body>';
const LINE = `<p style="margin:16px;text-align:center;font:13px/1.5 system-ui,sans-serif">Request ID: <code>${REQUEST_ID}</code></p>`;

/** A visitor who asks why has to have something to name: a page that has no place for the id of the request gets it at its end. */
function withRequestId(page: ErrorPage): ErrorPage {
  const { contentType, body } = page;
  if (body.includes(REQUEST_ID)) return page;
  if (contentType.startsWith('text/plain')) return { ...page, body: `${body}\n\nRequest ID: ${REQUEST_ID}\n` };
  const parts = body.split(BODY_END);
  const end = parts.length === 1 ? '' : `${BODY_END}${parts.pop()}`;
  return { ...page, body: `${parts.join(BODY_END)}${LINE}${end}` };
}

export const handler: EdgeHandler<CustomErrorPageConfig, readonly ErrorPage[], ResolvedPages | undefined> = {
  // Nothing was fetched for a draft that is only traced.
  prepare: (_config, _kit, resolved) => (resolved === undefined ? [] : resolved.pages.map(withRequestId)),

  response: (pages, response) => {
    for (const page of pages) response.pages.push(page);
  },
};
