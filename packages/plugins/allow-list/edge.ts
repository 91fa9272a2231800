import type { EdgeHandler } from '@cordon/plugin-kit/edge';
import type { AllowListConfig } from './schema.ts';

export const handler: EdgeHandler<AllowListConfig, undefined> = {
  prepare: () => undefined,

  access: (ctx) => {
    const entry = ctx.feed('allowed');
    if (entry === undefined) return undefined;
    return { kind: 'allow', reason: 'allow_listed', rule: entry.network };
  },
};
