import type { PlanTier } from '@cordon/contract';
import { fieldErrors } from '@cordon/contract/app-error';
import { NODE_BANS_MAX } from '@cordon/plugin-kit/feeds';
import type { Kysely } from 'kysely';
import { countBans, findHeld, type HeldBan, lockAccount, type NewBan } from './repository.ts';
import type { BanTables } from './tables.ts';

type Db = Kysely<BanTables>;

/**
 * Bans by hand that an account may have at a time. Those of nodes (`NODE_BANS_MAX`) count apart: an account that bans many by
 * hand is protected by plugins as before.
 */
const BY_HAND_MAX: Readonly<Record<PlanTier, number>> = { free: 1000, vip: 100_000 };

/**
 * To be called first in a transaction that bans by hand. Throws TOO_MANY, with the maximum of the account's tier, where it
 * would have more bans by hand than it may; networks that are banned by hand already are not counted again.
 */
export async function requireRoom(
  trx: Db,
  accountId: string,
  tierOf: (trx: Db, accountId: string) => Promise<PlanTier>,
  given: readonly { scope: string; network: string }[],
): Promise<void> {
  await lockAccount(trx, accountId);
  const maximum = BY_HAND_MAX[await tierOf(trx, accountId)];
  const count = await countBans(trx, accountId, 'hand');
  if (count + given.length <= maximum) return;
  const known = (await findHeld(trx, given)).filter(({ plugin }) => plugin === null).length;
  if (known < given.length && count + given.length - known > maximum)
    throw fieldErrors({ networks: 'TOO_MANY' }, { networks: { maximum } });
}

/**
 * For bans that were brought back, after `lockAccount`. Throws TOO_MANY at the field where there are more than may be, by hand or
 * by nodes.
 */
export async function requireWithinLimit(
  trx: Db,
  accountId: string,
  tierOf: (trx: Db, accountId: string) => Promise<PlanTier>,
  field = 'ids',
): Promise<void> {
  const tier = await tierOf(trx, accountId);
  for (const [by, maximum] of [['hand', BY_HAND_MAX[tier]] as const, ['nodes', NODE_BANS_MAX[tier]] as const])
    if ((await countBans(trx, accountId, by)) > maximum)
      throw fieldErrors({ [field]: 'TOO_MANY' }, { [field]: { maximum } });
}

/**
 * For bans of nodes, after `lockAccount`: those that there is room for, and bans that hold longer in the place of others. Beyond
 * the limit the node that banned a client keeps it out alone.
 */
export async function fitNodeBans(
  trx: Db,
  accountId: string,
  tierOf: (trx: Db, accountId: string) => Promise<PlanTier>,
  bans: readonly NewBan[],
): Promise<{ fitting: NewBan[]; held: HeldBan[] }> {
  const scopeOf = (ban: NewBan) => ban.routeId ?? ban.accountId;
  const found = await findHeld(
    trx,
    bans.map((ban) => ({ scope: scopeOf(ban), network: ban.network })),
  );
  const known = new Map(found.map((ban) => [`${ban.scope} ${ban.network}`, ban]));
  let room = NODE_BANS_MAX[await tierOf(trx, accountId)] - (await countBans(trx, accountId, 'nodes'));
  const fitting: NewBan[] = [];
  const held: HeldBan[] = [];
  for (const ban of bans) {
    const there = known.get(`${scopeOf(ban)} ${ban.network}`);
    if (there && (there.ends_at === null || new Date(there.ends_at) >= (ban.endsAt ?? new Date(0)))) {
      held.push(there);
    } else if (there?.plugin != null || room > 0) {
      fitting.push(ban);
      if (there?.plugin == null) room -= 1;
    }
  }
  return { fitting, held };
}
