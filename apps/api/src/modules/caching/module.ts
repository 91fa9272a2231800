import { cachingOperations } from '@cordon/contract';
import type { ApiModule, Platform } from '../../platform/module.ts';
import type { BatchService } from '../batches/service.ts';
import type { BulkService, SelectionReader } from '../domains/service.ts';
import type { FeedService, OpenClears, PrefetchParts, RecordClearReceipts } from '../edge-nodes/service.ts';
import type { TrafficService } from '../traffic/service.ts';
import { createClearCacheKind } from './clear-cache-kind.ts';
import { createDevelopmentService } from './development-service.ts';
import { createCachingHandlers } from './handlers.ts';
import { createPrefetchService, type DeployedList } from './prefetch-service.ts';
import { createClearService, createClearStreams } from './service.ts';
import { createTaskService } from './task-service.ts';

export interface CachingModuleOptions {
  readonly platform: Platform;
  readonly batches: BatchService;
  readonly bulk: BulkService;
  readonly selections: SelectionReader;
  readonly feeds: FeedService;
  readonly traffic: Pick<TrafficService, 'readCacheOverview' | 'listCostlyPaths'>;
}

export interface CachingModule extends ApiModule {
  readonly openClears: OpenClears;
  readonly recordClearReceipts: RecordClearReceipts;
  readonly prefetches: PrefetchParts;
}

export function createCachingModule({
  platform,
  batches,
  bulk,
  selections,
  feeds,
  traffic,
}: CachingModuleOptions): CachingModule {
  const streams = createClearStreams(platform);
  const clears = createClearService({ ...platform, handEarly: streams.handEarly });
  const development = createDevelopmentService({ db: platform.db, feeds });
  const tasks = createTaskService({ ...platform, batches, bulk, selections });
  const prefetches = createPrefetchService(platform);
  batches.register(createClearCacheKind(batches));
  return {
    openClears: streams.open,
    recordClearReceipts: clears.recordReceipts,
    prefetches,
    mount: (_app, mount) =>
      mount(cachingOperations, createCachingHandlers(clears, development, tasks, prefetches, traffic)),
    jobs: {
      'run-task': (payload: { task_id: string }) => tasks.run(payload.task_id),
      'forget-cache-clears': () => clears.forgetOld(),
      'look-at-prefetch': (payload: { prefetch_id: string }) => prefetches.look(payload.prefetch_id),
      'prefetch-after-deploy': (payload: DeployedList) => prefetches.startAfterDeploy(payload),
      'forget-prefetches': () => prefetches.forgetOld(),
    },
    recurring: [
      { name: 'forget-cache-clears', pattern: '17 * * * *' },
      { name: 'forget-prefetches', pattern: '19 * * * *' },
    ],
    stop: async () => {
      clears.close();
      streams.close();
    },
  };
}
