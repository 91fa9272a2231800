import type { EdgeHandler, Pattern } from '@cordon/plugin-kit/edge';
import type { RequestLimitConfig } from './schema.ts';

interface Prepared {
  readonly path: Pattern;
  /** What is counted under: another rule begins anew, instead of judging by what the one before it counted. */
  readonly countName: string;
  readonly findSeconds: number;
  readonly requestsMax: number;
  readonly banSeconds: number;
  /** Whether requests that fetch a path are left out. */
  readonly leavesOut: ((this: void, path: string) => boolean) | undefined;
}

/** Whether the path is left out, whatever an origin reads it as. */
function isLeftOut(readings: readonly string[], leavesOut: (this: void, path: string) => boolean): boolean {
  if (!leavesOut(readings[0] as string)) return false;
  for (const reading of readings) if (!leavesOut(reading)) return false;
  return true;
}

export const handler: EdgeHandler<RequestLimitConfig, Prepared> = {
  prepare: (config, kit) => ({
    path: kit.pattern(config.banpath),
    countName: `request-limit ${config.findtime} ${config.only_dynamic} ${config.banpath}`,
    findSeconds: config.findtime,
    requestsMax: config.maxretry,
    banSeconds: kit.durationSeconds(config.bantime),
    leavesOut: config.only_dynamic ? kit.isCacheableFile : undefined,
  }),

  access: (ctx, prepared) => {
    const { method } = ctx.request;
    const { leavesOut } = prepared;
    const fetches = method === 'GET' || method === 'HEAD';
    if (fetches && leavesOut !== undefined && isLeftOut(ctx.pathReadings(), leavesOut)) return undefined;
    if (!ctx.matchesPath(prepared.path)) return undefined;
    if (ctx.count(prepared.countName, prepared.findSeconds) < prepared.requestsMax) return undefined;
    // Asked for last: it may take a look into DNS.
    if (ctx.verifiedCrawler() !== undefined) return undefined;
    // A ban holds for long and on all nodes: while DNS gives no answer, what may be a crawler is refused without one.
    const banSeconds = ctx.isPossibleCrawler() ? undefined : prepared.banSeconds;
    return {
      kind: 'block',
      status: 429,
      reason: 'too_many_requests',
      rule: prepared.path.source,
      page: 'rate_limited',
      banSeconds,
    };
  },
};
