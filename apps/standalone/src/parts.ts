import { Resolver } from 'node:dns/promises';
import { join, resolve } from 'node:path';
import pg from 'pg';
import { databaseUrl, POSTGRES_READY, type PostgresOptions, preparePostgres } from './postgres.ts';
import { stopOrphanPostmaster } from './postgres-orphan.ts';
import type { PartDefinition } from './process/part.ts';
import { type Environment, partEnvironment } from './process/part-environment.ts';
import { bracketed, reachable, type Settings } from './settings.ts';

export const CLICKHOUSE_USER = 'cordon';
export const CLICKHOUSE_DATABASE = 'cordon';

/** A silence after which a part is ended and started again. */
const SILENCE_SECONDS = { program: 10, engine: 15 };
const DATABASE_ANSWER_MS_MAX = 3000;
/** A program that beats does so once a second. */
const BEAT_MS_MAX = 2000;

/**
 * Whether the server takes a new connection: those that are open go on when the postmaster, which takes them, hangs.
 * A refusal is an answer as well: one that recovers, or has no connection left, does not hang.
 */
async function takesConnections(url: string): Promise<boolean> {
  const client = new pg.Client({
    connectionString: url,
    application_name: 'cordon-liveness',
    connectionTimeoutMillis: DATABASE_ANSWER_MS_MAX,
    query_timeout: DATABASE_ANSWER_MS_MAX,
  });
  client.on('error', () => {});
  try {
    await client.connect();
    await client.query('SELECT 1');
    return true;
  } catch (error) {
    return error instanceof pg.DatabaseError;
  } finally {
    // Not waited for: a server that hangs does not close either.
    void client.end().catch(() => {});
  }
}

export function postgresPart(options: PostgresOptions, environment: Environment): PartDefinition {
  return {
    name: 'postgres',
    recover: async () => {
      await stopOrphanPostmaster(options.directory);
    },
    command: async () => ({
      ...(await preparePostgres(options)),
      environment: { ...partEnvironment('postgres', environment), LC_MESSAGES: 'C' },
    }),
    probe: (lines) => lines.some((line) => line.includes(POSTGRES_READY)),
    // Recovery after a crash replays the log first.
    readySecondsMax: 120,
    liveness: () => ({
      answers: () => takesConnections(databaseUrl(options)),
      silenceSecondsMax: SILENCE_SECONDS.engine,
      // Immediate shutdown: its processes end at once, and the log is replayed at the start.
      endSignal: 'SIGQUIT',
    }),
    stopSignal: 'SIGINT',
    stopSecondsMax: 15,
  };
}

const CLICKHOUSE_NICENESS = 5;

export interface ClickHouseOptions {
  readonly directory: string;
  readonly port: number;
  readonly password: string;
}

export function clickhouseUrl(options: ClickHouseOptions): string {
  return `http://${CLICKHOUSE_USER}:${encodeURIComponent(options.password)}@127.0.0.1:${options.port}/${CLICKHOUSE_DATABASE}`;
}

export function clickhousePart(program: string, options: ClickHouseOptions, environment: Environment): PartDefinition {
  return {
    name: 'clickhouse',
    command: () => ({
      command: process.execPath,
      args: ['--enable-source-maps', program],
      environment: {
        ...partEnvironment('clickhouse', environment),
        CORDON_CLICKHOUSE_DIR: options.directory,
        CORDON_CLICKHOUSE_PORT: String(options.port),
        CORDON_CLICKHOUSE_USER: CLICKHOUSE_USER,
        CORDON_CLICKHOUSE_PASSWORD: options.password,
        CORDON_CLICKHOUSE_DATABASE: CLICKHOUSE_DATABASE,
        UV_THREADPOOL_SIZE: '16',
      },
      // Merging yesterday's rows is not to hold up visitors, who wait for the edge on the same processors.
      niceness: CLICKHOUSE_NICENESS,
    }),
    probe: () => answers(`http://127.0.0.1:${options.port}/ping`),
    readySecondsMax: 60,
    liveness: () => ({
      answers: () => answers(`http://127.0.0.1:${options.port}/live`),
      silenceSecondsMax: SILENCE_SECONDS.engine,
    }),
    stopSecondsMax: 12,
  };
}

export function apiPart(program: string, settings: Settings, environment: Environment): PartDefinition {
  return {
    name: 'api',
    command: () => ({
      command: process.execPath,
      args: ['--enable-source-maps', program],
      environment: partEnvironment('api', environment),
    }),
    probe: () => answers(`${apiUrl(settings)}/healthz`),
    readySecondsMax: 60,
    liveness: () => ({
      answers: () => answers(`${apiUrl(settings)}/healthz`),
      silenceSecondsMax: SILENCE_SECONDS.program,
    }),
    stopSecondsMax: 12,
  };
}

/** Where this machine reaches the API, whatever its public origin is. */
export function apiUrl(settings: Settings): string {
  return `http://${bracketed(reachable(settings.bind))}:${settings.port}`;
}

export interface EdgeOptions {
  readonly agentPort: number;
  readonly credential: string;
}

export function edgePart(
  program: string,
  settings: Settings,
  options: EdgeOptions,
  environment: Environment,
): PartDefinition {
  return {
    name: 'edge',
    command: () => ({
      command: process.execPath,
      args: ['--enable-source-maps', program],
      environment: {
        // Neither the databases nor the key that encrypts what is in them.
        ...partEnvironment('edge', environment),
        CORDON_CONTROL_URL: apiUrl(settings),
        CORDON_NODE_NAME: 'local',
        CORDON_NODE_CREDENTIAL: options.credential,
        CORDON_EDGE_DIR: join(settings.dataDirectory, 'edge'),
        CORDON_AGENT_PORT: String(options.agentPort),
      },
    }),
    probe: () => answers(`http://127.0.0.1:${options.agentPort}/readyz`),
    readySecondsMax: 60,
    // Of nginx the agent takes care.
    liveness: () => ({
      answers: () => answers(`http://127.0.0.1:${options.agentPort}/healthz`),
      silenceSecondsMax: SILENCE_SECONDS.program,
    }),
    stopSecondsMax: 12,
  };
}

export interface DnsOptions {
  /** With the role that reads PowerDNS's views and nothing else. */
  readonly databaseUrl: string;
}

/** The same database as its name servers reach it; the role is made by the API, which knows the password too. */
export function readerUrl(databaseUrl: string, password: string): string {
  const url = new URL(databaseUrl);
  url.username = `${url.pathname.slice(1, 60)}_dns`;
  url.password = password;
  return url.href;
}

export function dnsPart(
  program: string,
  settings: Settings,
  options: DnsOptions,
  environment: Environment,
): PartDefinition {
  const resolver = new Resolver({ timeout: 1000, tries: 1 });
  resolver.setServers([`${bracketed(reachable(settings.bind))}:${settings.dnsPort}`]);
  return {
    name: 'dns',
    command: () => ({
      command: process.execPath,
      args: ['--enable-source-maps', program],
      hasBeat: true,
      environment: {
        ...partEnvironment('dns', environment),
        CORDON_DNS_DATABASE_URL: options.databaseUrl,
        CORDON_DNS_DIR: join(settings.dataDirectory, 'dns'),
      },
    }),
    probe: () =>
      resolver.resolveSoa(settings.edgeDomain).then(
        () => true,
        () => false,
      ),
    readySecondsMax: 60,
    // Of PowerDNS the program takes care.
    liveness: (lastBeat) => ({
      answers: () => performance.now() - lastBeat() < BEAT_MS_MAX,
      silenceSecondsMax: SILENCE_SECONDS.program,
    }),
    stopSecondsMax: 8,
  };
}

/** The environment we were started with and what we made of it; each part gets what is its own. */
export function commonEnvironment(settings: Settings): Environment {
  return {
    ...process.env,
    NODE_ENV: process.env.NODE_ENV ?? 'production',
    CORDON_DATA_DIR: settings.dataDirectory,
    CORDON_BIND: settings.bind,
    CORDON_PORT: String(settings.port),
    CORDON_DNS_PORT: String(settings.dnsPort),
    CORDON_ORIGIN: settings.origin,
    CORDON_EDGE_HTTP_PORT: String(settings.edgeHttpPort),
    CORDON_EDGE_HTTPS_PORT: String(settings.edgeHttpsPort),
    // The parts run in `/`.
    CORDON_BRANDS: process.env.CORDON_BRANDS && resolve(process.env.CORDON_BRANDS),
    CORDON_ABSENT_PARTS: settings.absentParts.join(','),
  };
}

/** Whether a GET answers 2xx within two seconds. */
export async function answers(url: string): Promise<boolean> {
  try {
    const res = await fetch(url, { signal: AbortSignal.timeout(2000) });
    await res.arrayBuffer();
    return res.ok;
  } catch {
    return false;
  }
}

/**
 * What `GET /readyz` of the API names as not working, each with its state. Its status speaks of what it cannot do
 * without; a start waits for all of it, except for what is absent from this machine.
 */
export async function partsDown(api: string, absent: readonly string[]): Promise<string[]> {
  try {
    const res = await fetch(`${api}/readyz`, { signal: AbortSignal.timeout(2000) });
    const { parts } = (await res.json()) as { parts: readonly { name: string; ok: boolean; state: string }[] };
    return parts.filter(({ name, ok }) => !ok && !absent.includes(name)).map(({ name, state }) => `${name} (${state})`);
  } catch (error) {
    return [`api (${error instanceof Error ? error.message : String(error)})`];
  }
}
