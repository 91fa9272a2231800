import type { PluginDefinition, PluginNotice } from '@cordon/plugin-kit';
import { parseConfig } from '../model/parse-config';

type Config = Readonly<Record<string, unknown>>;

/** A configuration without the entries of its lists that are wrong. */
function withoutEntries(config: Config, wrong: readonly (readonly PropertyKey[])[]): Config {
  const isWrong = (name: string, index: number) => wrong.some(([list, at]) => list === name && at === index);
  return Object.fromEntries(
    Object.entries(config).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.filter((_, index) => !isWrong(name, index)) : value,
    ]),
  );
}

/**
 * What may surprise in a configuration that is being typed. One wrong entry does not silence the notices about the
 * others; where the configuration as a whole is not valid yet, its entries have notices all the same.
 */
export function pluginNotices(definition: PluginDefinition, config: Config): readonly PluginNotice[] {
  const parsed = parseConfig(definition, config);
  if (parsed.success) return definition.notices(parsed.data);
  const rest = withoutEntries(
    config,
    parsed.error.issues.map(({ path }) => path),
  );
  const again = definition.schema.safeParse(rest);
  try {
    return definition.notices(again.success ? again.data : rest);
  } catch {
    // Too little of it is there yet.
    return [];
  }
}
