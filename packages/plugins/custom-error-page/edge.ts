import type { EdgeHandler, ErrorPage } from '@cordon/plugin-kit/edge';
import type { ResolvedPages } from './resolve.ts';
import type { CustomErrorPageConfig } from './schema.ts';

export const handler: EdgeHandler<CustomErrorPageConfig, readonly ErrorPage[], ResolvedPages | undefined> = {
  // Nothing was fetched for a draft that is only traced.
  prepare: (_config, _kit, resolved) => (resolved === undefined ? [] : resolved.pages),

  response: (pages, response) => {
    for (const page of pages) response.pages.push(page);
  },
};
