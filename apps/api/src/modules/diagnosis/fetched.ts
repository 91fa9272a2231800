import type { PluginEntry, RouteConfig } from '@cordon/contract';
import { findDefinition } from '@cordon/plugins/definitions';
import type { Db } from '../../platform/database.ts';
import { configHashOf, findResolution } from '../publishing/service.ts';
import type { RouteRow } from '../routes/service.ts';
import { findFetchedOf } from './trace-repository.ts';

/** What plugins of a configuration have fetched, as far as it is kept. */
export interface Fetched {
  readonly resolved: Readonly<Record<string, unknown>>;
  /** Plugins of which nothing is. */
  readonly missing: readonly PluginEntry[];
}

interface Fetching {
  readonly entry: PluginEntry;
  /** Of its setting, as publishing keeps what was fetched for it (plugin-resolution.ts). */
  readonly hash: Buffer;
}

/** The enabled plugins that fetch something; none for most routes. */
const fetchingPlugins = (config: RouteConfig): Fetching[] =>
  config.plugins.flatMap((entry) => {
    const definition = findDefinition(entry.name);
    const parsed = entry.enabled && definition?.resolve ? definition.schema.safeParse(entry.config) : undefined;
    if (!parsed?.success) return [];
    return [{ entry, hash: configHashOf(parsed.data) }];
  });

/**
 * What the plugins of a configuration of the route, live or not, have fetched, by plugin: for the given versions (the first that has
 * the same setting), or else for a check within the last day. Asks no network.
 */
export async function findFetched(
  db: Db,
  { id, account_id }: Pick<RouteRow, 'id' | 'account_id'>,
  config: RouteConfig,
  versions: readonly (number | null)[],
): Promise<Fetched> {
  const fetching = fetchingPlugins(config);
  if (fetching.length === 0) return { resolved: {}, missing: [] };
  const numbers = versions.filter((version) => version !== null);
  const kept = (await findFetchedOf(db, account_id, id, numbers)).flatMap((version) =>
    fetchingPlugins(version.config).map(({ entry, hash }) => ({ hash, entry, found: version.resolved[entry.name] })),
  );
  const resolved: Record<string, unknown> = {};
  const missing: PluginEntry[] = [];
  for (const { entry, hash } of fetching) {
    const alike = kept.find((one) => one.found !== undefined && one.entry.name === entry.name && one.hash.equals(hash));
    const found = alike?.found ?? (await findResolution(db, account_id, { plugin: entry.name, configHash: hash }));
    if (found === undefined) missing.push(entry);
    else resolved[entry.name] = found;
  }
  return { resolved, missing };
}
