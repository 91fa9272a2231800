import { randomUUID } from 'node:crypto';
import { type Actor, formatRange, parseRange } from '@cordon/contract';
import { notFound } from '@cordon/contract/app-error';
import type { EdgeFeedEntry } from '@cordon/contract/edge-config';
import { mergeEntries } from '@cordon/plugin-kit/address-list';
import { ALLOWED_FEED, BANS_FEED } from '@cordon/plugin-kit/feeds';
import { readSearch } from '@cordon/plugin-kit/network-search';
import type { CreatePluginServer, NodeBan } from '@cordon/plugin-kit/server';
import type { Kysely } from 'kysely';
import { fitNodeBans, requireRoom, requireWithinLimit } from './limit.ts';
import type { operations } from './operations.ts';
import * as repository from './repository.ts';
import { type BanConfig, schema } from './schema.ts';

import type { BanTables } from './tables.ts';

type Db = Kysely<BanTables>;

/** A report of a node that is older than this may bring back a ban that was lifted meanwhile. */
const FORGOTTEN_AFTER_SECONDS = 86_400;
/** How long a lifted ban can be brought back. */
const RESTORABLE_SECONDS = 600;
/** Rows of one statement that answers them. */
const AT_ONCE = 5_000;
/** Networks that a line of the audit log names. */
const NAMED_MAX = 20;
/** Bans of deleted domains in one transaction. */
const ENDED_AT_ONCE = 1000;

/** Equal networks have equal texts; what is no network was refused before. */
function canonical(text: string): string {
  const range = parseRange(text);
  if (!range) throw new Error(`${text} is no network`);
  return formatRange(range);
}

const unixSeconds = (time: Date | string): number => Math.ceil(new Date(time).getTime() / 1000);

const toFeedEntry = ({ scope, network, ends_at: endsAt }: repository.RestoredBans['restored'][number]) => ({
  feed: BANS_FEED,
  scope,
  network,
  until: endsAt === null ? null : unixSeconds(endsAt),
});

function toNewBan(ban: NodeBan): repository.NewBan {
  const { accountId, route_id, network, plugin, reason, request_id, at, seconds, node } = ban;
  return {
    accountId,
    routeId: route_id,
    network: canonical(network),
    plugin,
    reason,
    requestId: request_id,
    note: '',
    bannedBy: node,
    // A node whose clock is ahead does not ban for longer.
    endsAt: new Date(Math.min(at * 1000, Date.now()) + seconds * 1000),
  };
}

/** Of several for the same network, the one that ends last: one statement cannot write a row twice. */
function lastOfEach(bans: readonly repository.NewBan[]): repository.NewBan[] {
  const last = new Map<string, repository.NewBan>();
  for (const ban of bans) {
    const key = `${ban.routeId} ${ban.network}`;
    const known = last.get(key);
    if (!known || Number(known.endsAt) < Number(ban.endsAt)) last.set(key, ban);
  }
  return [...last.values()].sort((left, right) => left.network.localeCompare(right.network, 'en'));
}

/**
 * Whether it is the ban that was lifted, or the node had not heard of the lift when it gave it. Its clock is asked only where
 * it does not say.
 */
const isBefore = (ban: NodeBan, { lifted_at, lifted_txid, request_ids }: repository.Lift): boolean => {
  if (request_ids.includes(ban.request_id)) return true;
  return ban.feeds_cursor !== undefined && lifted_txid !== null
    ? Number(ban.feeds_cursor) <= lifted_txid
    : ban.at * 1000 < Date.parse(lifted_at);
};

/**
 * Reports of bans by whether the ban was lifted after the node had given it: a node that could not reach us for a while, or
 * that has not heard our answer, reports what a person has lifted since. What holds for its network now stays as it is.
 */
async function partByLifts(trx: Db, accountId: string, bans: readonly NodeBan[]) {
  const lifts = await repository.findLifts(
    trx,
    accountId,
    bans.map(({ network }) => canonical(network)),
  );
  const liftOf = new Map(lifts.map((lift) => [`${lift.scope} ${lift.network}`, lift]));
  const isLifted = (ban: NodeBan) => {
    const lift = liftOf.get(`${ban.route_id} ${canonical(ban.network)}`);
    return lift !== undefined && isBefore(ban, lift);
  };
  const reported = bans
    .filter(isLifted)
    .map(({ route_id, network }) => ({ scope: route_id, network: canonical(network) }));
  const holding = await repository.findHeld(trx, reported);
  const lifted = reported.filter(
    (ban) => !holding.some(({ scope, network }) => scope === ban.scope && network === ban.network),
  );
  return { current: bans.filter((ban) => !isLifted(ban)), lifted };
}

export const createServer: CreatePluginServer<typeof operations, BanTables> = (tools) => {
  const { db } = tools;

  /** The domain's own default, or the plugin's for all domains. */
  async function defaultSeconds(accountId: string, routeId: string | null): Promise<number> {
    if (routeId === null) return schema.parse({}).default_timeout;
    const route = await tools.findRoute(accountId, routeId);
    if (!route) throw notFound();
    return (route.config as BanConfig).default_timeout;
  }

  const auditChange = (
    trx: Db,
    actor: Actor,
    action: 'ban.lift' | 'ban.restore',
    networks: readonly string[],
    count: number,
  ): Promise<void> =>
    tools.audit(trx, actor, { action, subject: 'account', details: { networks: networks.slice(0, NAMED_MAX), count } });

  async function auditRestored(trx: Db, actor: Actor, restored: repository.RestoredBans['restored']): Promise<void> {
    if (restored.length === 0) return;
    const networks = restored.slice(0, NAMED_MAX).map(({ network }) => network);
    await auditChange(trx, actor, 'ban.restore', networks, restored.length);
  }

  const putLifted = (trx: Db, gone: readonly { scope: string; network: string }[]) =>
    tools.putFeedEntries(
      trx,
      gone.map(({ scope, network }) => ({ feed: BANS_FEED, scope, network, until: 0 })),
    );

  const endBansOfDeleted = (): Promise<number> =>
    tools.transaction(async (trx) => {
      const gone = await repository.endBansOfDeleted(trx, ENDED_AT_ONCE);
      await putLifted(trx, gone);
      return gone.length;
    });

  return {
    handlers: {
      async listBans({ actor, query, page }) {
        const { route_id: routeId, q } = query;
        if (routeId !== undefined && !(await tools.findRoute(actor.accountId, routeId))) throw notFound();
        return repository.listBans(db, { accountId: actor.accountId, routeId, ...readSearch(q) }, page);
      },

      async addBans({ actor, body }) {
        const { accountId } = actor;
        const { route_id: routeId, note } = body;
        const fallback = await defaultSeconds(accountId, routeId);
        const seconds = body.seconds === undefined ? fallback : body.seconds;
        const endsAt = seconds === null ? null : new Date(Date.now() + seconds * 1000);
        const { networks, merged, ignored } = mergeEntries(body.networks);
        const { ids, replacedIds, allowed } = await tools.transaction(async (trx) => {
          const scope = routeId ?? accountId;
          const given = networks.map((network) => ({ scope, network }));
          await requireRoom(trx, accountId, tools.tierOf, given);
          const common = { accountId, routeId, plugin: null, reason: null, requestId: null, note, endsAt };
          const replacedIds = await repository.replaceBans(trx, accountId, given);
          const ids = await repository.putBans(
            trx,
            networks.map((network) => ({ ...common, network, bannedBy: actor.label })),
          );
          const until = endsAt && unixSeconds(endsAt);
          await tools.putFeedEntries(
            trx,
            given.map((entry) => ({ feed: BANS_FEED, ...entry, until })),
          );
          if (networks.length > 0)
            await tools.audit(trx, actor, {
              action: 'ban.add',
              subject: routeId === null ? 'account' : `route ${routeId}`,
              details: { networks: networks.slice(0, NAMED_MAX), count: networks.length, seconds, note },
            });
          const inside = { feed: BANS_FEED, within: ALLOWED_FEED, written: BANS_FEED };
          return { ids, replacedIds, allowed: await tools.countInside(trx, accountId, inside) };
        });
        return {
          banned: networks.length,
          replaced: replacedIds.length,
          merged,
          ignored,
          ids,
          replaced_ids: replacedIds,
          allowed,
          ends_at: endsAt?.toISOString() ?? null,
        };
      },

      async liftBans({ actor, body }) {
        const { accountId } = actor;
        return tools.transaction(async (trx) => {
          // A report of a node that is being taken in sees the ban or its lift, and not neither.
          await repository.lockAccount(trx, accountId);
          const gone = await repository.liftBans(trx, accountId, body.ids);
          const { restored } = await repository.restoreBans(trx, accountId, body.restore, RESTORABLE_SECONDS);
          if (restored.length > 0) await requireWithinLimit(trx, accountId, tools.tierOf);
          const back = new Set(restored.map(({ scope, network }) => `${scope} ${network}`));
          await tools.putFeedEntries(trx, [
            ...gone
              .filter(({ scope, network }) => !back.has(`${scope} ${network}`))
              .map(({ scope, network }) => ({ feed: BANS_FEED, scope, network, until: 0 })),
            ...restored.map(toFeedEntry),
          ]);
          if (gone.length > 0)
            await auditChange(
              trx,
              actor,
              'ban.lift',
              gone.slice(0, NAMED_MAX).map(({ network }) => network),
              gone.length,
            );
          await auditRestored(trx, actor, restored);
          return { lifted: gone.length, restored: restored.length };
        });
      },

      async restoreBans({ actor, body }) {
        const { accountId } = actor;
        return tools.transaction(async (trx) => {
          await repository.lockAccount(trx, accountId);
          const found = await repository.restoreBans(trx, accountId, body.ids, RESTORABLE_SECONDS);
          const { restored, ended, replaced } = found;
          if (restored.length > 0) {
            await requireWithinLimit(trx, accountId, tools.tierOf);
            await tools.putFeedEntries(trx, restored.map(toFeedEntry));
            await auditRestored(trx, actor, restored);
          }
          return { restored: restored.length, ended, replaced };
        });
      },

      async liftFoundBans({ actor, body }) {
        const { accountId } = actor;
        const { route_id: routeId } = body;
        if (routeId !== undefined && !(await tools.findRoute(accountId, routeId))) throw notFound();
        const filter = { accountId, routeId, ...readSearch(body.q || undefined) };
        const liftId = randomUUID();
        const lifted = await tools.transaction(async (trx) => {
          await repository.lockAccount(trx, accountId);
          const named: string[] = [];
          let count = 0;
          for (let part = AT_ONCE; part === AT_ONCE; count += part) {
            const gone = await repository.liftFoundBans(trx, filter, liftId, AT_ONCE);
            await putLifted(trx, gone);
            named.push(...gone.slice(0, NAMED_MAX - named.length).map(({ network }) => network));
            part = gone.length;
          }
          if (count > 0) await auditChange(trx, actor, 'ban.lift', named, count);
          return count;
        });
        return { lifted, lift_id: liftId };
      },

      async restoreFoundBans({ actor, body }) {
        const { accountId } = actor;
        return tools.transaction(async (trx) => {
          await repository.lockAccount(trx, accountId);
          const named: string[] = [];
          const all = { restored: 0, ended: 0, replaced: 0 };
          let taken = 0;
          for (let part = AT_ONCE; part === AT_ONCE; taken += part) {
            const ids = await repository.findOfLift(trx, accountId, body.lift_id, RESTORABLE_SECONDS, AT_ONCE);
            const found = await repository.restoreBans(trx, accountId, ids, RESTORABLE_SECONDS);
            await tools.putFeedEntries(trx, found.restored.map(toFeedEntry));
            named.push(...found.restored.slice(0, NAMED_MAX - named.length).map(({ network }) => network));
            all.restored += found.restored.length;
            all.ended += found.ended;
            all.replaced += found.replaced;
            part = ids.length;
          }
          if (taken === 0) throw notFound();
          if (all.restored > 0) {
            await requireWithinLimit(trx, accountId, tools.tierOf, 'lift_id');
            await auditChange(trx, actor, 'ban.restore', named, all.restored);
          }
          return all;
        });
      },
    },

    async recordBans(given) {
      for (const accountId of new Set(given.map((ban) => ban.accountId))) {
        const bans = given.filter((ban) => ban.accountId === accountId);
        await tools.transaction(async (trx) => {
          await repository.lockAccount(trx, accountId);
          const { current, lifted } = await partByLifts(trx, accountId, bans);
          const { fitting, held } = await fitNodeBans(trx, accountId, tools.tierOf, lastOfEach(current.map(toNewBan)));
          const kept = fitting.length > 0 ? await repository.putNodeBans(trx, fitting) : [];
          const entries = new Map<string, EdgeFeedEntry>();
          const put = (scope: string, network: string, until: number | null) =>
            entries.set(`${scope} ${network}`, { feed: BANS_FEED, scope, network, until });
          for (const { scope, network } of lifted) put(scope, network, 0);
          // What holds counts before the lift of an older one. Also what holds longer is sent again: the node that reported its
          // own may not know of it.
          for (const { scope, network, ends_at } of [...kept, ...held])
            put(scope, network, ends_at === null ? null : unixSeconds(ends_at));
          await tools.putFeedEntries(trx, [...entries.values()]);
        });
      }
    },

    async forgetEnded() {
      // They are neither listed nor counted: without an end they would stay for ever.
      while ((await endBansOfDeleted()) >= ENDED_AT_ONCE);
      await repository.forgetBans(db, FORGOTTEN_AFTER_SECONDS);
    },
  };
};
