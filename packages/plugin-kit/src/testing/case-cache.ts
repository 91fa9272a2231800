import type { EdgeContext } from '../edge/context.ts';
import type { PreparedPlugins } from '../edge/pipeline.ts';
import {
  bypassStatus,
  type CacheAnswer,
  type CachePolicy,
  forwardedStatus,
  judgeStorage,
} from '../edge/shared-cache/index.ts';

/** The answer of a case's origin. */
interface CaseAnswer {
  readonly status: number;
  /** By name in lower case. */
  readonly headers: Readonly<Record<string, string>>;
}

function statusOfStorage(policy: CachePolicy, ctx: EdgeContext, { status, headers }: CaseAnswer): string {
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
  return forwardedStatus('uri-miss', status, unstored, Math.floor(freshUntil - ctx.now));
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
  return bypass === undefined ? statusOfStorage(cache.policy, ctx, answer) : bypassStatus(bypass);
}
