import { randomUUID } from 'node:crypto';
import type { PlanTier } from '@cordon/contract';
import { fieldErrors, notFound } from '@cordon/contract/app-error';
import { ALLOWED_FEED, BANS_FEED } from '@cordon/plugin-kit/feeds';
import { readSearch } from '@cordon/plugin-kit/network-search';
import type { CreatePluginServer } from '@cordon/plugin-kit/server';
import type { Kysely } from 'kysely';
import { readGiven } from './given.ts';
import { NETWORKS_MAX, type operations } from './operations.ts';
import * as repository from './repository.ts';
import type { AllowListTables } from './tables.ts';

type Db = Kysely<AllowListTables>;

/** Entries that an account may have at a time: nodes hold those of all accounts in one memory. */
const ENTRIES_MAX: Readonly<Record<PlanTier, number>> = { free: 1000, vip: NETWORKS_MAX };
/** How long what was removed can be brought back; as bans. */
const RESTORABLE_SECONDS = 600;
/** Rows of one statement that answers them. */
const AT_ONCE = 5_000;
/** Rows of one statement that adds them. */
const ADDED_AT_ONCE = 20_000;
/** Networks that a line of the audit log names. */
const NAMED_MAX = 20;

const unixSeconds = (time: string): number => Math.ceil(Date.parse(time) / 1000);

export const createServer: CreatePluginServer<typeof operations, AllowListTables> = (tools) => {
  const { db } = tools;

  const putEntries = (trx: Db, accountId: string, entries: readonly { network: string; until: number | null }[]) =>
    tools.putFeedEntries(
      trx,
      entries.map((entry) => ({ feed: ALLOWED_FEED, scope: accountId, ...entry })),
    );

  const maximumOf = async (trx: Db, accountId: string) => ENTRIES_MAX[await tools.tierOf(trx, accountId)];

  /** Throws TOO_MANY at the field, with the maximum of the account's plan. */
  async function requireWithinLimit(trx: Db, accountId: string, count: number, field: string): Promise<void> {
    const maximum = await maximumOf(trx, accountId);
    if (count > maximum) throw fieldErrors({ [field]: 'TOO_MANY' }, { [field]: { maximum } });
  }

  /** Adds what is no address of the list yet, a part at a time. */
  async function addNetworks(trx: Db, added: repository.NewNetworks): Promise<void> {
    const until = added.endsAt === null ? null : unixSeconds(added.endsAt);
    for (let at = 0; at < added.networks.length; at += ADDED_AT_ONCE) {
      const networks = added.networks.slice(at, at + ADDED_AT_ONCE);
      await repository.putNetworks(trx, { ...added, networks });
      await putEntries(
        trx,
        added.accountId,
        networks.map((network) => ({ network, until })),
      );
    }
  }

  return {
    handlers: {
      async listAllowedNetworks({ actor, query, page }) {
        const list = await repository.listNetworks(db, actor.accountId, readSearch(query.q), page);
        return { ...list, maximum: await maximumOf(db, actor.accountId) };
      },

      async allowNetworks({ actor, body }) {
        const { accountId } = actor;
        const { note, ends_at: endsAt } = body;
        if (endsAt !== null && Date.parse(endsAt) <= Date.now()) throw fieldErrors({ ends_at: 'INVALID' });
        // A list that is longer than the plan allows, before it is read.
        await requireWithinLimit(db, accountId, new Set(body.networks).size, 'networks');
        const given = await readGiven(body.networks, tools.inTurn);
        return tools.transaction(async (trx) => {
          await repository.lockAccount(trx, accountId);
          const before = await repository.countHolding(trx, accountId);
          const networks = await repository.findOutermost(trx, accountId, given.networks, endsAt);
          // More than there can be is refused before it is written.
          await requireWithinLimit(trx, accountId, networks.length, 'networks');
          await addNetworks(trx, { accountId, networks, note, addedBy: actor.label, endsAt, isFirst: before === 0 });
          const after = await repository.countHolding(trx, accountId);
          await requireWithinLimit(trx, accountId, after, 'networks');
          const added = after - before;
          if (networks.length > 0)
            await tools.audit(trx, actor, {
              action: 'allow-list.add',
              subject: 'account',
              details: { networks: networks.slice(0, NAMED_MAX), count: networks.length, note, until: endsAt },
            });
          return {
            added,
            replaced: networks.length - added,
            merged: given.networks.length - networks.length,
            ignored: given.ignored,
            overridden_bans: await tools.countInside(trx, accountId, {
              feed: BANS_FEED,
              within: ALLOWED_FEED,
              written: ALLOWED_FEED,
            }),
          };
        });
      },

      async removeAllowedNetworks({ actor, body }) {
        const { accountId } = actor;
        const removalId = randomUUID();
        const chosen = body.ids ?? readSearch(body.q || undefined);
        const removed = await tools.transaction(async (trx) => {
          await repository.lockAccount(trx, accountId);
          const named: string[] = [];
          let count = 0;
          for (let part = AT_ONCE; part === AT_ONCE; count += part) {
            const gone = await repository.removeNetworks(trx, accountId, chosen, removalId, AT_ONCE);
            await putEntries(
              trx,
              accountId,
              gone.map((network) => ({ network, until: 0 })),
            );
            named.push(...gone.slice(0, NAMED_MAX - named.length));
            part = gone.length;
          }
          if (count > 0)
            await tools.audit(trx, actor, {
              action: 'allow-list.remove',
              subject: 'account',
              details: { networks: named, count },
            });
          return count;
        });
        return { removed, removal_id: removalId };
      },

      async restoreAllowedNetworks({ actor, body }) {
        const { accountId } = actor;
        return tools.transaction(async (trx) => {
          await repository.lockAccount(trx, accountId);
          await repository.countHolding(trx, accountId);
          const named: string[] = [];
          const all = { restored: 0, ended: 0, taken: 0 };
          for (let part = AT_ONCE; part === AT_ONCE; ) {
            const found = await repository.restoreNetworks(
              trx,
              accountId,
              body.removal_id,
              RESTORABLE_SECONDS,
              AT_ONCE,
            );
            await putEntries(
              trx,
              accountId,
              found.restored.map(({ network, ends_at: endsAt }) => ({
                network,
                until: endsAt === null ? null : unixSeconds(endsAt),
              })),
            );
            named.push(...found.restored.slice(0, NAMED_MAX - named.length).map(({ network }) => network));
            all.restored += found.restored.length;
            all.ended += found.ended;
            all.taken += found.taken;
            part = found.taken;
          }
          if (all.taken === 0) throw notFound();
          if (all.restored > 0) {
            const after = await repository.countHolding(trx, accountId);
            await requireWithinLimit(trx, accountId, after, 'removal_id');
            await tools.audit(trx, actor, {
              action: 'allow-list.restore',
              subject: 'account',
              details: { networks: named, count: all.restored },
            });
          }
          return { restored: all.restored, ended: all.ended, replaced: all.taken - all.restored - all.ended };
        });
      },
    },

    forgetEnded: () => repository.forgetNetworks(db, RESTORABLE_SECONDS),
  };
};
