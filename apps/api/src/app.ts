import { existsSync } from 'node:fs';
import { formatAddress, operations, parseAddress } from '@cordon/contract';
import { pluginOperations } from '@cordon/plugins/operations';
import type { FastifyInstance } from 'fastify';
import { findTokenPrincipal, findUserPrincipal, noteTokenUse } from './modules/accounts/service.ts';
import { loadBrands } from './modules/brands/service.ts';
import { findNodePrincipal, listAddresses } from './modules/edge-nodes/service.ts';
import { createModules } from './modules.ts';
import { createAuthenticator } from './platform/auth.ts';
import { createClickHouse } from './platform/clickhouse.ts';
import { mountConsoleFiles } from './platform/console-files.ts';
import { createDatabase, createPool, migrate, probeConnection, probeDatabase } from './platform/database.ts';
import { createEgress } from './platform/egress.ts';
import { purgeEvents } from './platform/events.ts';
import { absentPart, diskPart, type HealthPart, mountHealth } from './platform/health.ts';
import { createHttp } from './platform/http.ts';
import { createIdempotency, purgeIdempotencyKeys } from './platform/idempotency.ts';
import type { Log } from './platform/log.ts';
import type { ApiModule, Platform } from './platform/module.ts';
import { createMount } from './platform/mount.ts';
import { mountOpenApi } from './platform/openapi.ts';
import { migrateQueue, type Queue, startQueue } from './platform/queue.ts';
import type { JobHandler } from './platform/queue-pool.ts';
import { createRateLimits, purgeRateBuckets } from './platform/rate-limit.ts';
import { createResolver, type DnsResolver } from './platform/resolver.ts';
import { createSecretBox } from './platform/secrets.ts';
import { createNotificationHub } from './platform/stream.ts';
import { mountWebsocket } from './platform/websocket.ts';
import type { Environment } from './settings/env.ts';

export interface ApiOptions {
  readonly env: Environment;
  readonly log: Log;
  /** For tests: another view of DNS. */
  readonly resolver?: DnsResolver;
  /** False leaves the jobs to another process. */
  readonly withQueue?: boolean;
  /** For tests: answers 500 where a response does not fit its schema. */
  readonly checkResponses?: boolean;
}

export interface Api {
  readonly app: FastifyInstance;
  readonly platform: Platform;
  /** Listens and runs jobs; answers the address. */
  start(): Promise<string>;
  /** Ends requests, jobs and connections, in that order. */
  stop(): Promise<void>;
}

/** Builds the whole control plane: migrates, connects, mounts every module. Does not listen yet. */
export async function createApi(options: ApiOptions): Promise<Api> {
  const { env, log } = options;
  const brands = loadBrands({ origin: env.origin, file: env.brandsFile });
  await migrate(env.databaseUrl, log);
  await migrateQueue(env.databaseUrl);
  const pool = createPool(env.databaseUrl, log);
  const db = createDatabase(pool);
  const hub = await createNotificationHub(env.databaseUrl, log);
  const secrets = createSecretBox(env.secretKey);
  const resolver = options.resolver ?? createResolver(env);
  const ownAddresses = async () => {
    const addresses = await listAddresses(db);
    return new Set(addresses.flatMap((text) => parseAddress(text) ?? []).map(formatAddress));
  };
  const rates = createRateLimits(db);
  const platform: Platform = {
    env,
    log,
    db,
    pool,
    clickhouse: createClickHouse(env.clickhouseUrl),
    hub,
    secrets,
    resolver,
    egress: createEgress(env, resolver, ownAddresses, rates),
    rates,
    authenticator: createAuthenticator(env, hub, {
      findUser: (subject) => findUserPrincipal(db, subject),
      findToken: (hash) => findTokenPrincipal(db, hash),
      findMachine: (hash) => findNodePrincipal(db, hash),
      noteTokenUse: (tokenId, address) => {
        noteTokenUse(db, tokenId, address).catch((err) => log.warn({ err }, 'the use of a token could not be noted'));
      },
    }),
  };
  const modules = await createModules(platform, brands);
  let queue: Queue | undefined;

  const app = await createHttp({ env, log, hostnames: brands.hostnames });
  const metrics = mountHealth(
    app,
    healthParts(platform, modules, () => queue),
    env.metricsToken,
  );
  const mount = createMount(app, {
    env,
    authenticator: platform.authenticator,
    rates,
    idempotency: createIdempotency(db, secrets, log),
    checkResponses: options.checkResponses ?? false,
  });
  await mountWebsocket(app, { env, db, authenticator: platform.authenticator, hub, hostnames: brands.hostnames });
  mountOpenApi(app, env.origin, { ...operations, ...pluginOperations });
  for (const module of modules) await module.mount?.(app, mount, metrics);
  await mountConsoleFiles(app, env);

  return {
    app,
    platform,
    async start() {
      await app.listen({ host: env.bind, port: env.port });
      if (options.withQueue !== false)
        queue = await startQueue({ databaseUrl: env.databaseUrl, log, ...gatherJobs(platform, modules) });
      for (const module of modules) await module.start?.();
      const address = app.server.address();
      return typeof address === 'object' && address ? `http://${env.bind}:${address.port}` : env.origin;
    },
    async stop() {
      await app.close();
      for (const module of modules) await module.stop?.();
      await queue?.stop();
      await hub.close();
      await platform.clickhouse?.close();
      await db.destroy();
    },
  };
}

function gatherJobs(platform: Platform, modules: readonly ApiModule[]) {
  const jobs: Record<string, JobHandler> = {
    'purge-platform': async () => {
      await purgeEvents(platform.db);
      await purgeIdempotencyKeys(platform.db);
      await purgeRateBuckets(platform.db);
    },
  };
  for (const module of modules) {
    for (const [name, handler] of Object.entries(module.jobs ?? {})) {
      if (name in jobs) throw new Error(`two modules have a job named ${name}`);
      jobs[name] = handler;
    }
  }
  const recurring = [
    { name: 'purge-platform', pattern: '*/5 * * * *' },
    ...modules.flatMap((module) => module.recurring ?? []),
  ];
  return { jobs, recurring };
}

function healthParts(platform: Platform, modules: readonly ApiModule[], queue: () => Queue | undefined): HealthPart[] {
  const up = async (isUp: boolean) => {
    if (!isUp) throw new Error('down');
    return 'up';
  };
  return [
    {
      name: 'postgresql',
      isEssential: true,
      check: async () => {
        await probeDatabase(platform.db);
        return 'up';
      },
    },
    {
      name: 'postgresql-connections',
      isEssential: false,
      check: async () => {
        await probeConnection(platform.env.databaseUrl);
        return 'taken';
      },
    },
    { name: 'notifications', isEssential: true, check: () => up(platform.hub.isConnected()) },
    { name: 'queue', isEssential: true, check: () => up(queue()?.isRunning() ?? false) },
    {
      name: 'clickhouse',
      isEssential: false,
      check: async () => {
        if (!platform.clickhouse) return 'not configured';
        const answer = await platform.clickhouse.ping();
        return up(answer.success);
      },
    },
    ...(existsSync(platform.env.dataDir) ? [diskPart(platform.env.dataDir)] : []),
    ...modules.flatMap((module) => module.health ?? []),
  ].map((part) => (platform.env.absentParts.includes(part.name) ? absentPart(part.name) : part));
}
