import { setImmediate as nextTurn } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { definitions } from '@cordon/plugins/definitions';
import { z } from 'zod';
import { type Db, runInTransaction } from '../../platform/database.ts';
import { readDeployment, replaceDeployment } from '../../platform/deployment.ts';
import type { Log } from '../../platform/log.ts';
import { addJob } from '../../platform/queue.ts';
import { sha256 } from '../../platform/secrets.ts';
import { edgePlugins, refusedPlugins } from './edge-payload.ts';
import { pauseOf } from './operations.ts';
import { payloadsAfter, replacePayloads, type StoredPayload } from './payload-renewal-repository.ts';

/** Brings what nodes are sent to today's schemas of plugins, after an upgrade that changed any. */
export interface PayloadRenewal {
  /** Adds the job where the payloads were made by other schemas than today's. */
  begin(): Promise<void>;
  /** The job. Throws in a process that has other schemas than the one that added it. */
  renew(schemas: string): Promise<void>;
}

export const RENEW_JOB = 'renew-edge-payloads';
const SCHEMAS = 'edge_payload_schemas';
const ROUTES_AT_ONCE = 200;
const NO_ID = '00000000-0000-0000-0000-000000000000';

let hashed: string | undefined;

/** A hash of all that payloads take from plugins: which there are, in which order, and their fields and defaults. */
function hashSchemas(): string {
  // A tenth of a second of work, whose answer is one for the process.
  hashed ??= hashOfSchemas();
  return hashed;
}

function hashOfSchemas(): string {
  const described = definitions.map(({ name, phase, isAlwaysOn = false, schema }) => [
    name,
    phase,
    isAlwaysOn,
    z.toJSONSchema(schema, { unrepresentable: 'any' }),
  ]);
  return sha256(JSON.stringify(described)).toString('hex');
}

function renewedPlugins({ payload, live, ...pause }: StoredPayload) {
  const resolved = Object.fromEntries(payload.plugins.map((plugin) => [plugin.name, plugin.resolved]));
  const secrets = new Map(
    payload.plugins.flatMap(({ config, secrets: sealed = {} }) =>
      Object.entries(sealed).map(([field, text]) => [config[field] as string, text] as const),
    ),
  );
  return edgePlugins(live, { isPaused: pauseOf(pause) !== null, resolved, secrets });
}

export function createPayloadRenewal(db: Db, log: Log): PayloadRenewal {
  const today = hashSchemas();

  /** Renews the next routes; answers the last of them. */
  async function renewAfter(afterId: string): Promise<{ last: string | undefined; renewed: number }> {
    const stored = await payloadsAfter(db, afterId, ROUTES_AT_ONCE);
    const renewed: Parameters<typeof replacePayloads>[1][number][] = [];
    for (const one of stored) {
      // A configuration of thousands of addresses takes some milliseconds to check.
      await nextTurn();
      const refused = refusedPlugins(one.live);
      if (refused.length > 0)
        log.warn(
          { route: one.route_id, plugins: refused },
          'a live configuration is refused by the schema of today: it is served as it was deployed',
        );
      const plugins = renewedPlugins(one);
      if (!isDeepStrictEqual(plugins, one.payload.plugins))
        renewed.push({ route_id: one.route_id, revision: one.revision, payload: { ...one.payload, plugins } });
    }
    const count = renewed.length === 0 ? 0 : await runInTransaction(db, (trx) => replacePayloads(trx, renewed));
    return { last: stored.at(-1)?.route_id, renewed: count };
  }

  return {
    async begin() {
      if ((await readDeployment(db, SCHEMAS))?.toString() === today) return;
      await addJob(db, RENEW_JOB, { schemas: today }, { key: RENEW_JOB });
    },
    async renew(schemas) {
      if (schemas !== today) throw new Error('the schemas of plugins are of another release than this process');
      let count = 0;
      for (let after: string | undefined = NO_ID; after !== undefined; ) {
        const { last, renewed } = await renewAfter(after);
        count += renewed;
        after = last;
      }
      await replaceDeployment(db, SCHEMAS, Buffer.from(today));
      log.info({ routes: count }, 'what nodes are sent is as the schemas of plugins are today');
    },
  };
}
