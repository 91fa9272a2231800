import { healthOperations } from '@cordon/contract';
import type { ApiModule, Platform } from '../../platform/module.ts';
import { addJob } from '../../platform/queue.ts';
import { createHealthHandlers } from './handlers.ts';
import type { HealthService, LookService } from './service.ts';

export interface HealthModuleOptions {
  readonly platform: Pick<Platform, 'db'>;
  readonly health: HealthService;
  readonly looks: LookService;
}

/** Starts within a minute; a recurring job is added once a minute. */
const SWEEPS_AT_SECONDS = [0, 15, 30, 45];
const MEASUREMENTS_AT_SECONDS = [0, 30];

export function createHealthModule({ platform, health, looks }: HealthModuleOptions): ApiModule {
  /** One at a time: looks go by their own line, however many are due. */
  const plan = async (name: string, seconds: readonly number[]) => {
    for (const second of seconds)
      await addJob(
        platform.db,
        name,
        {},
        { key: `${name}/${second}`, line: name, maxAttempts: 1, runAt: new Date(Date.now() + second * 1000) },
      );
  };
  return {
    mount: (_app, mount) => mount(healthOperations, createHealthHandlers(health)),
    jobs: {
      'plan-health': async () => {
        await plan('look-at-domains', SWEEPS_AT_SECONDS);
        await plan('measure-errors', MEASUREMENTS_AT_SECONDS);
      },
      'look-at-domains': () => looks.sweep(),
      'measure-errors': () => looks.measureErrors(),
    },
    recurring: [{ name: 'plan-health', pattern: '* * * * *' }],
  };
}
