import type { CacheBypass, EdgeContext } from '../edge/context.ts';
import type { PreparedPlugins } from '../edge/pipeline.ts';
import {
  type CacheAnswer,
  type CachePolicy,
  type CacheReport,
  formatCacheStatus,
  judgeStorage,
} from '../edge/shared-cache/index.ts';

/** The answer of a case's origin. */
interface CaseAnswer {
  readonly status: number;
  /** By name in lower case. */
  readonly headers: Readonly<Record<string, string>>;
}

const NOTHING_STORED = { freshSeconds: undefined, isStored: false, isCollapsed: undefined };

function reportOfBypass(bypass: CacheBypass): CacheReport {
  const isSaid = bypass === 'method' || bypass === 'request';
  return {
    ...NOTHING_STORED,
    forward: isSaid ? bypass : 'bypass',
    forwardStatus: undefined,
    detail: isSaid ? '' : bypass,
  };
}

function reportOfStorage(policy: CachePolicy, ctx: EdgeContext, { status, headers }: CaseAnswer): CacheReport {
  const { method, path, query } = ctx.request;
  const request = {
    method,
    path,
    query,
    hasAuthorization: ctx.header('authorization') !== undefined,
    cacheControl: policy.obeysRequests ? ctx.headerValues('cache-control') : [],
  };
  const answer: CacheAnswer = {
    status,
    fieldValues: (name) => {
      const value = headers[name];
      return value === undefined ? [] : [value];
    },
  };
  const { unstored, freshUntil } = judgeStorage(policy, request, answer, ctx.now, ctx.now);
  const report = { forward: 'uri-miss', forwardStatus: status, isCollapsed: undefined } as const;
  if (unstored !== undefined) return { ...report, freshSeconds: undefined, isStored: false, detail: unstored };
  return { ...report, freshSeconds: freshUntil - ctx.now, isStored: true, detail: '' };
}

/**
 * What the field Cache-Status says of a case's answer where nothing is stored yet, as the edge composes it; undefined where no plugin
 * keeps answers. Emitted as Lua as well.
 */
export function cacheStatusOf(plugins: PreparedPlugins, ctx: EdgeContext, answer: CaseAnswer): string | undefined {
  const plugin = plugins.cachePlugin;
  if (plugin === undefined || plugin.cache === undefined) return undefined;
  const { bypassesCache, prepared, cache } = plugin;
  const bypass = bypassesCache === undefined ? undefined : bypassesCache(ctx, prepared);
  return formatCacheStatus(bypass === undefined ? reportOfStorage(cache.policy, ctx, answer) : reportOfBypass(bypass));
}
