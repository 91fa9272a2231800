import type { ChallengeVerdict, EdgeHandler, Pattern } from '@cordon/plugin-kit/edge';
import type { ChallengeConfig } from './schema.ts';

interface Prepared {
  readonly path: Pattern;
  readonly verdict: ChallengeVerdict;
}

export const handler: EdgeHandler<ChallengeConfig, Prepared> = {
  prepare: (config, kit) => {
    const path = kit.pattern(config.path);
    const passSeconds = kit.durationSeconds(config.pass_time);
    return {
      path,
      verdict: { kind: 'challenge', way: config.mode, passSeconds, reason: 'proof_required', rule: path.source },
    };
  },

  access: (ctx, { path, verdict }) => {
    if (!ctx.matchesPath(path)) return undefined;
    // A search engine cannot prove itself by work: while DNS gives no answer, it is asked to come back, and keeps the page.
    if (ctx.provedAt(verdict.way) === undefined && ctx.isPossibleCrawler())
      return { kind: 'block', status: 503, reason: 'crawler_unknown', rule: path.source };
    return verdict;
  },
};
