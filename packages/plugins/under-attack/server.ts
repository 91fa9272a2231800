import type { Actor } from '@cordon/contract';
import { notFound } from '@cordon/contract/app-error';
import { ATTACK_FEED } from '@cordon/plugin-kit/feeds';
import type { BusyRoute, CreatePluginServer } from '@cordon/plugin-kit/server';
import type { Kysely } from 'kysely';
import type { operations } from './operations.ts';
import * as repository from './repository.ts';
import { schema } from './schema.ts';
import type { UnderAttackTables } from './tables.ts';

type Db = Kysely<UnderAttackTables>;

/** Whose name stands in the audit log where nobody has acted. */
const systemOf = (accountId: string) => ({ accountId, kind: 'system', label: 'Cordon' }) as const;

/** All visitors: the feed says where and until when, not who. */
const EVERYONE = ['0.0.0.0/0', '::/0'];

/** For how long an end can be taken back; as bans. */
const RESTORABLE_SECONDS = 600;

/** When the mode starts by itself, how long after the last surge it ends, and how long it rests after a user has ended it. */
const AUTOMATIC = {
  requestsMin: 600,
  usualTimes: 5,
  /** Of a domain without a history. */
  newRequestsMin: 6_000,
  lastsMs: 15 * 60_000,
  pauseMs: 60 * 60_000,
} as const;

export const createServer: CreatePluginServer<typeof operations, UnderAttackTables> = (tools) => {
  const { db } = tools;

  /** The domain's name; null for the whole account. */
  async function nameOf(accountId: string, routeId: string | null): Promise<string | null> {
    if (routeId === null) return null;
    const route = await tools.findRoute(accountId, routeId);
    if (!route) throw notFound();
    return route.domain_name;
  }

  const putUntil = (trx: Db, scope: string, until: number) =>
    tools.putFeedEntries(
      trx,
      EVERYONE.map((network) => ({ feed: ATTACK_FEED, scope, network, until })),
    );
  const subjectOf = (routeId: string | null) => (routeId === null ? 'account' : `route ${routeId}`);

  /** When they end is not known from their start: they go on as long as the surge does. */
  async function auditEnded(trx: Db, scope?: { readonly accountId: string; readonly routeId: string | null }) {
    for (const { account_id: accountId, route_id: routeId } of await repository.takeEnded(trx, scope))
      await tools.audit(trx, systemOf(accountId), {
        action: 'under-attack.end',
        subject: subjectOf(routeId),
        details: {},
      });
  }

  /** Writes the mode, tells the nodes, and, unless it only goes on, the audit log. */
  async function begin(trx: Db, actor: Actor, mode: repository.StartedMode, isNew = true) {
    const { accountId, routeId, endsAt } = mode;
    await auditEnded(trx, { accountId, routeId });
    const began = await repository.putMode(trx, mode);
    await putUntil(trx, routeId ?? accountId, Math.ceil(endsAt.getTime() / 1000));
    if (isNew)
      await tools.audit(trx, actor, {
        action: 'under-attack.start',
        subject: subjectOf(routeId),
        details: { seconds: Math.round((endsAt.getTime() - Date.now()) / 1000), until: endsAt.toISOString() },
      });
    return began;
  }

  /** Starts the mode of a domain that asks for it, or lets it go on, unless a user has decided otherwise. */
  async function startAutomatically({ account_id: accountId, route_id: routeId, requests, usual }: BusyRoute) {
    const route = await tools.findRoute(accountId, routeId);
    if (!route?.isEnabled || !route.isServed || !schema.parse(route.config).automatic) return;
    const endsAt = new Date(Date.now() + AUTOMATIC.lastsMs);
    await tools.transaction(async (trx) => {
      await repository.lockModes(trx, accountId);
      const starters = await repository.startersOf(trx, accountId, routeId);
      if (starters.some((startedBy) => startedBy !== '')) return;
      if ((await repository.restsUntil(trx, routeId)) !== null) return;
      const mode = { accountId, routeId, startedBy: '', endsAt, requests, usual };
      await begin(trx, systemOf(accountId), mode, starters.length === 0);
    });
  }

  return {
    handlers: {
      async listAttackModes({ actor, query }) {
        const { route_id: routeId } = query;
        if (routeId !== undefined) await nameOf(actor.accountId, routeId);
        return repository.listModes(db, actor.accountId, routeId);
      },

      async getAttackRest({ actor, query: { route_id: routeId } }) {
        await nameOf(actor.accountId, routeId);
        return { until: await repository.restsUntil(db, routeId) };
      },

      async startAttackMode({ actor, body }) {
        const { accountId } = actor;
        const { route_id: routeId, seconds } = body;
        const domainName = await nameOf(accountId, routeId);
        const endsAt = new Date(Date.now() + seconds * 1000);
        const started = await tools.transaction(async (trx) => {
          await repository.lockModes(trx, accountId);
          // Who turns it on by hand does not want it to rest.
          await repository.liftPauses(trx, accountId, routeId);
          return begin(trx, actor, { accountId, routeId, startedBy: actor.label, endsAt });
        });
        return { route_id: routeId, domain_name: domainName, ...started, ends_at: endsAt.toISOString() };
      },

      async endAttackMode({ actor, body }) {
        const { accountId } = actor;
        const { route_id: routeId } = body;
        await nameOf(accountId, routeId);
        return tools.transaction(async (trx) => {
          await repository.lockModes(trx, accountId);
          await auditEnded(trx, { accountId, routeId });
          const ended = await repository.removeMode(trx, accountId, routeId);
          await putUntil(trx, routeId ?? accountId, 0);
          const holding = await repository.listModes(trx, accountId, routeId ?? undefined);
          if (!ended) return { ended, rests: false, holding };
          await repository.pause(trx, accountId, routeId, new Date(Date.now() + AUTOMATIC.pauseMs));
          await tools.audit(trx, actor, { action: 'under-attack.end', subject: subjectOf(routeId), details: {} });
          return { ended, rests: await repository.isAutomatic(trx, accountId, routeId), holding };
        });
      },

      async restoreAttackMode({ actor, body }) {
        const { accountId } = actor;
        const { route_id: routeId } = body;
        await nameOf(accountId, routeId);
        const restored = await tools.transaction(async (trx) => {
          await repository.lockModes(trx, accountId);
          const ended = await repository.takeEndedMode(trx, accountId, routeId, RESTORABLE_SECONDS);
          if (!ended) throw notFound();
          await auditEnded(trx, { accountId, routeId });
          if (!(await repository.restoreMode(trx, accountId, routeId, ended))) return false;
          await repository.takePauseBack(trx, accountId, routeId);
          await putUntil(trx, routeId ?? accountId, Math.ceil(Date.parse(ended.ends_at) / 1000));
          await tools.audit(trx, actor, {
            action: 'under-attack.restore',
            subject: subjectOf(routeId),
            details: { until: ended.ends_at },
          });
          return true;
        });
        return { restored };
      },
    },

    forgetEnded: () => repository.forgetModes(db),

    async watch() {
      await tools.transaction((trx) => auditEnded(trx));
      const busy = await tools.listBusyRoutes(AUTOMATIC.requestsMin);
      if (busy.length === 0) return;
      const usualAtStart = await repository.usualOfStarted(
        db,
        busy.map((route) => route.route_id),
      );
      for (const route of busy) {
        // An attack that lasts must not become usual.
        const known = usualAtStart.get(route.route_id);
        const usual = known === undefined ? route.usual : known;
        const { newRequestsMin, usualTimes } = AUTOMATIC;
        if (route.requests >= (usual === null ? newRequestsMin : usualTimes * usual)) await startAutomatically(route);
      }
    },
  };
};
