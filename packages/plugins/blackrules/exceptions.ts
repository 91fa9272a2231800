import type { PluginException, PluginSetting, StoppedRequest } from '@cordon/plugin-kit';
import { type BlackrulesConfig, type Group, NAME_CHARACTERS_MAX, type Part, RULES_MAX, type Rule } from './schema.ts';

const isGroup = (part: Part): part is Group => 'conditions' in part;
const depthOf = (part: Part): number => (isGroup(part) ? 1 + Math.max(...part.conditions.map(depthOf)) : 0);
/** How deep groups may lie in each other, that of the rule counted (schema.ts). */
const DEPTH_MAX = 3;

const pathIs = (values: readonly string[]): Part => ({
  ...{ field: 'path', test: 'is', ignore_case: false, not: false },
  values: [...values],
});
const addressIs = (address: string): Part => ({ field: 'address', values: [address], not: false });
const notAll = (conditions: readonly Part[]): Group => ({ match: 'all', conditions, not: true });

/** What the rule is for, less what has all of the conditions; undefined where groups would lie too deep. */
function without({ when }: Rule, conditions: readonly Part[]): Group | undefined {
  const narrowed: Group =
    when.match === 'all' && !when.not
      ? { ...when, conditions: [...when.conditions, notAll(conditions)] }
      : { match: 'all', not: false, conditions: [when, notAll(conditions)] };
  return depthOf(narrowed) > DEPTH_MAX ? undefined : narrowed;
}

interface Scope {
  readonly kind: 'both' | 'address' | 'path';
  readonly conditions: readonly Part[];
}

/**
 * Whom an exception is for, the narrowest first. None is for all visitors of a path that origins may read in several ways: each
 * reading would pass alone as well, and so would what the rule is there for (`//help/admin` may be read as `/admin`).
 */
function scopesOf(paths: readonly string[], address: string): readonly Scope[] {
  const [atPath, fromAddress] = [pathIs(paths), addressIs(address)];
  return [
    ...(paths.length > 0 ? [{ kind: 'both' as const, conditions: [atPath, fromAddress] }] : []),
    { kind: 'address', conditions: [fromAddress] },
    ...(paths.length === 1 ? [{ kind: 'path' as const, conditions: [atPath] }] : []),
  ];
}

/** The rule itself gets an exception: one that allows would skip all other protection as well. */
export function exceptions(config: BlackrulesConfig, { paths, address, rule }: StoppedRequest): PluginException[] {
  return scopesOf(paths, address).flatMap(({ kind, conditions }) => {
    let isFound = false;
    const rules = config.black_rules.map((one) => {
      const when = one.name === rule ? without(one, conditions) : undefined;
      if (!when) return one;
      isFound = true;
      return { ...one, when };
    });
    const params = { rule, path: paths.join(', '), address };
    return isFound ? [{ message: `exceptions.${kind}`, params, config: { black_rules: rules } }] : [];
  });
}

/** A rule of its own, before all others, that allows what another plugin stopped. Rules that were off with the plugin stay off. */
export function letsPass(
  { enabled, config }: PluginSetting<BlackrulesConfig>,
  { paths, address }: StoppedRequest,
): PluginException[] {
  const others = config.black_rules.map((one) => (enabled ? one : { ...one, enabled: false }));
  if (others.length >= RULES_MAX) return [];
  const path = paths.join(', ');
  const names = { both: `${address} ${path}`, address, path };
  return scopesOf(paths, address).flatMap(({ kind, conditions }) => {
    const name = names[kind].slice(0, NAME_CHARACTERS_MAX);
    if (others.some((one) => one.name === name)) return [];
    const rule: Rule = {
      name,
      action: 'allow',
      enabled: true,
      when: { match: 'all', conditions: [...conditions], not: false },
    };
    return [
      { message: `exceptions.pass_${kind}`, params: { path, address }, config: { black_rules: [rule, ...others] } },
    ];
  });
}
