import type { ChallengeVerdict, EdgeContext, EdgeHandler, Pattern } from '@cordon/plugin-kit/edge';
import type { ChallengeConfig } from './schema.ts';

interface Prepared {
  readonly path: Pattern;
  readonly verdict: ChallengeVerdict;
}

/** Whether an origin may read the path as one that is protected; a doubt counts against the visitor. */
function isFor(ctx: EdgeContext, pattern: Pattern): boolean {
  for (const path of ctx.pathReadings()) if (ctx.matches(pattern, path) !== false) return true;
  return false;
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
    if (!isFor(ctx, path)) return undefined;
    // A search engine cannot prove itself by work: while DNS gives no answer, it is asked to come back, and keeps the page.
    if (ctx.provedAt(verdict.way) === undefined && ctx.isPossibleCrawler())
      return { kind: 'block', status: 503, reason: 'crawler_unknown', rule: path.source };
    return verdict;
  },
};
