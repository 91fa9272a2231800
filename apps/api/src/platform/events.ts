import type { WebsocketEvent } from '@cordon/contract';
import { EVENTS_KEPT_MINUTES } from '@cordon/contract';
import { sql } from 'kysely';
import type { Db, Executor } from './database.ts';

/** What changed, without what the store adds. */
export type NewEvent = Omit<WebsocketEvent, 'type' | 'event_id' | 'at'>;

/**
 * Stores an event in the caller's transaction and announces it when that commits. The account's lock makes the order
 * of ids the order of commits, so that "after id N" misses nothing; call it last in the transaction, for the lock is
 * held to its end.
 */
export const publishEvent = (db: Executor, accountId: string, event: NewEvent): Promise<void> =>
  publishEvents(db, accountId, [event]);

/** The same for many at once. */
export async function publishEvents(db: Executor, accountId: string, events: readonly NewEvent[]): Promise<void> {
  if (events.length === 0) return;
  await sql`SELECT pg_advisory_xact_lock(hashtext('events'), hashtext(${accountId}))`.execute(db);
  await db
    .insertInto('events')
    .values(
      events.map(({ slot, id, ...payload }) => ({
        account_id: accountId,
        slot,
        subject_id: id,
        payload: JSON.stringify(payload),
      })),
    )
    .execute();
}

export interface StoredEvents {
  readonly events: readonly WebsocketEvent[];
  /** False when events after the given id may have been purged already. */
  readonly isComplete: boolean;
}

const EVENTS_AT_ONCE = 500;

/** Events of an account after an id, oldest first. */
export async function readEvents(db: Db, accountId: string, afterId: number): Promise<StoredEvents> {
  const rows = await db
    .selectFrom('events')
    .select(['id', 'slot', 'subject_id', 'payload', 'at'])
    .where('account_id', '=', accountId)
    .where('id', '>', afterId)
    .orderBy('id')
    .limit(EVENTS_AT_ONCE)
    .execute();
  const { oldest } = (await sql<{ oldest: number | null }>`SELECT min(id) AS oldest FROM events`.execute(db))
    .rows[0] ?? { oldest: null };
  const events = rows.map(
    (row): WebsocketEvent => ({
      type: 'event',
      event_id: String(row.id),
      slot: row.slot,
      id: row.subject_id,
      at: row.at,
      ...row.payload,
    }),
  );
  const newest = await newestEventId(db, accountId);
  return {
    events,
    isComplete: afterId >= newest || (oldest !== null && oldest <= afterId + 1) || rows[0]?.id === afterId + 1,
  };
}

/** Id of the newest event of an account; 0 when there is none. */
export async function newestEventId(db: Db, accountId: string): Promise<number> {
  const row = await db
    .selectFrom('events')
    .select((expression) => expression.fn.max('id').as('id'))
    .where('account_id', '=', accountId)
    .executeTakeFirst();
  return row?.id ?? 0;
}

/** Forgets old events. Runs as a recurring job. */
export async function purgeEvents(db: Db): Promise<void> {
  await sql`DELETE FROM events WHERE at < now() - make_interval(mins => ${EVENTS_KEPT_MINUTES})`.execute(db);
}
