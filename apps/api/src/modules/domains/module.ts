import { domainOperations } from '@cordon/contract';
import type { ApiModule, Platform } from '../../platform/module.ts';
import type { BatchService } from '../batches/service.ts';
import type { GroupService } from '../groups/service.ts';
import type { HealthService } from '../health/service.ts';
import type { NameClaims, NameRules, OwnershipService, ShadowDomainWatch } from '../names/service.ts';
import type { PluginSecrets } from '../plugin-secrets/service.ts';
import type { DeployService, Publication } from '../publishing/service.ts';
import type { SubscriptionService } from '../subscriptions/service.ts';
import type { TrafficService } from '../traffic/service.ts';
import { createBulkKinds } from './bulk-kinds.ts';
import { type BulkService, type BulkServiceParts, createBulkService } from './bulk-service.ts';
import type { ConfigCheck } from './config-check.ts';
import { type CreateService, createCreateService } from './create-service.ts';
import { createExport } from './export.ts';
import { createDomainHandlers } from './handlers.ts';
import type { RouteReader } from './route-reader.ts';
import { createSelectionReader, type SelectionReader } from './selection-reader.ts';
import { createDomainService } from './service.ts';

export interface DomainsModuleOptions {
  readonly platform: Platform;
  readonly subscriptions: SubscriptionService;
  readonly reader: RouteReader;
  readonly health: HealthService;
  readonly traffic: Pick<TrafficService, 'readDomainFigures'>;
  readonly rules: NameRules;
  readonly configCheck: ConfigCheck;
  readonly secrets: PluginSecrets;
  readonly claims: NameClaims;
  readonly ownership: OwnershipService;
  readonly shadowWatch: ShadowDomainWatch;
  readonly groups: GroupService;
  readonly batches: BatchService;
  readonly deploys: DeployService;
  readonly publication: Publication;
  readonly countLeavable: BulkServiceParts['countLeavable'];
}

export interface DomainsModule extends ApiModule {
  readonly creates: CreateService;
  readonly bulk: BulkService;
  readonly selections: SelectionReader;
}

export function createDomainsModule(options: DomainsModuleOptions): DomainsModule {
  const { platform, subscriptions, reader, health, rules, configCheck, claims, ownership, shadowWatch } = options;
  const { traffic, secrets, groups, batches, deploys, publication } = options;
  const { db, pool, env } = platform;
  const domains = createDomainService({
    db,
    pool,
    subscriptions,
    reader,
    health,
    configCheck,
    secrets,
    deploys,
    publication,
  });
  const creates = createCreateService({
    db,
    env,
    subscriptions,
    rules,
    configCheck,
    secrets,
    claims,
    deploys,
    publication,
    watch: ownership.watch,
    watchShadowDomains: shadowWatch.watch,
  });
  for (const kind of createBulkKinds({ db, subscriptions, configCheck, deploys, groups, publication, rules }))
    batches.register(kind);
  const bulk = createBulkService({ db, pool, subscriptions, batches, groups, countLeavable: options.countLeavable });
  const selections = createSelectionReader(pool, health, env.edgeDomain);
  const handlers = createDomainHandlers({
    selections,
    domains,
    subscriptions,
    creates,
    deploys,
    bulk,
    health,
    traffic,
    exportDomains: createExport(pool, health),
  });
  return { creates, bulk, selections, mount: (_app, mount) => mount(domainOperations, handlers) };
}
