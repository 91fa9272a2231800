import { statfs } from 'node:fs/promises';
import type { FastifyInstance } from 'fastify';
import { collectDefaultMetrics, Histogram, Registry } from 'prom-client';
import { AppError } from './errors.ts';
import { mayReadHealth } from './health-access.ts';

/** A part that must work for the process to serve. `check` throws, or returns what to show of it. */
export interface HealthPart {
  readonly name: string;
  /** A part that is not essential is shown, but does not make the process unready. */
  readonly isEssential: boolean;
  check(): Promise<string>;
}

const CHECK_MS_MAX = 3_000;
/** Unauthenticated, and each check asks every part: requests that come meanwhile share one check. */
const KEPT_MS = 1_000;
/** Below this PostgreSQL or ClickHouse soon cannot write. */
const DISK_MB_MIN = 100;

/** Why a part does not work, in words that may be shown to callers without a session. */
class PartDown extends Error {}

/** A part that is not installed on this machine: shown as not working, and nothing to wait for. */
export function absentPart(name: string): HealthPart {
  return { name, isEssential: false, check: () => Promise.reject(new PartDown('absent')) };
}

/** The room left on the disk that holds `directory`. */
export function diskPart(directory: string): HealthPart {
  return {
    name: 'disk',
    isEssential: false,
    check: async () => {
      const { bavail, bsize } = await statfs(directory);
      const free = Math.floor((bavail * bsize) / 1024 / 1024);
      if (free < DISK_MB_MIN) throw new PartDown(`${free} MB left`);
      return `${free} MB left`;
    },
  };
}

async function checkPart(part: HealthPart): Promise<{ name: string; ok: boolean; essential: boolean; state: string }> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new PartDown('no answer in time')), CHECK_MS_MAX);
  });
  try {
    return { name: part.name, ok: true, essential: part.isEssential, state: await Promise.race([part.check(), late]) };
  } catch (error) {
    // The message of a driver may name hosts and users; the log has it.
    const state = error instanceof PartDown ? error.message : 'down';
    return { name: part.name, ok: false, essential: part.isEssential, state };
  } finally {
    clearTimeout(timer);
  }
}

/**
 * /healthz: the process answers. /readyz: whether it is ready, and each part and its state. /metrics: Prometheus. Parts and
 * metrics are for this machine and for who has the token.
 */
export function mountHealth(app: FastifyInstance, parts: readonly HealthPart[], token?: string): Registry {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const durations = new Histogram({
    name: 'cordon_http_request_duration_seconds',
    help: 'Time to answer, by route and status class.',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.005, 0.02, 0.1, 0.5, 2, 10],
    registers: [registry],
  });
  // Finding the series by its labels is the expensive part; there are as many as routes times status classes.
  const series = new Map<string, { observe(seconds: number): void }>();
  app.addHook('onResponse', (req, reply, next) => {
    const route = req.routeOptions.url ?? 'none';
    const status = `${Math.floor(reply.statusCode / 100)}xx`;
    const key = `${req.method} ${route} ${status}`;
    let found = series.get(key);
    if (!found) {
      found = durations.labels({ method: req.method, route, status });
      series.set(key, found);
    }
    found.observe(reply.elapsedTime / 1000);
    next();
  });
  app.get('/healthz', async () => ({ ok: true }));
  let look: { readonly at: number; readonly states: Promise<Awaited<ReturnType<typeof checkPart>>[]> } | undefined;
  app.get('/readyz', async (req, reply) => {
    // Who has gone when it is known has no address any more.
    const mayRead = mayReadHealth(req, token);
    if (!look || Date.now() - look.at >= KEPT_MS) look = { at: Date.now(), states: Promise.all(parts.map(checkPart)) };
    const states = await look.states;
    const ok = states.every((state) => state.ok || !state.essential);
    return reply.code(ok ? 200 : 503).send(mayRead ? { ok, parts: states } : { ok });
  });
  app.get('/metrics', async (req, reply) => {
    if (!mayReadHealth(req, token)) throw new AppError('UNAUTHENTICATED');
    return reply.type(registry.contentType).send(await registry.metrics());
  });
  return registry;
}
