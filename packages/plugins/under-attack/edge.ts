import type { ChallengeWay, EdgeHandler } from '@cordon/plugin-kit/edge';
import type { UnderAttackConfig } from './schema.ts';

interface Prepared {
  readonly way: ChallengeWay;
}

export const handler: EdgeHandler<UnderAttackConfig, Prepared> = {
  prepare: ({ mode }) => ({ way: mode }),

  access: (ctx, { way }) => {
    if (ctx.feed('under-attack') === undefined) return undefined;
    // A search engine cannot prove itself by work: while DNS gives no answer, it is asked to come back, and keeps the page.
    if (ctx.provedAt(way) === undefined && ctx.isPossibleCrawler())
      return { kind: 'block', status: 503, reason: 'crawler_unknown', rule: '' };
    return { kind: 'challenge', way, reason: 'under_attack', rule: '' };
  },
};
