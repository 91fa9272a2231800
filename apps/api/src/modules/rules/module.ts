import { ruleOperations } from '@cordon/contract';
import type { ApiModule, Platform } from '../../platform/module.ts';
import type { BatchService } from '../batches/service.ts';
import type { ConfigCheck, CreateService } from '../domains/service.ts';
import type { HealthService } from '../health/service.ts';
import type { NameClaims } from '../names/service.ts';
import type { PluginSecrets } from '../plugin-secrets/service.ts';
import type { DeployService, Publication } from '../publishing/service.ts';
import type { SubscriptionService } from '../subscriptions/service.ts';
import { createApplyRuleKind } from './apply-rule-kind.ts';
import { createCloneKind } from './clone-kind.ts';
import { createCloneService } from './clone-service.ts';
import { createCopyPluginsKind } from './copy-plugins-kind.ts';
import { createCopyService } from './copy-service.ts';
import { createRuleHandlers } from './handlers.ts';
import { createPluginChanges } from './plugin-changes.ts';
import { createRuleService, type DraftWith } from './service.ts';

export interface RulesModuleOptions {
  readonly platform: Platform;
  readonly subscriptions: SubscriptionService;
  readonly health: HealthService;
  readonly configCheck: ConfigCheck;
  readonly secrets: PluginSecrets;
  readonly deploys: DeployService;
  readonly publication: Publication;
  readonly creates: CreateService;
  readonly batches: BatchService;
  readonly claims: NameClaims;
}

export interface RulesModule extends ApiModule {
  readonly draftWith: DraftWith;
}

export function createRulesModule(options: RulesModuleOptions): RulesModule {
  const { platform, subscriptions, health, configCheck, secrets, deploys, publication, creates, batches, claims } =
    options;
  const { db, pool } = platform;
  const changes = createPluginChanges({
    db,
    pool,
    edgeDomain: platform.env.edgeDomain,
    subscriptions,
    health,
    configCheck,
    deploys,
    publication,
  });
  batches.register(createApplyRuleKind(changes));
  batches.register(createCopyPluginsKind(changes));
  batches.register(createCloneKind(creates));
  const rules = createRuleService({ db, subscriptions, secrets, changes, batches });
  const copies = createCopyService({ db, changes, batches });
  const clones = createCloneService({ db, subscriptions, batches, claims });
  return {
    async draftWith(accountId, routeId, from) {
      const brought =
        'rule_id' in from
          ? await rules.brought(accountId, from.rule_id)
          : await copies.brought(accountId, from.route_id, from.plugins);
      return (await changes.prepare(accountId, routeId, brought, { deploy: false })).draft;
    },
    mount: (_app, mount) => mount(ruleOperations, createRuleHandlers({ rules, copies, clones })),
  };
}
