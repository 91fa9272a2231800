import type { CacheBypassRule, CacheRules, CacheSettings, EdgeContext, EdgeKit, PossibleValues } from './context.ts';

/** For how long a stale answer serves while its origin cannot be reached (RFC 5861 4). */
const STALE_IF_ERROR_SECONDS = 86_400;

type Holds = (this: void, ctx: EdgeContext) => boolean;
type Values = (this: void, ctx: EdgeContext) => PossibleValues | undefined;

function valuesOf(on: 'argument' | 'cookie' | 'header', name: string, kit: EdgeKit): Values {
  if (on === 'argument') return (ctx) => ctx.possibleArgumentValues(name);
  if (on === 'cookie') return (ctx) => ctx.possibleCookieValues(name);
  const lowerName = kit.lowerCase(name);
  return (ctx) => ({ values: ctx.headerValues(lowerName), isSure: true });
}

/** A doubt counts as a match: what is asked of the origin in vain does no harm. */
function holdsOf(rule: CacheBypassRule, kit: EdgeKit): Holds {
  if (rule.on === 'path') {
    const pattern = kit.pattern(rule.pattern);
    return (ctx) => ctx.matchesPath(pattern);
  }
  // Of a newer schema, for example: taken for another, it would keep what must not be.
  if (rule.on !== 'argument' && rule.on !== 'cookie' && rule.on !== 'header') throw new Error('no rule of a cache');
  const values = valuesOf(rule.on, rule.name, kit);
  if (rule.pattern === '')
    return (ctx) => {
      const possible = values(ctx);
      return possible === undefined || possible.values.length > 0;
    };
  const pattern = kit.pattern(rule.pattern);
  return (ctx) => {
    const possible = values(ctx);
    if (possible === undefined) return true;
    for (const value of possible.values) if (ctx.matches(pattern, value) !== false) return true;
    return false;
  };
}

function holdsOfAny(rules: readonly CacheBypassRule[], kit: EdgeKit): Holds {
  const all: Holds[] = [];
  for (const rule of rules) all.push(holdsOf(rule, kit));
  const [first] = all;
  // Without a loop, which LuaJIT does not compile together with what leads to it.
  if (first === undefined) return () => false;
  if (all.length === 1) return first;
  return (ctx) => {
    for (const holds of all) if (holds(ctx)) return true;
    return false;
  };
}

/** `EdgeKit.cacheRules`. */
export function prepareCacheRules(settings: CacheSettings, kit: EdgeKit): CacheRules {
  const isKept: Record<string, boolean | undefined> = {};
  // Answers to no other method are ever stored, OPTIONS included (RFC 9110, 9.3.7).
  for (const method of settings.request_method) if (method === 'GET' || method === 'HEAD') isKept[method] = true;
  const { key } = settings;
  const isReused = settings.cache_reusable;
  return {
    isKeptMethod: (method) => isKept[method] === true,
    bypasses: holdsOfAny(settings.bypass_rules, kit),
    key: {
      query: key.query,
      queryNames: key.query_names,
      sortsQuery: key.sort_query,
      byDevice: key.by_device,
      languages: key.languages,
    },
    staleIfErrorSeconds: isReused ? STALE_IF_ERROR_SECONDS : 0,
  };
}
