import { definePlugin } from '@cordon/plugin-kit';
import { HEADER_LIST_ERROR_CODES } from '@cordon/plugin-kit/header-list';
import { schema } from './schema.ts';

export const definition = definePlugin({
  name: 'response-transformer',
  phase: 'response',
  order: 10,
  area: 'headers',
  schema,
  errorCodes: [...HEADER_LIST_ERROR_CODES, 'HEADERS_REQUIRED'],
  reasons: [],
  hasWideForm: true,
  tier: 'vip',

  summary: ({ add }) => ({
    message: 'summary.headers',
    params: { count: add.headers.length, names: { list: add.headers.map(({ name }) => name) } },
  }),

  notices: () => [],
});
