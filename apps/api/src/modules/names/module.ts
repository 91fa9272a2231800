import { nameOperations } from '@cordon/contract';
import type { ApiModule, Platform } from '../../platform/module.ts';
import type { EdgeNodeService } from '../edge-nodes/service.ts';
import type { LeaveTasks, Publication } from '../publishing/service.ts';
import type { ReadRoute } from '../routes/service.ts';
import type { SubscriptionService } from '../subscriptions/service.ts';
import { createEviction } from './eviction.ts';
import { createFindDomains } from './find-domains.ts';
import { createNameHandlers } from './handlers.ts';
import { createNameClaims, type NameClaims } from './name-claims.ts';
import type { ReleaseNames } from './name-release.ts';
import type { NameRules } from './name-rules.ts';
import type { OwnershipProof } from './ownership-proof.ts';
import { createOwnershipService, type OwnershipService } from './ownership-service.ts';
import { createPreviewService } from './preview-service.ts';
import { createShadowDomainService, type RenameInTasks } from './shadow-domain-service.ts';
import { createShadowDomainWatch, type ShadowDomainWatch } from './shadow-domain-watch.ts';

export interface NamesModuleOptions {
  readonly platform: Platform;
  readonly subscriptions: SubscriptionService;
  readonly nodes: EdgeNodeService;
  readonly rules: NameRules;
  readonly releaseNames: ReleaseNames;
  readonly proof: OwnershipProof;
  readonly publication: Publication;
  readonly readRoute: ReadRoute;
  readonly leaveTasks: LeaveTasks;
  readonly renameInTasks: RenameInTasks;
}

export interface NamesModule extends ApiModule {
  readonly ownership: OwnershipService;
  readonly shadowWatch: ShadowDomainWatch;
  readonly claims: NameClaims;
}

export function createNamesModule(options: NamesModuleOptions): NamesModule {
  const {
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
  } = options;
  const { db, env } = platform;
  const { addressesByCzone } = nodes;
  const ownership = createOwnershipService({ db, addressesByCzone, proof, publication });
  const evict = createEviction(releaseNames, publication, leaveTasks);
  const claims = createNameClaims({ db, subscriptions, proof, evict });
  const shadowWatch = createShadowDomainWatch({ db, addressesByCzone, proof, publication });
  const shadowDomains = createShadowDomainService({
    db,
    isDemo: env.isDemo,
    subscriptions,
    addressesByCzone,
    releaseNames,
    rules,
    proof,
    claims,
    watch: shadowWatch,
    publication,
    renameInTasks,
  });
  const handlers = createNameHandlers({
    ownership,
    previews: createPreviewService({ db, env, nodes }),
    shadowDomains,
    findDomains: createFindDomains(db),
    subscriptions,
    readRoute,
  });
  return {
    ownership,
    shadowWatch,
    claims,
    mount: (_app, mount) => mount(nameOperations, handlers),
    jobs: {
      'watch-ownership': (payload: { route_id: string }) => ownership.watchOnce(payload.route_id),
      'watch-shadow': (payload: { route_id: string; name: string }) =>
        shadowWatch.watchOnce(payload.route_id, payload.name),
    },
  };
}
