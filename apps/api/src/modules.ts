import { createAccountsModule } from './modules/accounts/module.ts';
import { createAccountService } from './modules/accounts/service.ts';
import { createBrandsModule } from './modules/brands/module.ts';
import { type Brands, toContractBrand, toEdgeBrands } from './modules/brands/service.ts';
import { createDnsModule } from './modules/dns/module.ts';
import { createDomainsModule } from './modules/domains/module.ts';
import { createEdgeNodesModule } from './modules/edge-nodes/module.ts';
import { createEdgeNodeService } from './modules/edge-nodes/service.ts';
import { createIdentityModule } from './modules/identity/module.ts';
import { createRulesModule } from './modules/rules/module.ts';
import { createTrafficModule } from './modules/traffic/module.ts';
import { createTrafficService } from './modules/traffic/service.ts';
import type { ApiModule, Platform } from './platform/module.ts';

/** Every module of the control plane, wired. */
export async function createModules(platform: Platform, brands: Brands): Promise<ApiModule[]> {
  const { env, db, secrets, clickhouse, log } = platform;
  const accounts = createAccountService(env, db);
  const identity = await createIdentityModule(platform, brands, accounts.createAccount);
  const nodes = createEdgeNodeService(db, secrets, toEdgeBrands(brands));
  const traffic = createTrafficService({ clickhouse, db, log, retentionDays: env.logRetentionDays });
  const domains = createDomainsModule({
    platform,
    accounts,
    consoleHostnames: brands.hostnames,
    previewKey: nodes.previewKey,
    cdnLoopId: nodes.cdnLoopId,
    readOriginTraffic: traffic.readOriginTraffic,
  });
  const brandOf = (hostname: string) => {
    const brand = brands.byHostname(hostname) ?? brands.fallback;
    return toContractBrand(brand, identity.signInOf(brand));
  };
  return [
    createBrandsModule(brands),
    identity,
    createAccountsModule({ platform, accounts, brandOf }),
    domains,
    createDnsModule(platform),
    createRulesModule({ platform, accounts, changes: domains.changes, batches: domains.batches }),
    createEdgeNodesModule({ platform, nodes, deploys: domains.deploys, storeAccessLog: traffic.storeAccessLog }),
    createTrafficModule(traffic),
  ];
}
