import { definePlugin } from '@cordon/plugin-kit';
import { resolvePages } from './resolve.ts';
import { STATUSES, schema } from './schema.ts';

export const definition = definePlugin({
  name: 'custom-error-page',
  phase: 'error',
  order: 10,
  area: 'error-pages',
  schema,
  errorCodes: [
    'ERROR_PAGE_URL_INVALID',
    'ERROR_PAGE_REQUIRED',
    'ERROR_PAGE_UNREACHABLE',
    'ERROR_PAGE_REDIRECTS',
    'ERROR_PAGE_STATUS',
    'ERROR_PAGE_TOO_LARGE',
    'ERROR_PAGE_NOT_HTML',
    'ERROR_PAGE_NOT_UTF8',
  ],
  reasons: [],
  hasWideForm: true,
  tier: 'free',

  summary: (config) => ({
    message: 'summary.pages',
    params: { statuses: { list: STATUSES.filter((status) => config[`error_${status}`] !== null).map(String) } },
  }),

  notices: () => [],

  resolve: resolvePages,
});
