import { originOperations } from '@cordon/contract';
import type { ApiModule, Platform } from '../../platform/module.ts';
import { type EdgeNodeService, ORIGIN_KEY_PURPOSE } from '../edge-nodes/service.ts';
import type { Publication } from '../publishing/service.ts';
import { createOriginAccessService } from './access-service.ts';
import { createOriginHandlers } from './handlers.ts';
import {
  createOriginHealthService,
  type FindOriginsLook,
  type ReadNodes,
  type ReadOriginTraffic,
} from './health-service.ts';
import { createOriginLockService } from './lock-service.ts';
import { createUpstreamVerification } from './upstream-verification.ts';

export interface OriginsModuleOptions {
  readonly platform: Platform;
  readonly addressesByCzone: EdgeNodeService['addressesByCzone'];
  readonly publication: Publication;
  readonly readOriginTraffic: ReadOriginTraffic;
  readonly findOriginsLook: FindOriginsLook;
  readonly readNodes: ReadNodes;
}

export function createOriginsModule(options: OriginsModuleOptions): ApiModule {
  const { platform, addressesByCzone, publication, readOriginTraffic, findOriginsLook, readNodes } = options;
  const { db, egress, resolver, secrets } = platform;
  const locks = createOriginLockService({ db, key: secrets.derive(ORIGIN_KEY_PURPOSE), publication });
  const handlers = createOriginHandlers({
    access: createOriginAccessService({ db, addressesByCzone, locks }),
    locks,
    health: createOriginHealthService({
      db,
      resolver,
      readTraffic: readOriginTraffic,
      findLook: findOriginsLook,
      readNodes,
    }),
    verifyUpstreams: createUpstreamVerification(egress),
  });
  return { mount: (_app, mount) => mount(originOperations, handlers) };
}
