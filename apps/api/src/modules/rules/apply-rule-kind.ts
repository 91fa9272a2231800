import type { PluginEntry, RuleLists } from '@cordon/contract';
import { fieldErrors } from '../../platform/errors.ts';
import type { BatchKind } from '../batches/service.ts';
import { type RestoreAlso, undoByRestore } from '../publishing/service.ts';
import type { PluginChanges, PreparedChange } from './plugin-changes.ts';
import * as repository from './repository.ts';

export const APPLY_RULE = 'apply-rule';

/** What a batch applies: the rule as it was when the batch began. */
export interface ApplyRuleParams {
  readonly rule_id: string;
  readonly revision: number;
  readonly plugins: readonly PluginEntry[];
  /** Left out by batches of before there was a choice. */
  readonly lists?: RuleLists;
  readonly deploy: boolean;
  readonly note: string;
}

/** What an undo needs to know of the application besides how the domain was. */
interface Applied {
  readonly rule_id: string;
  readonly revision: number;
  /** Undefined: the domain had not got the rule. */
  readonly before: repository.EarlierApplication | undefined;
}

/** A domain that is as before the rule was applied to it is none that got it then. */
export const restoreApplication: RestoreAlso = async (executor, accountId, routeId, also) => {
  const { rule_id: ruleId, revision, before } = also as Applied;
  if (!(await repository.holdRule(executor, accountId, ruleId))) return;
  await repository.putBackApplication(executor, { ruleId, routeId, accountId, revision }, before);
};

const paramsOf = (params: Readonly<Record<string, unknown>>) => params as unknown as ApplyRuleParams;

/** Applies a rule to one domain, and remembers that it has got it. Once the rule is deleted: RULE_GONE. */
export function createApplyRuleKind(changes: PluginChanges): BatchKind<PreparedChange> {
  return {
    name: APPLY_RULE,
    undo: undoByRestore,
    prepare({ actor, params }, item) {
      const { plugins, lists = 'replace', deploy } = paramsOf(params);
      return changes.prepare(actor.accountId, item.routeId ?? '', { plugins, lists }, { deploy });
    },
    async run({ executor, actor, params }, item, prepared) {
      const { rule_id: ruleId, revision, deploy, note } = paramsOf(params);
      const routeId = item.routeId ?? '';
      if (!(await repository.holdRule(executor, actor.accountId, ruleId))) throw fieldErrors({ rule_id: 'RULE_GONE' });
      const { changed, deployed, operationId, undo } = await changes.applyIn(executor, actor, routeId, prepared, {
        deploy,
        note,
      });
      const before = await repository.putApplication(executor, {
        ruleId,
        routeId,
        accountId: actor.accountId,
        revision,
        by: actor.label,
      });
      const also: Applied = { rule_id: ruleId, revision, before };
      return {
        ...(operationId === undefined ? {} : { operationId }),
        result: { changed, deployed },
        undo: { ...undo, also },
      };
    },
  };
}
