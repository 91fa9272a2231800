import { notFound } from '@cordon/contract/app-error';
import type { CreatePluginServer } from '@cordon/plugin-kit/server';
import type { Kysely } from 'kysely';
import type { operations } from './operations.ts';
import * as repository from './repository.ts';
import type { UnderAttackTables } from './tables.ts';

type Db = Kysely<UnderAttackTables>;

/** All visitors: the feed says where and until when, not who. */
const EVERYONE = ['0.0.0.0/0', '::/0'];

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
      EVERYONE.map((network) => ({ feed: 'under-attack', scope, network, until })),
    );
  const subjectOf = (routeId: string | null) => (routeId === null ? 'account' : `route ${routeId}`);

  return {
    handlers: {
      async listAttackModes({ actor, query }) {
        const { route_id: routeId } = query;
        if (routeId !== undefined) await nameOf(actor.accountId, routeId);
        return repository.listModes(db, actor.accountId, routeId);
      },

      async startAttackMode({ actor, body }) {
        const { accountId } = actor;
        const { route_id: routeId, seconds } = body;
        const domainName = await nameOf(accountId, routeId);
        const endsAt = new Date(Date.now() + seconds * 1000);
        const started = await tools.transaction(async (trx) => {
          const mode = await repository.putMode(trx, { accountId, routeId, startedBy: actor.label, endsAt });
          await putUntil(trx, routeId ?? accountId, Math.ceil(endsAt.getTime() / 1000));
          await tools.audit(trx, actor, {
            action: 'under-attack.start',
            subject: subjectOf(routeId),
            details: { seconds, until: endsAt.toISOString() },
          });
          return mode;
        });
        return { route_id: routeId, domain_name: domainName, ...started, ends_at: endsAt.toISOString() };
      },

      async endAttackMode({ actor, body }) {
        const { accountId } = actor;
        const { route_id: routeId } = body;
        await nameOf(accountId, routeId);
        const ended = await tools.transaction(async (trx) => {
          const held = await repository.removeMode(trx, accountId, routeId);
          await putUntil(trx, routeId ?? accountId, 0);
          if (held)
            await tools.audit(trx, actor, {
              action: 'under-attack.end',
              subject: subjectOf(routeId),
              details: {},
            });
          return held;
        });
        return { ended };
      },
    },

    forgetEnded: () => repository.forgetModes(db),
  };
};
