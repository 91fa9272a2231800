import { monitorEventLoopDelay } from 'node:perf_hooks';
import fastify from 'fastify';
import pg from 'pg';
import { createApi } from '../apps/api/src/app.ts';
import { createLog } from '../apps/api/src/platform/log.ts';
import { parseEnvironment } from '../apps/api/src/settings/env.ts';

/**
 * One of the two servers of list-api.ts. Sends its address, then whenever it is asked its processor time, and for how long its
 * event loop was held at most since it was asked before.
 */
const [kind, accountId] = process.argv.slice(2);

/** The yardstick: the same rows for the same page, nothing checked, nothing named twice. */
async function startBare(): Promise<string> {
  pg.types.setTypeParser(20, Number);
  const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 20 });
  pool.on('error', () => undefined);
  const app = fastify();
  app.get('/api/v1/domain/routes/', async (req) => {
    const { page, perpage } = req.query as { page: string; perpage: string };
    const { rows } = await pool.query({
      name: 'list',
      text: `SELECT (SELECT coalesce(sum(routes), 0)::int FROM route_counts WHERE account_id = $1) AS count,
          r.id, r.domain_name, r.domain_name_unicode, r.cname, s.cname AS subscription_cname, r.status, r.last_deployed, r.version_live,
          r.pending_changes, r.draft->>'traffic_action' AS traffic_action, r.upstream_summary, r.ownership_state, r.group_id, r.remarks, r.created_at, r.updated_at
        FROM routes r JOIN subscriptions s ON s.id = r.subscription_id
        WHERE r.account_id = $1 AND r.status <> 'deleted' ORDER BY r.domain_name, r.id LIMIT $2 OFFSET $3`,
      values: [accountId, Number(perpage), (Number(page) - 1) * Number(perpage)],
    });
    return { success: true, results: rows, count: rows[0]?.count ?? 0, page: Number(page), perpage: Number(perpage) };
  });
  return app.listen({ port: 0, host: '127.0.0.1' });
}

async function startOurs(): Promise<string> {
  const env = { ...parseEnvironment(process.env), port: 0 };
  const api = await createApi({ env, log: createLog('info', { write: () => undefined }), withQueue: false });
  return api.start();
}

const url = kind === 'bare' ? await startBare() : await startOurs();
const loop = monitorEventLoopDelay({ resolution: 1 });
loop.enable();
process.on('message', () => {
  const { user, system } = process.cpuUsage();
  process.send?.({ cpu: user + system, heldMs: loop.max / 1e6 });
  loop.reset();
});
process.on('disconnect', () => process.exit(0));
process.on('SIGTERM', () => process.exit(0));
process.send?.({ url });
