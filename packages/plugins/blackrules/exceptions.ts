import type { PluginException, StoppedRequest } from '@cordon/plugin-kit';
import type { BlackrulesConfig, Group, Part, Rule } from './schema.ts';

const isGroup = (part: Part): part is Group => 'conditions' in part;
const depthOf = (part: Part): number => (isGroup(part) ? 1 + Math.max(...part.conditions.map(depthOf)) : 0);
/** How deep groups may lie in each other, that of the rule counted (schema.ts). */
const DEPTH_MAX = 3;

const pathIs = (path: string): Part => ({ field: 'path', test: 'is', values: [path], ignore_case: false, not: false });
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
export function exceptions(config: BlackrulesConfig, { path, address, rule }: StoppedRequest): PluginException[] {
  const ways = [
    { message: 'exceptions.both', conditions: [pathIs(path), addressIs(address)] },
    { message: 'exceptions.address', conditions: [addressIs(address)] },
    { message: 'exceptions.path', conditions: [pathIs(path)] },
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
