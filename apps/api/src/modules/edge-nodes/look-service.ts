import { randomUUID } from 'node:crypto';
import { type EdgeLook, type EdgeLookResult, edgeLook } from '@cordon/contract';
import type { Db } from '../../platform/database.ts';
import { AppError } from '../../platform/errors.ts';
import type { NotificationHub } from '../../platform/stream.ts';
import * as repository from './look-repository.ts';

/** What a node of a czone has stored of a URL; without a result, it is not connected, or did not answer in time. */
export interface NodeLook {
  readonly node: string;
  readonly result: EdgeLookResult | undefined;
}

/** Asks nodes what they have stored. */
export interface EdgeLookService {
  /** All nodes of the czone, by name; waits for those that are live, 2 s at most. */
  lookAtAll(czone: string, look: Omit<EdgeLook, 'id' | 'fetch'>): Promise<readonly NodeLook[]>;
  /** A live node of the czone, for `fetchBy`. Throws GATEWAY_CONNECTION_ERROR where there is none. */
  findLive(czone: string): Promise<repository.AskedNode>;
  /** This node, which asks for the URL as a visitor first. Throws GATEWAY_CONNECTION_ERROR where it does not answer in time. */
  fetchBy(
    node: repository.AskedNode,
    look: Omit<EdgeLook, 'id' | 'fetch'>,
    fetch: NonNullable<EdgeLook['fetch']>,
  ): Promise<EdgeLookResult & { readonly visit: NonNullable<EdgeLookResult['visit']> }>;
}

const LOOK_MS = 2_000;
/** Longer than a node waits for an origin (cache-looks.ts of the edge's agent). */
const FETCH_MS = 15_000;

export function createEdgeLookService(
  db: Db,
  hub: NotificationHub,
  { lookMs = LOOK_MS, fetchMs = FETCH_MS } = {},
): EdgeLookService {
  /** What nodes answer until all have, or the time is over. */
  async function ask(
    nodeIds: readonly string[],
    look: EdgeLook,
    answerMs: number,
  ): Promise<Map<string, EdgeLookResult>> {
    if (nodeIds.length === 0) return new Map();
    let wake: (() => void) | undefined;
    // Undefined: what was to be heard may have been missed, also before listening began.
    const unsubscribe = hub.subscribe('edge_look_results', (heard) => {
      if (heard === look.id || heard === undefined) wake?.();
    });
    const deadline = performance.now() + answerMs;
    try {
      await repository.insertLook(db, nodeIds, look);
      for (;;) {
        const isHeard = new Promise<void>((resolve) => {
          wake = resolve;
        });
        const results = await repository.findLookResults(db, look.id);
        const leftMs = deadline - performance.now();
        if (results.size === nodeIds.length || leftMs <= 0) return results;
        let timer: NodeJS.Timeout | undefined;
        const isLate = new Promise<void>((resolve) => {
          timer = setTimeout(resolve, leftMs);
        });
        await Promise.race([isHeard, isLate]);
        clearTimeout(timer);
      }
    } finally {
      unsubscribe();
      await repository.deleteLook(db, look.id);
    }
  }

  return {
    async lookAtAll(czone, given) {
      const look = edgeLook.parse({ id: randomUUID(), ...given });
      const nodes = await repository.listNodes(db, czone);
      const live = nodes.filter(({ is_live }) => is_live).map(({ id }) => id);
      const results = await ask(live, look, lookMs);
      return nodes.map(({ id, name }) => ({ node: name, result: results.get(id) }));
    },
    async findLive(czone) {
      const node = (await repository.listNodes(db, czone)).find(({ is_live }) => is_live);
      if (!node) throw new AppError('GATEWAY_CONNECTION_ERROR');
      return node;
    },
    async fetchBy({ id }, given, fetch) {
      const look = edgeLook.parse({ id: randomUUID(), ...given, fetch });
      const result = (await ask([id], look, fetchMs)).get(id);
      if (!result?.visit) throw new AppError('GATEWAY_CONNECTION_ERROR');
      return { ...result, visit: result.visit };
    },
  };
}
