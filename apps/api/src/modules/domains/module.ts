import { domainOperations } from '@cordon/contract';
import type { ApiModule, Platform } from '../../platform/module.ts';
import type { AccountService } from '../accounts/service.ts';
import { createConfigCheck } from './config-check.ts';
import { createCreateService } from './create-service.ts';
import { createDeployService, type DeployService } from './deploy-service.ts';
import { createDomainHandlers } from './handlers.ts';
import { createNameRules } from './name-rules.ts';
import { createOwnershipProof } from './ownership.ts';
import { createOwnershipService, type OwnershipService } from './ownership-service.ts';
import { createPublication, type Publication } from './publication.ts';
import { createDomainService } from './service.ts';

export interface DomainModuleOptions {
  readonly platform: Platform;
  readonly accounts: AccountService;
  /** Names that the console answers to. */
  readonly consoleHostnames: ReadonlySet<string>;
  readonly previewKey: () => Promise<Buffer>;
}

export interface DomainModule extends ApiModule {
  readonly deploys: DeployService;
  readonly publication: Publication;
  readonly ownership: OwnershipService;
}

export function createDomainsModule({
  platform,
  accounts,
  consoleHostnames,
  previewKey,
}: DomainModuleOptions): DomainModule {
  const { db, pool, env, egress, resolver, secrets } = platform;
  const rules = createNameRules({ hostnames: consoleHostnames, edgeDomain: env.edgeDomain });
  const proof = createOwnershipProof(secrets.derive('name-proof'), resolver);
  const publication = createPublication(accounts);
  const deploys = createDeployService(db, accounts, publication);
  const configCheck = createConfigCheck(db, egress, rules.isOwnHost);
  const ownership = createOwnershipService(db, accounts, proof, publication);
  const domains = createDomainService({
    db,
    pool,
    env,
    accounts,
    configCheck,
    deploys,
    publication,
    proof,
    previewKey,
  });
  const creates = createCreateService({
    db,
    env,
    accounts,
    rules,
    configCheck,
    proof,
    deploys,
    publication,
    watch: ownership.watch,
  });
  const handlers = createDomainHandlers({ db, egress, domains, creates, deploys, ownership });
  return {
    deploys,
    publication,
    ownership,
    mount: (_app, mount) => mount(domainOperations, handlers),
    jobs: {
      'look-at-operation': (payload: { operation_id: string; look: number }) =>
        deploys.lookAtOperation(payload.operation_id, payload.look),
      'watch-ownership': (payload: { route_id: string }) => ownership.watchOnce(payload.route_id),
    },
  };
}
