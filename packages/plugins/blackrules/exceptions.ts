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

/** The rule itself gets an exception: one that allows would skip all other protection as well. */
export function exceptions(
  config: BlackrulesConfig,
  { path, paths, address, rule }: StoppedRequest,
): PluginException[] {
  const isKnown = paths.length > 0;
  const ways = [
    ...(isKnown ? [{ message: 'exceptions.both', conditions: [pathIs(paths), addressIs(address)] }] : []),
    { message: 'exceptions.address', conditions: [addressIs(address)] },
    ...(isKnown ? [{ message: 'exceptions.path', conditions: [pathIs(paths)] }] : []),
  ];
  return ways.flatMap(({ message, conditions }) => {
    let isFound = false;
    const rules = config.black_rules.map((one) => {
      const when = one.name === rule ? without(one, conditions) : undefined;
      if (!when) return one;
      isFound = true;
      return { ...one, when };
    });
    return isFound ? [{ message, params: { rule, path, address }, config: { black_rules: rules } }] : [];
  });
}

/** A rule of its own, before all others, that allows what another plugin stopped. Rules that were off with the plugin stay off. */
export function letsPass(
  { enabled, config }: PluginSetting<BlackrulesConfig>,
  { path, paths, address }: StoppedRequest,
): PluginException[] {
  const others = config.black_rules.map((one) => (enabled ? one : { ...one, enabled: false }));
  if (others.length >= RULES_MAX) return [];
  const isKnown = paths.length > 0;
  const both = { message: 'exceptions.pass_both', name: `${address} ${path}` };
  const ways = [
    ...(isKnown ? [{ ...both, conditions: [addressIs(address), pathIs(paths)] }] : []),
    { message: 'exceptions.pass_address', name: address, conditions: [addressIs(address)] },
    ...(isKnown ? [{ message: 'exceptions.pass_path', name: path, conditions: [pathIs(paths)] }] : []),
  ];
  return ways.flatMap(({ message, name: whole, conditions }) => {
    const name = whole.slice(0, NAME_CHARACTERS_MAX);
    if (others.some((one) => one.name === name)) return [];
    const rule: Rule = { name, action: 'allow', enabled: true, when: { match: 'all', conditions, not: false } };
    return [{ message, params: { path, address }, config: { black_rules: [rule, ...others] } }];
  });
}
