import { changesOf } from '../../platform/audit.ts';
import { forEachConcurrently } from '../../platform/concurrency-limit.ts';
import { AppError, fieldErrors, notFound } from '../../platform/errors.ts';
import { groupBy } from '../../platform/group-by.ts';
import {
  type BatchContext,
  type BatchKind,
  type BatchOutcome,
  type BatchUndo,
  type BatchWork,
  type DoneItem,
  standingsOf,
  UNCHANGED,
} from '../batches/service.ts';
import type { GroupService } from '../groups/service.ts';
import type { NameRules } from '../names/service.ts';
import {
  type DeployService,
  type OperationRow,
  type Publication,
  type Restorable,
  requireNamesThatMayGoLive,
  requireResumable,
  undoByRestore,
} from '../publishing/service.ts';
import {
  auditRoutes,
  findRoutesByIds,
  findStandings,
  lockRoutes,
  namesOfRoutes,
  type RouteRow,
  requireChangeable,
  stateForbids,
} from '../routes/service.ts';
import type { SubscriptionService } from '../subscriptions/service.ts';
import type { ConfigCheck } from './config-check.ts';

export interface BulkParts {
  readonly db: Parameters<typeof findRoutesByIds>[0];
  readonly subscriptions: SubscriptionService;
  readonly configCheck: ConfigCheck;
  readonly deploys: DeployService;
  readonly groups: GroupService;
  readonly publication: Pick<Publication, 'announce'>;
  readonly rules: Pick<NameRules, 'faultOf'>;
}

/** Parameters of every bulk batch. */
export interface BulkParams extends Record<string, unknown> {
  /** Of the subscription that the domains must be of. */
  readonly subscription_id?: string;
  readonly group_id?: string;
  readonly note?: string;
  /** Of `clear_cache`. */
  readonly soft?: boolean;
}

/** The revision of the draft that was checked before the transaction; undefined where nothing is to be checked. */
type Checked = number | undefined;
type Done = ReadonlyMap<string, BatchOutcome | AppError>;

/** Several at a time: most of a check waits for DNS. */
const CHECKS_AT_ONCE = 25;

/** The error of a check that throws; undefined when it does not. */
function errorOf(check: () => void): AppError | undefined {
  try {
    check();
    return undefined;
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
}

/** What a batch left of a domain: an undo leaves what was changed since alone. */
interface UndoInput {
  readonly left?: Partial<Pick<RouteRow, 'operation_id' | 'group_id'>>;
}

function requireAsLeft(route: RouteRow, input: unknown): void {
  const { left = {} } = (input ?? {}) as UndoInput;
  const { operation_id = route.operation_id, group_id = route.group_id } = left;
  if (operation_id !== route.operation_id || group_id !== route.group_id) throw new AppError('CHANGED_SINCE');
}

const idsOf = (items: readonly DoneItem[]) => items.map(({ routeId }) => routeId);

/** The group that a batch moved a domain to: batches of before this was noted were given it, each domain or all. */
const movedTo = ({ input, result }: DoneItem, params: Readonly<Record<string, unknown>>): unknown =>
  result.group_id ?? (input as { group_id?: string } | null)?.group_id ?? params.group_id;

/** What a batch may do with a locked route; throws what the same call for that domain alone would. */
type Admit = (route: RouteRow, checked: Checked) => void;
/** Whether another call has brought it about meanwhile; undefined: the domain is gone. */
type IsDone = (route: RouteRow | undefined) => boolean;
/** Does it with those admitted; `inputs` of items, by route. Publishes last. */
type Do = (context: BatchContext, routes: RouteRow[], inputs: ReadonlyMap<string, unknown>) => Promise<Done>;

const started = (outcomes: ReadonlyMap<string, OperationRow | AppError>): Done =>
  new Map(
    [...outcomes].map(([routeId, outcome]) => [
      routeId,
      outcome instanceof AppError ? outcome : { operationId: outcome.id },
    ]),
  );

/** Notes what an undo of a deploy needs. */
function withBefore(outcome: BatchOutcome | AppError, route: RouteRow | undefined): BatchOutcome | AppError {
  if (outcome instanceof AppError || !route) return outcome;
  const undo: Restorable = {
    revision: route.draft_revision,
    version_before: route.version_live,
    changed: false,
    was_served: route.status === 'running' && route.version_live !== null,
  };
  return { ...outcome, undo };
}

/** A kind that does everything in a few statements for a whole piece of the batch. */
function createRoutesKind(
  name: string,
  admit: Admit,
  work: Do,
  {
    isDone = () => false,
    ...also
  }: Pick<BatchKind<Checked>, 'prepareMany' | 'undo'> & { readonly isDone?: IsDone } = {},
): BatchKind<Checked> {
  async function runMany(
    context: BatchContext,
    items: readonly { readonly item: BatchWork; readonly prepared: Checked }[],
  ): Promise<(BatchOutcome | AppError)[]> {
    const { subscription_id } = context.params as BulkParams;
    const ids = [...new Set(items.flatMap(({ item }) => item.routeId ?? []))];
    const rows = await lockRoutes(context.executor, context.actor.accountId, ids);
    const routes = new Map(rows.map((route) => [route.id, route]));
    const admitted: RouteRow[] = [];
    const settled = new Map<number, BatchOutcome | AppError>();
    for (const { item, prepared } of items) {
      const route = routes.get(item.routeId ?? '');
      const isUnchanged = item.routeId !== null && isDone(route);
      const error =
        route === undefined
          ? isUnchanged
            ? undefined
            : notFound()
          : subscription_id !== undefined && route.subscription_id !== subscription_id
            ? new AppError('SUBSCRIPTION_NOT_FOUND')
            : errorOf(() => {
                requireAsLeft(route, item.input);
                if (!isUnchanged) admit(route, prepared);
              });
      if (error) settled.set(item.position, error);
      else if (isUnchanged) settled.set(item.position, { result: UNCHANGED });
      else if (route) admitted.push(route);
    }
    const inputs = new Map(items.map(({ item }) => [item.routeId ?? '', item.input]));
    const done = admitted.length === 0 ? new Map() : await work(context, admitted, inputs);
    return items.map(({ item }) => settled.get(item.position) ?? done.get(item.routeId ?? '') ?? {});
  }
  return {
    name,
    runMany,
    ...also,
    run: async (context, item, prepared) => {
      const [outcome] = await runMany(context, [{ item, prepared }]);
      if (outcome instanceof AppError) throw outcome;
      return outcome ?? {};
    },
  };
}

/** What the console does to many domains: deploy, resume, deactivate, delete, move to a group. */
export function createBulkKinds({
  db,
  subscriptions,
  configCheck,
  deploys,
  groups,
  publication,
  rules,
}: BulkParts): BatchKind<Checked>[] {
  /** Checks each draft as a deploy does: plan and DNS may have changed since it was saved. */
  const checkDrafts: BatchKind<Checked>['prepareMany'] = async ({ actor }, items) => {
    const rows = await findRoutesByIds(
      db,
      actor.accountId,
      items.flatMap((item) => item.routeId ?? []),
    );
    const limits = new Map<string, Awaited<ReturnType<SubscriptionService['get']>>>();
    for (const id of groupBy(rows, (route) => route.subscription_id).keys())
      limits.set(id, await subscriptions.get(actor.accountId, { id }));
    const names = groupBy(
      rows.length === 0
        ? []
        : await namesOfRoutes(
            db,
            rows.map((route) => route.id),
          ),
      (name) => name.route_id,
    );
    const results = new Map<string, Checked | AppError>();
    await forEachConcurrently(rows, CHECKS_AT_ONCE, async (route) => {
      const limit = limits.get(route.subscription_id);
      if (!limit) return;
      try {
        requireNamesThatMayGoLive(rules.faultOf, names.get(route.id) ?? []);
        await configCheck.check(route.draft, limit, {
          accountId: route.account_id,
          name: route.domain_name,
          routeId: route.id,
        });
        results.set(route.id, route.draft_revision);
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
        results.set(route.id, error);
      }
    });
    return items.map((item) => results.get(item.routeId ?? ''));
  };

  /** Brings domains back to a status; the operation tells whether they were deployed or switched since. */
  const undoTo = (kind: 'resume' | 'deactivate', status: RouteRow['status']): BatchUndo => ({
    kind,
    inputOf: ({ operationId }): UndoInput => (operationId === null ? {} : { left: { operation_id: operationId } }),
    findStandings: async (executor, accountId, items) =>
      standingsOf(await findStandings(executor, accountId, idsOf(items)), items, (route, { operationId }) =>
        route.status === status
          ? 'as_before'
          : operationId === null || route.operation_id === operationId
            ? 'as_left'
            : undefined,
      ),
  });

  const deploy = createRoutesKind(
    'deploy',
    (route, checked) => {
      requireChangeable(route);
      if (route.draft_revision !== checked) throw new AppError('STALE_REVISION');
    },
    async ({ executor, actor, params }, admitted) => {
      const { note = '' } = params as BulkParams;
      const before = new Map(admitted.map((route) => [route.id, route]));
      const outcomes = started(await deploys.deployMany(executor, actor, admitted, { note }));
      return new Map([...outcomes].map(([id, outcome]) => [id, withBefore(outcome, before.get(id))]));
    },
    { prepareMany: checkDrafts, undo: undoByRestore },
  );

  const deactivate = createRoutesKind(
    'deactivate',
    (route) => {
      requireChangeable(route);
      if (route.status !== 'running') throw stateForbids(route.status);
    },
    async ({ executor, actor }, admitted) => started(await deploys.deactivateMany(executor, actor, admitted)),
    {
      isDone: (route) => route !== undefined && route.status !== 'running' && route.status !== 'deleting',
      undo: undoTo('resume', 'running'),
    },
  );

  const resume = createRoutesKind(
    'resume',
    requireResumable,
    async ({ executor, actor }, admitted) => started(await deploys.resumeMany(executor, actor, admitted)),
    { isDone: (route) => route?.status === 'running', undo: undoTo('deactivate', 'deactivated') },
  );

  const remove = createRoutesKind(
    'delete',
    () => undefined,
    async ({ executor, actor }, admitted) => {
      const operations = await deploys.removeMany(executor, actor, admitted);
      return new Map([...operations].map(([routeId, operationId]) => [routeId, { operationId }]));
    },
    { isDone: (route) => route === undefined || route.status === 'deleting' },
  );

  async function moveTo(groupId: string, { executor, actor }: BatchContext, moved: readonly RouteRow[]): Promise<Done> {
    const ids = moved.map((route) => route.id);
    const group = await groups.hold(executor, actor.accountId, groupId);
    if (!group) return new Map(ids.map((id) => [id, fieldErrors({ group_id: 'GROUP_GONE' })]));
    await groups.moveIn(executor, ids, groupId);
    const nameOf = new Map((await groups.list(actor.accountId)).map(({ id, name }) => [id, name]));
    await auditRoutes(executor, actor, 'route.move_group', moved, undefined, (route) =>
      changesOf({ group: nameOf.get(route.group_id) ?? null }, { group: group.name }),
    );
    await publication.announce(
      executor,
      ids.map((routeId) => ({ routeId })),
    );
    return new Map(
      moved.map((route) => [route.id, { result: { group_id_before: route.group_id, group_id: groupId } }]),
    );
  }

  const move = createRoutesKind(
    'move_group',
    () => undefined,
    async (context, admitted, inputs) => {
      const { group_id = '' } = context.params as BulkParams;
      const targetOf = (route: RouteRow) =>
        (inputs.get(route.id) as { group_id?: string } | null)?.group_id ?? group_id;
      const done = new Map<string, BatchOutcome | AppError>();
      for (const [target, moved] of groupBy(admitted, targetOf))
        for (const [id, outcome] of await moveTo(target, context, moved)) done.set(id, outcome);
      return done;
    },
    {
      undo: {
        kind: 'move_group',
        inputOf(item, params) {
          return { group_id: item.result.group_id_before, left: { group_id: movedTo(item, params) } };
        },
        findStandings: async (executor, accountId, items, params) =>
          standingsOf(await findStandings(executor, accountId, idsOf(items)), items, (route, item) =>
            route.group_id === item.result.group_id_before
              ? 'as_before'
              : route.group_id === movedTo(item, params)
                ? 'as_left'
                : undefined,
          ),
      },
    },
  );
  return [deploy, resume, deactivate, remove, move];
}
