import { createHash } from 'node:crypto';
import {
  type Actor,
  type Batch,
  BULK_PREVIEW_NAMED_MAX,
  type BulkAction,
  type BulkEffect,
  type BulkPreview,
  bulkEffect,
  parseDomainName,
} from '@cordon/contract';
import type pg from 'pg';
import { type Db, type Executor, runInTransaction } from '../../platform/database.ts';
import { AppError, fieldErrors, notFound } from '../../platform/errors.ts';
import type { BatchService, NewBatch } from '../batches/service.ts';
import type { GroupService } from '../groups/service.ts';
import type { SubscriptionService } from '../subscriptions/service.ts';
import { type BulkTask, effectOf } from './bulk-effect.ts';
import type { BulkParams } from './bulk-kinds.ts';
import type { RouteFilter } from './list-conditions.ts';
import { findByIds, findMatching, findNamed, type Selected } from './list-repository.ts';

export interface BulkRequest {
  readonly action: BulkAction;
  readonly selection:
    | { readonly names: readonly string[] }
    | { readonly filter: RouteFilter }
    | { readonly routeIds: readonly string[] };
  readonly cname: string | undefined;
  readonly group_id: string | undefined;
}

/** What was confirmed of what a preview has shown. */
export interface PreviewedRequest extends BulkRequest {
  /** Of the preview that was confirmed; undefined: none was. */
  readonly digest: string | undefined;
}

/** One thing done to many domains of an account, as a batch with a result for each. */
export interface BulkService {
  /**
   * Throws SELECTION_EMPTY at `selection`, SUBSCRIPTION_NOT_FOUND for `cname`, NOT_FOUND for `group_id`, each also for
   * another account's. A name that is none of the account's domains fails in the batch; a domain that is as asked
   * already is left out, SELECTION_UNCHANGED at `selection` where all are; SELECTION_CHANGED there when it is not what was previewed.
   * CACHE_CLEAR_NEEDS_PLAN where caches are to be cleared of free domains only; NOT_FOUND for an id that is none of the account's.
   */
  start(actor: Actor, request: PreviewedRequest & { readonly note: string; readonly soft: boolean }): Promise<Batch>;
  /** The items of the batch that `start` would begin; throws what it does. */
  plan(actor: Actor, request: PreviewedRequest): Promise<NewBatch['items']>;
  /** What `start` would do to each domain; throws what it does for another account's objects. */
  preview(actor: Actor, request: BulkRequest): Promise<BulkPreview>;
}

export interface BulkServiceParts {
  readonly db: Db;
  readonly pool: pg.Pool;
  readonly subscriptions: SubscriptionService;
  readonly batches: BatchService;
  readonly groups: GroupService;
  /** What a deletion of the routes would make of what is scheduled for them. */
  readonly countLeavable: (
    executor: Executor,
    accountId: string,
    routeIds: readonly string[],
  ) => Promise<BulkPreview['tasks']>;
}

/** A domain of the selection, or the name of none. */
interface Chosen {
  readonly name: string;
  readonly domain: Selected | undefined;
  readonly effect: BulkEffect;
}

/** Others than these, or drafts that nobody has looked at, have another one. */
function digestOf(chosen: readonly Chosen[]): string {
  const hash = createHash('sha256');
  for (const { name, domain, effect } of chosen)
    if (effect !== 'nothing') hash.update(`${domain?.id ?? name} ${effect} ${domain?.draft_revision ?? ''}\n`);
  return hash.digest('base64url');
}

const isRefused = (effect: BulkEffect): boolean =>
  (
    ['suspended', 'deleting', 'other_subscription', 'not_found', 'needs_plan'] satisfies BulkEffect[] as BulkEffect[]
  ).includes(effect);
/** What fails comes first, what is left out last. */
const placeOf = ({ effect }: Chosen): number => (isRefused(effect) ? 0 : effect === 'nothing' ? 2 : 1);

export function createBulkService(parts: BulkServiceParts): BulkService {
  const { db, pool, subscriptions, batches, groups, countLeavable } = parts;
  async function select(actor: Actor, selection: BulkRequest['selection']) {
    if ('filter' in selection)
      return (await findMatching(pool, selection.filter)).map((domain) => ({ name: domain.name, domain }));
    if ('routeIds' in selection) {
      const ids = [...new Set(selection.routeIds)];
      const known = await findByIds(pool, actor.accountId, ids);
      if (known.length < ids.length) throw notFound();
      return known.map((domain) => ({ name: domain.name, domain }));
    }
    // As typed: what cannot be a name is reported as not found, like one that no account has.
    const asked = [
      ...new Set(
        selection.names.map((text) => {
          // As DNS writes it, with a dot at the end.
          const parsed = parseDomainName(text.trim().replace(/\.$/, ''));
          return parsed.ok ? parsed.name : text;
        }),
      ),
    ];
    const found = new Map((await findNamed(pool, actor.accountId, asked)).map((domain) => [domain.name, domain]));
    return asked.map((name) => ({ name, domain: found.get(name) }));
  }

  async function choose(
    actor: Actor,
    { action, selection, cname, group_id }: BulkRequest,
  ): Promise<{ task: BulkTask; chosen: Chosen[] }> {
    const subscription = cname === undefined ? undefined : await subscriptions.get(actor.accountId, { cname });
    if (group_id !== undefined) await groups.get(actor.accountId, group_id);
    const task = { action, subscriptionId: subscription?.id, groupId: group_id };
    const chosen = await select(actor, selection);
    return { task, chosen: chosen.map((one) => ({ ...one, effect: effectOf(task, one.domain) })) };
  }

  function itemsOf(chosen: readonly Chosen[], digest: string | undefined): NewBatch['items'] {
    if (chosen.length === 0) throw fieldErrors({ selection: 'SELECTION_EMPTY' });
    if (chosen.every(({ effect }) => effect === 'needs_plan')) throw new AppError('CACHE_CLEAR_NEEDS_PLAN');
    const items = chosen
      .filter(({ effect }) => effect !== 'nothing')
      .map(({ name, domain }) => (domain === undefined ? { name } : { routeId: domain.id, name }));
    if (items.length === 0) throw fieldErrors({ selection: 'SELECTION_UNCHANGED' });
    if (digest !== undefined && digest !== digestOf(chosen)) throw fieldErrors({ selection: 'SELECTION_CHANGED' });
    return items;
  }

  return {
    plan: async (actor, request) => itemsOf((await choose(actor, request)).chosen, request.digest),
    async start(actor, request) {
      const { task, chosen } = await choose(actor, request);
      const items = itemsOf(chosen, request.digest);
      const params: BulkParams = {
        ...(task.subscriptionId === undefined ? {} : { subscription_id: task.subscriptionId }),
        ...(task.groupId === undefined ? {} : { group_id: task.groupId }),
        ...(request.note === '' ? {} : { note: request.note }),
        ...(request.soft ? { soft: true } : {}),
      };
      return runInTransaction(db, (executor) => batches.start(executor, actor, { kind: task.action, params, items }));
    },
    async preview(actor, request) {
      const { chosen } = await choose(actor, request);
      const counts = bulkEffect.options
        .map((effect) => ({ effect, count: chosen.filter((one) => one.effect === effect).length }))
        .filter(({ count }) => count > 0);
      const items = chosen
        .toSorted((a, b) => placeOf(a) - placeOf(b))
        .slice(0, BULK_PREVIEW_NAMED_MAX)
        .map(({ name, domain, effect }) => ({
          route_id: domain?.id ?? null,
          name,
          effect,
          status: domain?.status ?? null,
          pending_changes: domain?.pending_changes ?? 0,
          version_live: domain?.version_live ?? null,
          group_id: domain?.group_id ?? null,
          changed_since: domain?.is_changed_since ?? false,
        }));
      const included = chosen.filter(({ effect }) => effect !== 'nothing').length;
      const changed_since = chosen.filter(({ domain }) => domain?.is_changed_since).length;
      const deleted = chosen.flatMap(({ domain, effect }) => (effect === 'delete' && domain ? domain.id : []));
      const tasks = deleted.length > 0 ? await countLeavable(db, actor.accountId, deleted) : { cancelled: 0, left: 0 };
      return { total: chosen.length, included, counts, changed_since, tasks, items, digest: digestOf(chosen) };
    },
  };
}
