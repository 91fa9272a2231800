import { createAccountsModule } from './modules/accounts/module.ts';
import { createAccountService } from './modules/accounts/service.ts';
import { createAuditModule } from './modules/audit/module.ts';
import { createBatchesModule } from './modules/batches/module.ts';
import { createBrandsModule } from './modules/brands/module.ts';
import { type Brands, toContractBrand, toEdgeBrands } from './modules/brands/service.ts';
import { createCachingModule } from './modules/caching/module.ts';
import {
  countLeavable,
  developmentEndOf,
  leaveTasks,
  prefetchAfterDeploys,
  renameInTasks,
} from './modules/caching/service.ts';
import { createDiagnosisModule } from './modules/diagnosis/module.ts';
import {
  createLiveAccessCheck,
  createLiveUpstreamCheck,
  createSharedEgress,
  createTraceService,
} from './modules/diagnosis/service.ts';
import { createDnsModule } from './modules/dns/module.ts';
import { createDomainsModule } from './modules/domains/module.ts';
import { createConfigCheck, createRouteReader } from './modules/domains/service.ts';
import { createEdgeNodesModule } from './modules/edge-nodes/module.ts';
import { createEdgeNodeService, createFeedService } from './modules/edge-nodes/service.ts';
import { createGroupsModule } from './modules/groups/module.ts';
import { createHealthModule } from './modules/health/module.ts';
import { createHealthService, createLookService, findOriginsLook, readNodes } from './modules/health/service.ts';
import { createIdentityModule } from './modules/identity/module.ts';
import { createImportsModule } from './modules/imports/module.ts';
import { createNamesModule } from './modules/names/module.ts';
import { createNameRelease, createNameRules, createOwnershipProof } from './modules/names/service.ts';
import { createOriginsModule } from './modules/origins/module.ts';
import { findOriginSeeds } from './modules/origins/service.ts';
import { createPluginSecretsModule } from './modules/plugin-secrets/module.ts';
import { createPluginServersModule } from './modules/plugin-servers/module.ts';
import { createPublishingModule } from './modules/publishing/module.ts';
import { createPluginResolution } from './modules/publishing/service.ts';
import { createRulesModule } from './modules/rules/module.ts';
import { restoreApplication } from './modules/rules/service.ts';
import { createSslModule } from './modules/ssl/module.ts';
import { createSubscriptionsModule } from './modules/subscriptions/module.ts';
import { createSubscriptionService } from './modules/subscriptions/service.ts';
import { createTrafficModule } from './modules/traffic/module.ts';
import { createTrafficService } from './modules/traffic/service.ts';
import {
  createAsnDatabase,
  createCountryDatabase,
  shippedAsnDatabase,
  shippedCountryDatabase,
} from './platform/address-database.ts';
import { findConsole } from './platform/console-files.ts';
import type { ApiModule, Platform } from './platform/module.ts';
import { featuresOf } from './settings/env.ts';

/** Every module of the control plane, wired. A lower module gets what it needs of a higher one as a function. */
export async function createModules(platform: Platform, brands: Brands): Promise<ApiModule[]> {
  const { env, db, egress, resolver, secrets, clickhouse, log } = platform;
  const subscriptions = createSubscriptionService(env, db);
  const accounts = createAccountService(env, db);
  const identity = await createIdentityModule({ platform, brands, accounts });
  const nodes = createEdgeNodeService(db, secrets, {
    ...toEdgeBrands(brands),
    ...(env.recaptcha ? { recaptcha: env.recaptcha } : {}),
  });
  const { addressesByCzone } = nodes;
  const keptSecrets = createPluginSecretsModule(platform);
  const { pluginSecrets } = keptSecrets;
  const feeds = createFeedService();
  const traffic = createTrafficService({ clickhouse, db, log, retentionDays: env.logRetentionDays });
  const pluginServers = createPluginServersModule({ platform, accounts, feeds, subscriptions, traffic });

  const rules = createNameRules({ hostnames: brands.hostnames, edgeDomain: env.edgeDomain });
  const resolvePlugins = createPluginResolution(db, egress);
  const checkParts = { db, isOwnHost: rules.isOwnHost, resolvePlugins, features: featuresOf(env) };
  const configCheck = createConfigCheck({ ...checkParts, egress });
  const releaseNames = createNameRelease(subscriptions);
  const proof = createOwnershipProof(secrets.derive('name-proof'), resolver);
  const health = createHealthService(db, proof);
  const reader = createRouteReader({
    db,
    accounts,
    subscriptions,
    addressesByCzone,
    proof,
    health,
    developmentEndOf: (routeId) => developmentEndOf(db, feeds, routeId),
  });
  const readRoute = reader.get;

  const batching = createBatchesModule({ platform, accounts });
  const grouping = createGroupsModule({ platform });
  const { batches } = batching;
  const { groups } = grouping;
  const publishing = createPublishingModule({
    platform,
    accounts,
    subscriptions,
    batches,
    secrets: pluginSecrets,
    nameFault: rules.faultOf,
    checkConfig: configCheck.check,
    findOriginSeeds,
    freeNames: async (executor, route) => void (await releaseNames(executor, route)),
    leaveTasks,
    readRoute,
    restoreAlso: restoreApplication,
    afterDeploys: prefetchAfterDeploys,
  });
  const { publication, deploys, receipts } = publishing;
  const names = createNamesModule({
    platform,
    subscriptions,
    nodes,
    rules,
    releaseNames,
    proof,
    publication,
    readRoute,
    leaveTasks,
    renameInTasks,
  });
  const { ownership, claims, shadowWatch } = names;
  const asns = createAsnDatabase(env.asnDatabase ?? shippedAsnDatabase(), log);
  const countries = createCountryDatabase(env.countryDatabase ?? shippedCountryDatabase(), log);
  const traces = createTraceService({
    db,
    egress,
    resolvePlugins,
    publication,
    cdnLoopId: nodes.cdnLoopId,
    feeds,
    asns,
    countries,
  });
  const looks = createLookService({
    db,
    log,
    resolver,
    proof,
    subscriptions,
    addressesByCzone,
    publication,
    traffic,
    checkAccess: createLiveAccessCheck(traces),
    checkOrigins: createLiveUpstreamCheck(createSharedEgress(egress, platform.rates), traces),
    httpsPort: env.edgeHttpsPort,
  });
  const domains = createDomainsModule({
    platform,
    subscriptions,
    reader,
    health,
    traffic,
    rules,
    configCheck,
    secrets: pluginSecrets,
    claims,
    ownership,
    shadowWatch,
    groups,
    batches,
    deploys,
    publication,
    countLeavable,
  });
  const { creates, bulk, selections } = domains;
  const caching = createCachingModule({ platform, batches, bulk, selections, feeds, traffic });
  const brandOf = (hostname: string) => {
    const brand = brands.byHostname(hostname) ?? brands.fallback;
    return toContractBrand(brand, identity.signInOf(brand));
  };
  const { readOriginTraffic, storeAccessLog } = traffic;
  const ruling = createRulesModule({
    platform,
    health,
    subscriptions,
    configCheck,
    secrets: pluginSecrets,
    deploys,
    publication,
    creates,
    batches,
    claims,
  });
  return [
    createBrandsModule({
      brands,
      brandOf,
      endpointsOf: (hostname) => identity.endpointsOf(brands.byHostname(hostname) ?? brands.fallback),
      consoleRoot: findConsole(env),
    }),
    identity,
    createAccountsModule({ platform, accounts, addressesByCzone }),
    createAuditModule(platform),
    createSubscriptionsModule({ platform, subscriptions, addressesByCzone }),
    domains,
    names,
    publishing,
    batching,
    grouping,
    createImportsModule({
      platform,
      subscriptions,
      rules,
      proof,
      groups,
      batches,
      creates,
      configCheckWith: (through) => createConfigCheck({ ...checkParts, egress: through }),
    }),
    createOriginsModule({ platform, addressesByCzone, publication, readOriginTraffic, findOriginsLook, readNodes }),
    caching,
    createHealthModule({ platform, health, looks }),
    createSslModule({ platform, health, publication, receipts }),
    createDiagnosisModule({
      platform,
      draftWith: ruling.draftWith,
      nodes,
      accounts,
      health,
      looks,
      traces,
      asns,
      secrets: pluginSecrets,
      feeds,
      traffic,
      subscriptions,
      receipts,
      ownership,
      proof,
    }),
    createDnsModule({ platform }),
    ruling,
    createEdgeNodesModule({
      platform,
      nodes,
      recordReceipts: receipts.recordReceipts,
      judgeWaiting: receipts.judgeWaiting,
      recordBans: pluginServers.recordBans,
      openClears: caching.openClears,
      recordClearReceipts: caching.recordClearReceipts,
      prefetches: caching.prefetches,
      czonesOf: subscriptions.czonesOf,
      storeAccessLog,
    }),
    keptSecrets,
    pluginServers,
    createTrafficModule({ traffic }),
  ];
}
