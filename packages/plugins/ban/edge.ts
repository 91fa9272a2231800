import type { EdgeHandler } from '@cordon/plugin-kit/edge';
import type { BanConfig } from './schema.ts';

export const handler: EdgeHandler<BanConfig, undefined> = {
  prepare: () => undefined,

  access: (ctx) => {
    const entry = ctx.feed('bans');
    if (entry === undefined) return undefined;
    return { kind: 'block', status: 403, reason: 'banned', rule: entry.network, page: 'banned' };
  },
};
