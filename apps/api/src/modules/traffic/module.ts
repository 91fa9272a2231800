import { trafficOperations } from '@cordon/contract';
import type { ApiModule } from '../../platform/module.ts';
import { createTrafficHandlers } from './handlers.ts';
import type { TrafficService } from './service.ts';

export interface TrafficModuleOptions {
  readonly traffic: TrafficService;
}

/** The module over its service, which the edge-nodes module stores batches through as well. */
export function createTrafficModule({ traffic }: TrafficModuleOptions): ApiModule {
  return {
    mount(_app, mount, metrics) {
      mount(trafficOperations, createTrafficHandlers(traffic));
      for (const metric of traffic.metrics) metrics.registerMetric(metric);
    },
    health: [{ name: 'traffic', isEssential: false, check: () => traffic.check() }],
    async start() {
      traffic.start();
    },
    stop: () => traffic.stop(),
  };
}
