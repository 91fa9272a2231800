import { ALLOWED_FEED } from '@cordon/plugin-kit/feeds';
import type { Db } from '../../platform/database.ts';
import type { FeedService } from '../edge-nodes/service.ts';
import type { FeedsOf } from './replay-judge.ts';

interface Requested {
  readonly client_address: string;
}

export interface Allowed {
  readonly feedsOf: FeedsOf;
  /** Passes on what comes, once it is known which of their addresses are on the list. */
  before<Item extends Requested>(coming: AsyncIterable<readonly Item[]>): AsyncGenerator<readonly Item[]>;
}

const NONE = {};

/** The allow list of scopes as it is now, for the addresses of recorded requests: each is looked up once. */
export function createAllowed(db: Db, feeds: Pick<FeedService, 'findAll'>, scopes: readonly string[]): Allowed {
  const known = new Map<string, ReturnType<FeedsOf>>();
  return {
    feedsOf: (address) => known.get(address) ?? NONE,
    async *before(coming) {
      for await (const items of coming) {
        const unknown = new Set(items.map((item) => item.client_address).filter((address) => !known.has(address)));
        if (unknown.size > 0) {
          const found = await feeds.findAll(db, scopes, ALLOWED_FEED, [...unknown]);
          for (const address of unknown) {
            const entry = found.get(address);
            known.set(address, entry ? { [ALLOWED_FEED]: entry } : NONE);
          }
        }
        yield items;
      }
    },
  };
}
