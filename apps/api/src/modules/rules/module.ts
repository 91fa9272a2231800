import { ruleOperations } from '@cordon/contract';
import type { ApiModule, Platform } from '../../platform/module.ts';
import type { AccountService } from '../accounts/service.ts';
import type { BatchService } from '../batches/service.ts';
import type { PluginChanges } from '../domains/service.ts';
import { createApplyRuleKind } from './apply-kind.ts';
import { createRuleHandlers } from './handlers.ts';
import { createRuleService } from './service.ts';

export interface RuleModuleOptions {
  readonly platform: Platform;
  readonly accounts: AccountService;
  readonly changes: PluginChanges;
  readonly batches: BatchService;
}

export function createRulesModule({ platform, accounts, changes, batches }: RuleModuleOptions): ApiModule {
  batches.register(createApplyRuleKind(changes));
  const rules = createRuleService({ db: platform.db, accounts, changes, batches });
  return { mount: (_app, mount) => mount(ruleOperations, createRuleHandlers(rules)) };
}
