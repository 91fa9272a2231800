import { type EdgeFeedEntry, formatAddress, parseAddress } from '@cordon/contract';
import type { Db, Executor } from '../../platform/database.ts';
import * as repository from './feed-repository.ts';

/** What nodes know of clients apart from the configuration of routes; a change is live on all within a second. */
export interface FeedService {
  /** Adds entries or changes when they end; a time that has passed takes them away. */
  put(executor: Executor, entries: readonly EdgeFeedEntry[]): Promise<void>;
  /** By feed, the narrowest entry of the scopes that holds the address now; those of the first scope come first. */
  find(
    executor: Executor,
    scopes: readonly string[],
    address: string,
  ): Promise<Record<string, { network: string; until: number }>>;
  /** By address, the narrowest entry of one feed that holds it now; likewise. Others are left out. */
  findAll(
    executor: Executor,
    scopes: readonly string[],
    feed: string,
    addresses: readonly string[],
  ): Promise<ReadonlyMap<string, { network: string; until: number }>>;
  /** As `PluginServerTools.countInside`. */
  countInside(
    executor: Executor,
    accountId: string,
    of: { readonly feed: string; readonly within: string; readonly written: string },
  ): Promise<number>;
}

export function createFeedService(): FeedService {
  return {
    put: repository.putEntries,
    countInside: repository.countInside,
    async find(executor, scopes, address) {
      const read = parseAddress(address);
      if (!read) return {};
      const entries = await repository.findEntries(executor, scopes, formatAddress(read));
      const found: Record<string, { network: string; until: number }> = {};
      for (const scope of scopes)
        for (const entry of entries)
          if (entry.scope === scope) found[entry.feed] ??= { network: entry.network, until: entry.until ?? 0 };
      return found;
    },
    async findAll(executor, scopes, feed, addresses) {
      const asGiven = new Map<string, string[]>();
      for (const address of addresses) {
        const read = parseAddress(address);
        if (!read) continue;
        const canonical = formatAddress(read);
        asGiven.set(canonical, [...(asGiven.get(canonical) ?? []), address]);
      }
      const found = new Map<string, { network: string; until: number }>();
      for (const { address, network, until } of await repository.findEntriesOfAll(executor, scopes, feed, [
        ...asGiven.keys(),
      ]))
        for (const given of asGiven.get(address) ?? [])
          if (!found.has(given)) found.set(given, { network, until: until ?? 0 });
      return found;
    },
  };
}

const FORGOTTEN_AFTER_SECONDS = 86_400;

/** Runs as a recurring job. */
export const forgetEndedEntries = (db: Db): Promise<void> => repository.forgetEnded(db, FORGOTTEN_AFTER_SECONDS);
