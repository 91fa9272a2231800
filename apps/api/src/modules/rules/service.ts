import type {
  Actor,
  AuditAction,
  AuditDetails,
  Batch,
  draftReplayInput,
  NewAuditChange,
  Page,
  PluginEntry,
  PluginPreview,
  RouteConfig,
  Rule,
  RuleDomain,
  RuleLists,
  RuleSelection,
  RuleSummary,
} from '@cordon/contract';
import { RULES_MAX } from '@cordon/contract';
import type { z } from 'zod';
import { auditedBy, changesOf, insertAudit } from '../../platform/audit.ts';
import { type Db, type Executor, runInTransaction, uniqueViolation } from '../../platform/database.ts';
import { AppError, fieldErrors, notFound } from '../../platform/errors.ts';
import type { BatchService } from '../batches/service.ts';
import type { PluginSecrets } from '../plugin-secrets/service.ts';
import { changedPaths, EMPTY_CONFIG } from '../routes/service.ts';
import type { SubscriptionService } from '../subscriptions/service.ts';
import { appliedDomains } from './application-repository.ts';
import { APPLY_RULE, type ApplyRuleParams } from './apply-rule-kind.ts';
import { createDrift } from './drift.ts';
import type { BroughtPlugins, PluginChanges } from './plugin-changes.ts';
import * as repository from './repository.ts';

export { restoreApplication } from './apply-rule-kind.ts';

export interface NewRule {
  /** Of the subscription. */
  readonly cname: string;
  readonly name: string;
  readonly description: string;
  readonly lists: RuleLists;
  readonly plugins?: readonly PluginEntry[] | undefined;
  /** Takes the plugins of this domain's draft instead. */
  readonly from_route?: string | undefined;
}
export interface RuleChange {
  readonly name?: string | undefined;
  readonly description?: string | undefined;
  readonly lists?: RuleLists | undefined;
  readonly plugins?: readonly PluginEntry[] | undefined;
}

/** Rules of an account, in the console "configuration templates". Another account's are NOT_FOUND everywhere. */
/** Where plugins that are brought to a domain come from. */
export type BroughtFrom = NonNullable<z.output<typeof draftReplayInput>['brought']>;

/**
 * The draft of a domain with such plugins brought to it, as a preview has it. Throws NOT_FOUND for what is another account's, and
 * whatever is wrong with the plugins there.
 */
export type DraftWith = (accountId: string, routeId: string, from: BroughtFrom) => Promise<RouteConfig>;

export interface RuleService {
  list(
    accountId: string,
    filter: { q: string | undefined; cname: string | undefined },
    page: Page,
  ): Promise<{ results: RuleSummary[]; count: number }>;
  get(accountId: string, ruleId: string): Promise<Rule>;
  /** Throws RULE_NAME_TAKEN, RULES_FULL, RULE_SOURCE_EMPTY, and whatever is wrong with the plugins. */
  create(actor: Actor, rule: NewRule): Promise<Rule>;
  /** Changes the rule that has this revision; throws STALE_REVISION otherwise. Domains stay as they are. */
  update(actor: Actor, ruleId: string, revision: number, change: RuleChange): Promise<Rule>;
  /** Throws SUBSCRIPTION_NOT_FOUND unless `cname` is the rule's subscription. */
  remove(actor: Actor, ruleId: string, cname: string): Promise<void>;
  listDomains(
    accountId: string,
    ruleId: string,
    q: string | undefined,
    page: Page,
  ): Promise<{ results: RuleDomain[]; count: number }>;
  /** What the rule brings to domains; throws NOT_FOUND for another account's. */
  brought(accountId: string, ruleId: string): Promise<BroughtPlugins>;
  preview(
    accountId: string,
    ruleId: string,
    selection: RuleSelection,
    page: Page,
  ): Promise<{ results: PluginPreview[]; count: number }>;
  /** Applies the rule that has this revision; throws STALE_REVISION otherwise, SELECTION_REQUIRED for no domain. */
  apply(actor: Actor, ruleId: string, revision: number, application: Application): Promise<Batch>;
}

export interface Application {
  readonly selection: RuleSelection;
  readonly deploy: boolean;
  readonly note: string;
}

export interface RuleParts {
  readonly db: Db;
  readonly subscriptions: SubscriptionService;
  readonly secrets: PluginSecrets;
  readonly changes: PluginChanges;
  readonly batches: BatchService;
}

export function createRuleService({ db, subscriptions, secrets, changes, batches }: RuleParts): RuleService {
  const drift = createDrift(db);

  async function find(accountId: string, ruleId: string): Promise<repository.RuleRow> {
    const rule = await repository.findRule(db, accountId, ruleId);
    if (!rule) throw notFound();
    return rule;
  }

  const toSummary = (
    rule: repository.RuleHead & { plugins: readonly Pick<PluginEntry, 'name' | 'enabled'>[] },
    more: { subscription_cname: string; domains: number; differing: number | null },
  ): RuleSummary => ({
    id: rule.id,
    name: rule.name,
    description: rule.description,
    subscription_cname: more.subscription_cname,
    revision: rule.revision,
    lists: rule.lists,
    plugin_names: rule.plugins.map(({ name }) => name),
    switched_off: rule.plugins.filter(({ enabled }) => !enabled).map(({ name }) => name),
    domains: more.domains,
    differing: more.differing,
    created_at: rule.created_at,
    updated_at: rule.updated_at,
    updated_by: rule.updated_by,
  });

  /** The rule as the API shows it, its plugins with every default written out. */
  async function toRule(rule: repository.RuleRow, subscriptionCname: string): Promise<Rule> {
    const domains = await repository.countApplications(db, rule.id);
    const differing = domains === 0 ? 0 : (await drift.differing(rule)).length;
    return {
      ...toSummary(rule, { subscription_cname: subscriptionCname, domains, differing }),
      plugins: rule.plugins,
      differing,
    };
  }

  const audit = (
    executor: Executor,
    actor: Actor,
    action: AuditAction,
    rule: { id: string; name: string },
    details: AuditDetails = {},
    changes: readonly NewAuditChange[] = [],
  ) =>
    insertAudit(
      executor,
      auditedBy(actor, { action, subject: `rule ${rule.id}`, details: { name: rule.name, ...details }, changes }),
    );

  /** A name that is in use is an error of its field. */
  async function mapNameConflict<T>(work: Promise<T>): Promise<T> {
    try {
      return await work;
    } catch (error) {
      if (uniqueViolation(error) === 'rules_name') throw fieldErrors({ name: 'RULE_NAME_TAKEN' });
      throw error;
    }
  }

  async function pluginsFor(actor: Actor, rule: NewRule, subscriptionId: string): Promise<readonly PluginEntry[]> {
    if (rule.from_route === undefined) return rule.plugins ?? [];
    const source = await changes.pluginsOf(actor.accountId, rule.from_route);
    if (source.subscriptionId !== subscriptionId) throw notFound();
    if (source.plugins.length === 0) throw fieldErrors({ from_route: 'RULE_SOURCE_EMPTY' });
    return source.plugins;
  }

  function requireRevision(rule: repository.RuleHead, revision: number): void {
    if (rule.revision === revision) return;
    throw new AppError('STALE_REVISION', {
      params: { STALE_REVISION: { revision: rule.revision, changed_by: rule.updated_by ?? '' } },
    });
  }

  return {
    async get(accountId, ruleId) {
      const rule = await find(accountId, ruleId);
      const { cname } = await subscriptions.get(accountId, { id: rule.subscription_id });
      return toRule({ ...rule, plugins: changes.materialise(rule.plugins) }, cname);
    },
    async list(accountId, filter, page) {
      const { rules, count } = await repository.listRules(db, accountId, filter, page);
      if (count === 0 && filter.cname !== undefined) await subscriptions.get(accountId, { cname: filter.cname });
      const differing = await drift.countEach(rules);
      return {
        results: rules.map((rule, index) => toSummary(rule, { ...rule, differing: differing[index] ?? null })),
        count,
      };
    },
    async create(actor, rule) {
      const subscription = await subscriptions.get(actor.accountId, { cname: rule.cname });
      const taken = await secrets.take(db, actor.accountId, await pluginsFor(actor, rule, subscription.id));
      const plugins = await changes.checkPlugins(taken.plugins, subscription);
      const made = await mapNameConflict(
        runInTransaction(db, async (trx) => {
          if ((await repository.countRules(trx, actor.accountId)) >= RULES_MAX)
            throw fieldErrors({ name: 'RULES_FULL' }, { name: { maximum: RULES_MAX } });
          await secrets.keepIn(trx, actor.accountId, taken.secrets);
          const head = await repository.insertRule(trx, {
            accountId: actor.accountId,
            subscriptionId: subscription.id,
            name: rule.name,
            description: rule.description,
            lists: rule.lists,
            plugins,
            by: actor.label,
          });
          await audit(trx, actor, 'rule.create', { id: head.id, name: rule.name });
          return head;
        }),
      );
      return toRule({ ...made, plugins }, subscription.cname);
    },
    async update(actor, ruleId, revision, change) {
      const rule = await find(actor.accountId, ruleId);
      requireRevision(rule, revision);
      const subscription = await subscriptions.get(actor.accountId, { id: rule.subscription_id });
      const taken = await secrets.take(db, actor.accountId, change.plugins ?? []);
      const plugins = change.plugins && (await changes.checkPlugins(taken.plugins, subscription));
      const updated = await mapNameConflict(
        runInTransaction(db, async (trx) => {
          const locked = await repository.lockRule(trx, actor.accountId, ruleId);
          if (!locked) throw notFound();
          // The same revision has the same plugins.
          requireRevision(locked, revision);
          await secrets.keepIn(trx, actor.accountId, taken.secrets);
          const head = await repository.updateRule(trx, ruleId, { ...change, plugins }, actor.label);
          const { name, description, lists } = change;
          const configOf = (entries: readonly PluginEntry[]) => ({ ...EMPTY_CONFIG, plugins: [...entries] });
          const changed = plugins ? changedPaths(configOf(rule.plugins), configOf(plugins)) : [];
          await audit(
            trx,
            actor,
            'rule.update',
            { id: ruleId, name: name ?? locked.name },
            changed.length === 0 ? {} : { changed },
            changesOf(locked, { name, description, lists }),
          );
          return head;
        }),
      );
      return toRule({ ...updated, plugins: plugins ?? changes.materialise(rule.plugins) }, subscription.cname);
    },
    remove: (actor, ruleId, cname) =>
      runInTransaction(db, async (trx) => {
        const rule = await repository.lockRule(trx, actor.accountId, ruleId);
        if (!rule) throw notFound();
        const subscription = await subscriptions.get(actor.accountId, { cname }, trx);
        if (subscription.id !== rule.subscription_id) throw new AppError('SUBSCRIPTION_NOT_FOUND');
        await repository.deleteRule(trx, ruleId);
        await audit(trx, actor, 'rule.delete', rule);
      }),
    async listDomains(accountId, ruleId, q, page) {
      const rule = await find(accountId, ruleId);
      return drift.list(rule, q, page);
    },
    brought: (accountId, ruleId) => find(accountId, ruleId),
    async preview(accountId, ruleId, selection, page) {
      const rule = await find(accountId, ruleId);
      const { domains, count } = await select(rule, selection, page);
      const ids = domains.map(({ id }) => id);
      return { results: await changes.preview(accountId, ids, rule), count };
    },
    async apply(actor, ruleId, revision, { selection, deploy, note }) {
      const rule = await find(actor.accountId, ruleId);
      requireRevision(rule, revision);
      const { domains } = await select(rule, selection);
      if (domains.length === 0) throw fieldErrors({ selection: 'SELECTION_REQUIRED' });
      // What was previewed is what is applied, whatever the rule says once a domain's turn comes.
      const { plugins, lists } = rule;
      const params: ApplyRuleParams = { rule_id: rule.id, revision, plugins, lists, deploy, note };
      const items = domains.map(({ id, domain_name }) => ({ routeId: id, name: domain_name }));
      return runInTransaction(db, async (trx) => {
        await audit(trx, actor, 'rule.apply', rule, { domains: items.length, ...(note === '' ? {} : { note }) });
        return batches.start(trx, actor, { kind: APPLY_RULE, params: { ...params }, items });
      });
    },
  };

  /** Domains of a selection by name; a page of them, or all. */
  async function select(rule: repository.RuleRow, selection: RuleSelection, page?: Page) {
    const { account_id: accountId, subscription_id: subscriptionId } = rule;
    if (selection.applied === undefined)
      return changes.select(accountId, subscriptionId, selection, page ? { page } : {});
    if (selection.applied === 'all') {
      const count = await repository.countApplications(db, rule.id);
      return { domains: await appliedDomains(db, rule, page), count };
    }
    const all = await drift.differing(rule);
    return { domains: page ? all.slice(page.offset, page.offset + page.limit) : all, count: all.length };
  }
}
