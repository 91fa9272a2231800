import type { EdgePrefetchReport } from '@cordon/contract';

/** What nodes fetch into their caches, in the stream of a node, and what it reports of that. */
export interface PrefetchParts {
  /** What the stream of a node carries next, each once; empty: nothing. */
  takeEvents(nodeId: string): Promise<string[]>;
  record(nodeId: string, reports: readonly EdgePrefetchReport[]): Promise<void>;
}
