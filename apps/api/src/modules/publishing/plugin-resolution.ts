import { createHash } from 'node:crypto';
import type { PluginEntry, RouteConfig } from '@cordon/contract';
import {
  type FetchedResource,
  type PluginDefinition,
  type PluginFault,
  PluginFaults,
  type ResolveTools,
} from '@cordon/plugin-kit';
import { findDefinition } from '@cordon/plugins/definitions';
import type { Db, Executor } from '../../platform/database.ts';
import { type Egress, EgressError } from '../../platform/egress.ts';
import { AppError } from '../../platform/errors.ts';
import type { RouteRow } from '../routes/service.ts';
import * as repository from './plugin-resolution-repository.ts';

/** By which what was fetched for a plugin's setting, as its schema reads it, is kept. */
export const configHashOf = (config: unknown): Buffer => createHash('sha256').update(JSON.stringify(config)).digest();

/** A deploy that is tried out first, a deploy that is repeated and a deploy of many domains ask the outside world once. */
const FRESH_SECONDS = 60;

/** A fault at a field of one of the plugins. */
export interface ResolutionFault {
  readonly plugin: string;
  readonly fault: PluginFault;
}

/**
 * Has the enabled plugins of a checked configuration fetch what they name (`PluginDefinition.resolve`), and keeps it for
 * the deploy. Answers what is wrong. Asks the network: not for use inside a transaction. Throws TOO_MANY_REQUESTS.
 */
export type ResolvePlugins = (accountId: string, plugins: readonly PluginEntry[]) => Promise<ResolutionFault[]>;

interface Resolving {
  readonly definition: PluginDefinition & Required<Pick<PluginDefinition, 'resolve'>>;
  readonly config: unknown;
  readonly key: repository.ResolutionKey;
}

/** The enabled plugins that fetch something; none for most routes. */
function resolvingPlugins(plugins: readonly PluginEntry[]): Resolving[] {
  return plugins.flatMap(({ name, enabled, config }) => {
    const definition = findDefinition(name);
    if (!enabled || !definition?.resolve) return [];
    // As the schema writes it: what the database answers has its keys in another order.
    const parsed = definition.schema.safeParse(config);
    if (!parsed.success) return [];
    const configHash = configHashOf(parsed.data);
    return [
      { definition: definition as Resolving['definition'], config: parsed.data, key: { plugin: name, configHash } },
    ];
  });
}

function readAddress(text: string) {
  const { protocol, hostname, port, pathname, search } = new URL(text);
  const scheme = protocol === 'http:' ? ('http' as const) : ('https' as const);
  return {
    protocol: scheme,
    host: hostname.replace(/^\[|\]$/g, ''),
    port: port === '' ? (scheme === 'http' ? 80 : 443) : Number(port),
    path: pathname + search,
  };
}

export const createResolveTools = (egress: Egress, accountId: string): ResolveTools => ({
  async fetch(url, bytesMax): Promise<FetchedResource | undefined> {
    try {
      const found = await egress.request({ account_id: accountId, ...readAddress(url), bodyBytesMax: bytesMax });
      // An unverified certificate: a man in the middle could have written the page.
      if (found.certificate?.error !== undefined) return undefined;
      const headers = Object.fromEntries(
        Object.entries(found.headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : value]),
      );
      return { status: found.status, headers, body: found.body, isTruncated: found.isTruncated };
    } catch (error) {
      if (!(error instanceof EgressError)) throw error;
      if (error.failure === 'rate_limited') throw new AppError('TOO_MANY_REQUESTS');
      return undefined;
    }
  },
});

export function createPluginResolution(db: Db, egress: Egress): ResolvePlugins {
  /** Domains that are checked at the same time wait for the one that asks. */
  const running = new Map<string, Promise<void>>();

  async function resolve(accountId: string, { definition, config, key }: Resolving): Promise<void> {
    if (await repository.isResolvedSince(db, accountId, key, FRESH_SECONDS)) return;
    const tools = createResolveTools(egress, accountId);
    await repository.saveResolution(db, accountId, key, await definition.resolve(config, tools));
  }
  function resolveOnce(accountId: string, resolving: Resolving): Promise<void> {
    const { plugin, configHash } = resolving.key;
    const id = `${accountId} ${plugin} ${configHash.toString('hex')}`;
    const begun = running.get(id) ?? resolve(accountId, resolving).finally(() => running.delete(id));
    running.set(id, begun);
    return begun;
  }
  return async (accountId, plugins) => {
    const faults: ResolutionFault[] = [];
    for (const resolving of resolvingPlugins(plugins)) {
      const { definition } = resolving;
      try {
        await resolveOnce(accountId, resolving);
      } catch (error) {
        if (!(error instanceof PluginFaults)) throw error;
        faults.push(...error.faults.map((fault) => ({ plugin: definition.name, fault })));
      }
    }
    return faults;
  };
}

/** Whether nodes need more than the configuration. */
export const needsResolved = (config: RouteConfig | null): boolean =>
  config !== null && resolvingPlugins(config.plugins).length > 0;

/** Keeps what the plugins of routes that have just got a live version fetched for it. */
export async function keepResolved(executor: Executor, deployed: readonly RouteRow[]): Promise<void> {
  for (const { id, account_id, live, version_live } of deployed) {
    if (live === null || version_live === null) continue;
    const resolving = resolvingPlugins(live.plugins);
    const resolved: Record<string, unknown> = {};
    for (const { key } of resolving) {
      const found = await repository.findResolution(executor, account_id, key);
      if (found === undefined) throw new Error(`route ${id} is deployed without what ${key.plugin} fetches`);
      resolved[key.plugin] = found;
    }
    if (resolving.length > 0) await repository.keepResolved(executor, id, version_live, resolved);
  }
}
