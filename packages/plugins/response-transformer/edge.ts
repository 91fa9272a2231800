import type { EdgeHandler, HeaderField } from '@cordon/plugin-kit/edge';
import type { ResponseTransformerConfig } from './schema.ts';

export const handler: EdgeHandler<ResponseTransformerConfig, readonly HeaderField[]> = {
  prepare: (config) => config.add.headers,

  response: (fields, response) => {
    for (const field of fields) response.fields.push(field);
  },
};
