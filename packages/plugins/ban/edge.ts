import type { EdgeHandler } from '@cordon/plugin-kit/edge';
import type { BanConfig } from './schema.ts';

export const handler: EdgeHandler<BanConfig, undefined> = {
  prepare: () => undefined,

  access: (ctx) => {
    const entry = ctx.feed('bans');
    if (entry === undefined) return undefined;
    const { network, until } = entry;
    const retrySeconds = until === 0 ? undefined : Math.max(1, Math.ceil(until - ctx.now));
    return { kind: 'block', status: 403, reason: 'banned', rule: network, page: 'banned', retrySeconds };
  },
};
