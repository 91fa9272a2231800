import type { EdgeHandler, HeaderField } from '@cordon/plugin-kit/edge';
import type { CustomHeaderConfig } from './schema.ts';

export const handler: EdgeHandler<CustomHeaderConfig, readonly HeaderField[]> = {
  prepare: (config) => config.add.headers,

  upstream: (fields, request) => {
    for (const field of fields) request.fields.push(field);
  },
};
