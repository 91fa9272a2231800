import { randomUUID } from 'node:crypto';
import { type EdgeTest, type EdgeTestResult, edgeTest } from '@cordon/contract';
import type { Db } from '../../platform/database.ts';
import { AppError } from '../../platform/errors.ts';
import type { NotificationHub } from '../../platform/stream.ts';
import * as repository from './test-repository.ts';

/** Requests of test attacks, sent by a node through itself. */
export interface EdgeTestService {
  /**
   * Has a live node of the czone run it, and waits for what it reports. Throws GATEWAY_CONNECTION_ERROR where none is
   * live or the one that is does not answer in time; a ZodError at once for a test that nodes do not take.
   */
  run(czone: string, test: Omit<EdgeTest, 'id'>): Promise<{ node: string; results: readonly EdgeTestResult[] }>;
}

const ANSWER_MS = 8_000;

/** @param answerMs How long a node may take. */
export function createEdgeTestService(db: Db, hub: NotificationHub, answerMs = ANSWER_MS): EdgeTestService {
  return {
    async run(czone, given) {
      const test = edgeTest.parse({ id: randomUUID(), ...given });
      const { id } = test;
      const node = await repository.findLiveNode(db, czone);
      if (!node) throw new AppError('GATEWAY_CONNECTION_ERROR');
      let wake: (() => void) | undefined;
      // Undefined: what was to be heard may have been missed, also before listening began.
      const unsubscribe = hub.subscribe('edge_test_results', (heard) => {
        if (heard === id || heard === undefined) wake?.();
      });
      const deadline = performance.now() + answerMs;
      try {
        await repository.insertTest(db, node.id, test);
        for (;;) {
          const isHeard = new Promise<void>((resolve) => {
            wake = resolve;
          });
          const results = await repository.findResults(db, id);
          if (results?.length === given.requests.length) return { node: node.name, results };
          const leftMs = deadline - performance.now();
          if (results || leftMs <= 0) throw new AppError('GATEWAY_CONNECTION_ERROR');
          let timer: NodeJS.Timeout | undefined;
          const isLate = new Promise<void>((resolve) => {
            timer = setTimeout(resolve, leftMs);
          });
          await Promise.race([isHeard, isLate]);
          clearTimeout(timer);
        }
      } finally {
        unsubscribe();
        await repository.deleteTest(db, id);
      }
    },
  };
}
