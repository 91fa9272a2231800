import type { EdgeHandler } from '@cordon/plugin-kit/edge';
import type { UpstreamHostConfig } from './schema.ts';

export const handler: EdgeHandler<UpstreamHostConfig, string> = {
  prepare: (config) => config.hostname,

  upstream: (hostname, request) => {
    request.host = hostname;
  },
};
