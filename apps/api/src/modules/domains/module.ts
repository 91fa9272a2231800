import { domainOperations } from '@cordon/contract';
import type { ApiModule, Platform } from '../../platform/module.ts';
import type { BatchService } from '../batches/service.ts';
import type { EdgeNodeService } from '../edge-nodes/service.ts';
import type { GroupService } from '../groups/service.ts';
import type { NamesModule } from '../names/module.ts';
import type { NameRules } from '../names/name-rules.ts';
import type { DeployService } from '../publishing/deploy-service.ts';
import type { Publication } from '../publishing/publication.ts';
import type { SubscriptionService } from '../subscriptions/service.ts';
import { createBulkKinds } from './bulk-kinds.ts';
import { createBulkService } from './bulk-service.ts';
import type { ConfigCheck } from './config-check.ts';
import { type CreateService, createCreateService } from './create-service.ts';
import { createExport } from './export.ts';
import { createDomainHandlers } from './handlers.ts';
import { createDomainService, type DomainService } from './service.ts';

export interface DomainModuleOptions {
  readonly platform: Platform;
  readonly subscriptions: SubscriptionService;
  readonly addressesByCzone: EdgeNodeService['addressesByCzone'];
  readonly rules: NameRules;
  readonly configCheck: ConfigCheck;
  readonly names: NamesModule;
  readonly groups: GroupService;
  readonly batches: BatchService;
  readonly deploys: DeployService;
  readonly publication: Publication;
}

export interface DomainModule extends ApiModule {
  readonly domains: DomainService;
  readonly creates: CreateService;
}

export function createDomainsModule(options: DomainModuleOptions): DomainModule {
  const { platform, subscriptions, addressesByCzone, rules, configCheck, names, groups } = options;
  const { batches, deploys, publication } = options;
  const { db, pool, env } = platform;
  const domains = createDomainService({
    db,
    pool,
    subscriptions,
    addressesByCzone,
    configCheck,
    deploys,
    publication,
    proof: names.proof,
  });
  const creates = createCreateService({
    db,
    env,
    subscriptions,
    rules,
    configCheck,
    claims: names.claims,
    deploys,
    publication,
    watch: names.ownership.watch,
    watchShadowDomains: names.shadowWatch.watch,
  });
  for (const kind of createBulkKinds({ db, subscriptions, configCheck, deploys, groups, publication, rules }))
    batches.register(kind);
  const bulk = createBulkService({ db, pool, subscriptions, batches, groups });
  const handlers = createDomainHandlers({ domains, creates, deploys, bulk, exportDomains: createExport(pool) });
  return { domains, creates, mount: (_app, mount) => mount(domainOperations, handlers) };
}
