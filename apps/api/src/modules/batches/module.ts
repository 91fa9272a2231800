import { batchOperations } from '@cordon/contract';
import type { ApiModule, Platform } from '../../platform/module.ts';
import type { AccountService } from '../accounts/service.ts';
import { createBatchHandlers } from './handlers.ts';
import { createBatchRunner } from './runner.ts';
import { type BatchService, createBatchService, purgeBatches, resumeBatches } from './service.ts';

export interface BatchesModuleOptions {
  readonly platform: Platform;
  readonly accounts: AccountService;
}

export interface BatchesModule extends ApiModule {
  /** Where other modules register what can be done to many domains. */
  readonly batches: BatchService;
}

export function createBatchesModule({ platform, accounts }: BatchesModuleOptions): BatchesModule {
  const { db, log } = platform;
  const batches = createBatchService(db);
  const runner = createBatchRunner({ db, log, accounts, batches });
  return {
    batches,
    mount: (_app, mount) => mount(batchOperations, createBatchHandlers(batches)),
    jobs: {
      'run-batch': (payload: { batch_id: string }) => runner.runBatch(payload.batch_id),
      'resume-batches': () => resumeBatches(db),
      'purge-batches': () => purgeBatches(db),
    },
    recurring: [
      { name: 'resume-batches', pattern: '* * * * *' },
      { name: 'purge-batches', pattern: '17 3 * * *' },
    ],
  };
}
