import { randomUUID } from 'node:crypto';
import {
  type Actor,
  type AuditDetails,
  type CacheClear,
  type ClearNode,
  type ClearRequest,
  type Page,
  summarizeClear,
} from '@cordon/contract';
import { auditedBy, type NewAuditLine } from '../../platform/audit.ts';
import type { Executor } from '../../platform/database.ts';
import { AppError, notFound } from '../../platform/errors.ts';
import type { NotificationHub } from '../../platform/stream.ts';
import * as repository from './clear-repository.ts';
import type { HandEarly } from './clear-stream.ts';
import { type ClearParams, hasHosts, readClear } from './clear-values.ts';
import { requireCacheable } from './require-cacheable.ts';

/** How long a call waits for nodes; those that are late go on without it. */
const WAIT_MS = 2_000;
const DAYS_KEPT = 30;

/** Clearing what nodes have stored of a domain, at once. Another account's is NOT_FOUND everywhere. */
export interface ClearService {
  /**
   * Has all nodes of the domain's czone clear, and answers when those that are live have, after 2 s at most. Throws
   * CACHE_CLEAR_NEEDS_PLAN in a free subscription, DOMAIN_NOT_DEPLOYED, DOMAIN_STATE_FORBIDS, and a code at `values.<n>` for a URL of
   * another name.
   * @param ageMs Since the call came.
   */
  clear(actor: Actor, routeId: string, request: ClearRequest, ageMs: number): Promise<CacheClear>;
  list(accountId: string, routeId: string, page: Page): Promise<{ results: CacheClear[]; count: number }>;
  get(accountId: string, routeId: string, clearId: string): Promise<CacheClear>;
  /** Notes what nodes report. */
  recordReceipts(
    node: { readonly id: string; readonly czones: readonly string[] },
    receipts: readonly { readonly clear_id: string; readonly milliseconds: number }[],
  ): Promise<void>;
  /** Job: forgets what is older than 30 days. */
  forgetOld(): Promise<void>;
  close(): void;
}

/** From there on, a URL or a tag that is like one may hold a secret: a query, parameters of a path, either escaped. */
const withoutSecret = (value: string): string => value.replace(/([?;]|%3[bf]).*/i, '$1…');
/** Lines are kept for a year: of more values the first say enough of which clear it was. */
const AUDITED_VALUES_MAX = 10;

/** What the audit log has of a clear, of one domain or by a task. */
export function clearDetails(clear: ClearRequest): AuditDetails {
  const { kind, values, entries, soft } = summarizeClear(clear);
  if (kind === 'all') return { cleared: kind, soft };
  return { cleared: kind, soft, entries, values: values.slice(0, AUDITED_VALUES_MAX).map(withoutSecret) };
}

/** The line of the audit log of a clear. @param task That it is of, where one was scheduled. */
export const clearAudit = (
  actor: Actor,
  route: { readonly id: string; readonly domain_name: string },
  clear: ClearRequest,
  task?: ClearParams['task'],
): NewAuditLine =>
  auditedBy(actor, {
    action: 'route.cache_clear',
    subject: `route ${route.id}`,
    details: {
      domain_name: route.domain_name,
      ...clearDetails(clear),
      ...(task ? { task: task.id, at: task.at } : {}),
    },
  });

/** Throws where nothing of the domain may be cleared. */
export function requireClearable(
  route: Pick<repository.ClearedRoute, 'status' | 'version_live' | 'is_suspended' | 'tier'>,
): void {
  requireCacheable(route, 'CACHE_CLEAR_NEEDS_PLAN');
  if (route.version_live === null) throw new AppError('DOMAIN_NOT_DEPLOYED');
}

/** @param milliseconds After which it had cleared; null: it has not yet. */
const toNode = (
  { name, is_live: isLive }: { readonly name: string; readonly is_live: boolean },
  milliseconds: number | null,
): ClearNode => ({
  name,
  state: milliseconds !== null ? 'cleared' : isLive ? 'waiting' : 'silent',
  milliseconds,
});

const toClear = ({ nodes, ...row }: repository.ClearRow): CacheClear => ({
  ...row,
  nodes: nodes.map((node) => toNode(node, node.milliseconds)),
});

/** A clear whose nodes are waited for. */
interface Awaited {
  /** When its call came, by performance.now(). */
  readonly since: number;
  readonly live: ReadonlySet<string>;
  readonly cleared: Map<string, number>;
  readonly done: () => void;
  /** Receipts may come before it is. */
  stored: Promise<unknown>;
}

/** @param waitMs How long a clear waits for the receipts of live nodes. */
export function createClearService(
  { db, pool, hub, handEarly }: repository.Databases & { readonly hub: NotificationHub; readonly handEarly: HandEarly },
  waitMs = WAIT_MS,
): ClearService {
  const awaited = new Map<string, Awaited>();

  function note(clearId: string, nodeId: string, milliseconds: number): void {
    const clear = awaited.get(clearId);
    if (!clear) return;
    clear.cleared.set(nodeId, Math.min(milliseconds, performance.now() - clear.since));
    if ([...clear.live].every((id) => clear.cleared.has(id))) clear.done();
  }

  async function lookAgain(executor: Executor): Promise<void> {
    for (const clearId of [...awaited.keys()])
      for (const { node_id, milliseconds } of await repository.findReceipts(executor, clearId))
        note(clearId, node_id, milliseconds);
  }

  const unsubscribe = hub.subscribe('cache_clear_receipts', (heard) => {
    // Undefined: any may have been missed.
    if (heard === undefined) return void lookAgain(db).catch(() => undefined);
    const [clearId = '', nodeId = '', milliseconds] = heard.split(' ');
    note(clearId, nodeId, Number(milliseconds));
  });

  /** Begins to listen, so that no receipt is missed; `ended` resolves when all live nodes have cleared, or it is late. */
  function wait(clearId: string, since: number, live: ReadonlySet<string>) {
    const cleared = new Map<string, number>();
    let timer: NodeJS.Timeout | undefined;
    const ended = new Promise<void>((resolve) => {
      awaited.set(clearId, { since, live, cleared, done: resolve, stored: Promise.resolve() });
      if (live.size === 0) resolve();
      timer = setTimeout(resolve, waitMs);
    });
    return {
      cleared,
      ended,
      storedBy(stored: Promise<unknown>) {
        const clear = awaited.get(clearId);
        if (clear) clear.stored = stored;
      },
      forget() {
        clearTimeout(timer);
        awaited.delete(clearId);
      },
    };
  }

  return {
    async clear(actor, routeId, request, ageMs) {
      const startedAt = performance.now();
      const route = await repository.findCleared({ db, pool }, actor.accountId, routeId, hasHosts(request.kind));
      if (!route) throw notFound();
      requireClearable(route);
      const { kind, soft } = request;
      const { shown, sent } = readClear(request)(repository.namesOf(route));
      const id = randomUUID();
      const live = new Set(route.nodes.filter((node) => node.is_live).map((node) => node.id));
      const waiting = wait(id, startedAt - ageMs, live);
      try {
        const age = () => ageMs + performance.now() - startedAt;
        handEarly(route.czone, {
          id,
          route_id: route.id,
          kind,
          values: sent,
          soft,
          age_ms: Math.round(age() * 1000) / 1000,
        });
        const stored = repository.insertClear(
          { db, pool },
          {
            ...{ id, kind, shown, sent, soft },
            ...{ account_id: route.account_id, route_id: route.id, czone: route.czone, created_by: actor.label },
          },
          clearAudit(actor, route, { kind, values: shown, soft }),
          age(),
        );
        waiting.storedBy(stored);
        const createdAt = await stored;
        await waiting.ended;
        const nodes = route.nodes.map((node) => toNode(node, waiting.cleared.get(node.id) ?? null));
        const said = summarizeClear({ kind, values: shown, soft });
        return { ...said, id, created_at: createdAt, created_by: actor.label, nodes };
      } finally {
        waiting.forget();
      }
    },
    async list(accountId, routeId, page) {
      if (!(await repository.hasRoute(db, accountId, routeId))) throw notFound();
      const { rows, count } = await repository.listClears(db, accountId, routeId, page);
      return { results: rows.map(toClear), count };
    },
    async get(accountId, routeId, clearId) {
      const row = await repository.findClear(db, accountId, routeId, clearId);
      if (!row) throw notFound();
      return toClear(row);
    },
    async recordReceipts(node, receipts) {
      const stored = receipts.flatMap(({ clear_id }) => awaited.get(clear_id)?.stored ?? []);
      // A call that waits in this process need not wait for the database as well.
      for (const { clear_id, milliseconds } of receipts)
        if (awaited.get(clear_id)?.live.has(node.id)) note(clear_id, node.id, milliseconds);
      await Promise.allSettled(stored);
      await repository.insertReceipts({ db, pool }, node, receipts);
    },
    forgetOld: () => repository.forgetClears(db, DAYS_KEPT),
    close: unsubscribe,
  };
}
