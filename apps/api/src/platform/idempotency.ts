import { createHmac, randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import type { FastifyRequest } from 'fastify';
import { sql } from 'kysely';
import { type Db, type Executor, endingTransactionsWith } from './database.ts';
import { AppError } from './errors.ts';
import type { Log } from './log.ts';
import type { SecretBox } from './secrets.ts';

interface Answer {
  readonly status: number;
  readonly payload: string;
}

/**
 * Idempotency-Key (product design, "API"): the same key and request is answered once more with the first answer. Where a
 * process died between the change and its answer, the request is answered ANSWER_LOST instead of being done again.
 */
export interface Idempotency {
  run(req: FastifyRequest, answer: () => Promise<Answer>): Promise<Answer & { isReplay: boolean }>;
}

const KEY_HOURS = 24;
/** A claim that is not renewed for so long died with its process. */
const HELD_MS = 15_000;
/** How often a claim is renewed in that time: several renewals may fail. */
const RENEWALS = 6;

/** How often, and how far apart, an answer is looked for that is about to be kept. */
const KEEPING_LOOKS = 20;
const KEEPING_LOOK_MS = 50;

const stillRunning = () =>
  new AppError('OPERATION_RUNNING', { message: 'The first request with this Idempotency-Key is still running.' });

/**
 * Keys belong to the account. Answers are kept sealed, as they may hold what is shown once. A failure has changed
 * nothing and is not kept: trying again is what the key is for.
 * @param heldMs For tests.
 */
export function createIdempotency(
  db: Db,
  secrets: SecretBox,
  log: Pick<Log, 'warn'>,
  heldMs: number = HELD_MS,
): Idempotency {
  const hashKey = secrets.derive('idempotency-requests');
  const contextOf = (account: string, key: string) => `idempotency/${account}/${key}`;

  const look = (account: string, key: string) =>
    db
      .selectFrom('idempotency_keys')
      .select(['request_hash', 'status', 'response', 'carried_out'])
      .select(sql<boolean>`held_until < clock_timestamp()`.as('is_abandoned'))
      .where('account_id', '=', account)
      .where('key', '=', key)
      .executeTakeFirst();
  const isBeingKept = (kept: Awaited<ReturnType<typeof look>>) =>
    kept?.status === null && kept.carried_out && !kept.is_abandoned;

  /** The kept answer; undefined when the caller is the first and has claimed the key. */
  async function take(account: string, key: string, hash: Buffer, claim: string): Promise<Answer | undefined> {
    const heldUntil = sql`clock_timestamp() + make_interval(secs => ${heldMs / 1000})`;
    // Not waited for on disk: what it guards is committed after it, and takes it along.
    const claimed = await sql<{ claimed: boolean }>`
      INSERT INTO idempotency_keys (account_id, key, request_hash, claim, held_until)
      SELECT ${account}, ${key}, ${hash}, ${claim}, ${heldUntil}
      FROM set_config('synchronous_commit', 'off', true)
      ON CONFLICT (account_id, key) DO UPDATE
        SET request_hash = excluded.request_hash, status = NULL, response = NULL, carried_out = false,
          created_at = clock_timestamp(), claim = excluded.claim, held_until = excluded.held_until
        WHERE (idempotency_keys.status IS NOT NULL OR idempotency_keys.held_until < clock_timestamp())
          AND (idempotency_keys.created_at < clock_timestamp() - make_interval(hours => ${KEY_HOURS})
            OR (idempotency_keys.status IS NULL AND NOT idempotency_keys.carried_out
              AND idempotency_keys.request_hash = excluded.request_hash))
      RETURNING true AS claimed`.execute(db);
    if (claimed.rows.length > 0) return undefined;
    let kept = await look(account, key);
    // Its answer is being made, or was sent and is being kept by another process.
    for (let left = KEEPING_LOOKS; left > 0 && isBeingKept(kept); left--) {
      await setTimeout(KEEPING_LOOK_MS);
      kept = await look(account, key);
    }
    if (!kept?.request_hash.equals(hash)) throw new AppError('IDEMPOTENCY_KEY_REUSED');
    if (kept.status === null && kept.carried_out && kept.is_abandoned) throw new AppError('ANSWER_LOST');
    if (kept.status === null || kept.response === null) throw stillRunning();
    return { status: kept.status, payload: secrets.open(kept.response, contextOf(account, key)).toString() };
  }

  const ofClaim = (account: string, key: string, claim: string) => ({ account_id: account, key, claim });

  const keep = (account: string, key: string, claim: string, { status, payload }: Answer) =>
    db
      .updateTable('idempotency_keys')
      .set({ status, response: secrets.seal(payload, contextOf(account, key)) })
      .where((at) => at.and(ofClaim(account, key, claim)))
      .execute();

  /** Runs the request, and holds its claim meanwhile. */
  async function hold(account: string, key: string, claim: string, answer: () => Promise<Answer>) {
    const renew = () =>
      db
        .updateTable('idempotency_keys')
        .set({ held_until: sql<string>`clock_timestamp() + make_interval(secs => ${heldMs / 1000})` })
        .where((at) => at.and(ofClaim(account, key, claim)))
        .execute()
        .catch((err) => log.warn({ err }, 'the claim of an Idempotency-Key could not be renewed'));
    let isOver = false;
    let isCarriedOut = false;
    /** In the transaction of the change, so that there is neither without the other. */
    const carryOut = async (trx: Executor) => {
      // What goes on in the background is no part of the request.
      if (isOver) return;
      const { numUpdatedRows } = await trx
        .updateTable('idempotency_keys')
        .set({ carried_out: true })
        .where((at) => at.and(ofClaim(account, key, claim)))
        .executeTakeFirst();
      // The claim was not renewed in time, and another has it.
      if (numUpdatedRows === 0n) throw stillRunning();
      isCarriedOut = true;
    };
    const timer = setInterval(() => void renew(), heldMs / RENEWALS);
    try {
      const result = await endingTransactionsWith(carryOut, answer);
      return { result, isCarriedOut };
    } finally {
      isOver = true;
      clearInterval(timer);
    }
  }

  return {
    async run(req, answer) {
      const key = req.headers['idempotency-key'];
      const { principal } = req;
      if (key === undefined || req.method === 'GET' || !principal || principal.kind === 'machine')
        return { ...(await answer()), isReplay: false };
      if (typeof key !== 'string' || !/^[\x21-\x7e]{1,255}$/.test(key))
        throw new AppError('BAD_REQUEST', { message: 'Idempotency-Key must be 1 to 255 visible ASCII characters.' });
      const account = principal.account_id;
      // Of a request with a secret, a plain hash would let it be guessed from the table.
      const hash = createHmac('sha256', hashKey)
        .update(`${req.method} ${req.url}\n${req.headers['if-match'] ?? ''}\n${JSON.stringify(req.body ?? null)}`)
        .digest();
      const claim = randomUUID();
      const kept = await take(account, key, hash, claim);
      if (kept) return { ...kept, isReplay: true };
      let held: Awaited<ReturnType<typeof hold>>;
      try {
        held = await hold(account, key, claim, answer);
      } catch (error) {
        await db
          .deleteFrom('idempotency_keys')
          .where((at) => at.and(ofClaim(account, key, claim)))
          .execute();
        throw error;
      }
      const { result, isCarriedOut } = held;
      // What is known to be carried out is never done again: its answer need not wait until it is kept.
      if (isCarriedOut)
        setImmediate(() =>
          keep(account, key, claim, result).catch((err) =>
            log.warn({ err }, 'the answer of an Idempotency-Key could not be kept'),
          ),
        );
      else await keep(account, key, claim, result);
      return { ...result, isReplay: false };
    },
  };
}

/** Forgets keys whose time is over. Runs as a recurring job. */
export async function purgeIdempotencyKeys(db: Db): Promise<void> {
  await sql`DELETE FROM idempotency_keys WHERE created_at < now() - make_interval(hours => ${KEY_HOURS})`.execute(db);
}
