import { randomBytes } from 'node:crypto';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openDataDirectory } from './data-directory.ts';
import { startDemo } from './demo/demo.ts';
import { type DemoOrigin, startDemoOrigin } from './demo/origin.ts';
import { watchDisk } from './disk-watch.ts';
import { isEdgeStillServing } from './edge-orphan.ts';
import {
  apiPart,
  apiUrl,
  clickhousePart,
  clickhouseUrl,
  commonEnvironment,
  dnsPart,
  edgePart,
  partsDown,
  postgresPart,
  readerUrl,
} from './parts.ts';
import { databaseUrl } from './postgres.ts';
import { nodeCredential, operatorRunner } from './process/operator.ts';
import { Part, type PartDefinition } from './process/part.ts';
import type { Environment } from './process/part-environment.ts';
import { allocatePorts, bindError, bindErrorUdp, requireFreePort } from './process/ports.ts';
import { stopOrphanGroups } from './process/process-group.ts';
import { readOrCreateSecret } from './process/secret-file.ts';
import { asStartFailure, StartFailure } from './process/start-failure.ts';
import { until } from './process/until.ts';
import { restartOnBuild } from './restart-on-build.ts';
import { type DemoState, removeRunningState, writeRunningState } from './running-state.ts';
import { bracketed, reachable, readSettings, type Settings } from './settings.ts';

const READY_SECONDS_MAX = 60;

const dist = dirname(dirname(fileURLToPath(import.meta.url)));
const isDemo = process.argv.includes('--demo');
const isWatching = process.argv.includes('--watch');

/** What has been started, in order; stopped in reverse. */
const stoppers: (() => Promise<void> | void)[] = [];
let isStopping = false;
let stopped: Promise<void> | undefined;

/** Every caller waits for the one stop: a second Ctrl+C must not cut the first one short. */
function stopAll(): Promise<void> {
  isStopping = true;
  stopped ??= stopInReverse();
  return stopped;
}

async function stopInReverse(): Promise<void> {
  for (const stop of stoppers.reverse()) {
    try {
      await stop();
    } catch (error) {
      process.stderr.write(`error: ${error instanceof Error ? error.message : String(error)}\n`);
    }
  }
}

function exitOn(signal: NodeJS.Signals): void {
  process.on(signal, () => {
    void stopAll().then(() => process.exit(0));
  });
}

async function startPart(definition: PartDefinition, settings: Settings): Promise<Part> {
  if (isStopping) throw new StartFailure('Stopped while starting.');
  const part = new Part(definition, settings.dataDirectory);
  stoppers.push(() => part.stop());
  await part.start();
  return part;
}

interface Engines {
  readonly parts: Part[];
  readonly ports: { readonly postgres: number; readonly clickhouse: number; readonly agent: number };
  readonly databaseUrl: string;
  readonly clickhouseUrl: string;
}

/** PostgreSQL and ClickHouse side by side, unless the settings name others. */
async function startEngines(settings: Settings, ports: Engines['ports'], environment: Environment): Promise<Engines> {
  const { dataDirectory } = settings;
  const postgres = {
    directory: join(dataDirectory, 'postgres'),
    port: ports.postgres,
    password: readOrCreateSecret(join(dataDirectory, 'postgres-password'), 'base64url'),
  };
  const clickhouse = {
    directory: join(dataDirectory, 'clickhouse'),
    port: ports.clickhouse,
    password: readOrCreateSecret(join(dataDirectory, 'clickhouse-password'), 'base64url'),
  };
  const starts: Promise<Part>[] = [];
  if (!settings.databaseUrl) starts.push(startPart(postgresPart(postgres, environment), settings));
  if (!settings.clickhouseUrl) {
    const program = join(dist, 'standalone/clickhouse.js');
    starts.push(startPart(clickhousePart(program, clickhouse, environment), settings));
  }
  // All of them settle before a failure goes on: stopping must not race a start.
  const outcomes = await Promise.allSettled(starts);
  for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason;
  return {
    parts: await Promise.all(starts),
    ports,
    databaseUrl: settings.databaseUrl ?? databaseUrl(postgres),
    clickhouseUrl: settings.clickhouseUrl ?? clickhouseUrl(clickhouse),
  };
}

async function checkFrontPorts(settings: Settings): Promise<void> {
  await requireFreePort(settings.bind, settings.port, 'CORDON_PORT');
  if (!settings.absentParts.includes('dns')) {
    for (const bind of [bindError, bindErrorUdp])
      await requireFreePort(settings.bind, settings.dnsPort, 'CORDON_DNS_PORT', bind);
  }
  if (settings.absentParts.includes('edge') || isEdgeStillServing(settings.dataDirectory)) return;
  await requireFreePort(settings.bind, settings.edgeHttpPort, 'CORDON_EDGE_HTTP_PORT');
  await requireFreePort(settings.bind, settings.edgeHttpsPort, 'CORDON_EDGE_HTTPS_PORT');
}

async function start(): Promise<void> {
  const settings = readSettings(process.env, dirname(dist), isDemo);
  const lock = openDataDirectory(settings.dataDirectory);
  stoppers.push(() => lock.release());
  const orphans = await stopOrphanGroups(join(settings.dataDirectory, 'run'), settings.dataDirectory);
  if (orphans.length > 0) process.stderr.write(`Stopped what an earlier start left behind: ${orphans.join(', ')}\n`);
  removeRunningState(settings.dataDirectory);
  stoppers.push(() => removeRunningState(settings.dataDirectory));
  const disk = watchDisk(settings.dataDirectory, (sentence) => process.stderr.write(`${sentence}\n`));
  stoppers.push(() => disk.stop());
  await checkFrontPorts(settings);

  const ports = await allocatePorts(join(settings.dataDirectory, 'ports.json'), [
    'postgres',
    'clickhouse',
    'agent',
    'demo',
  ]);
  const demoOrigin = isDemo ? await startDemoOrigin(ports.demo) : undefined;
  if (demoOrigin) stoppers.push(() => demoOrigin.close());
  const demo = demoOrigin && { secret: randomBytes(24).toString('base64url'), origin: demoOrigin.address };

  const common = commonEnvironment(settings);
  const engines = await startEngines(settings, ports, common);
  const environment = controlEnvironment(settings, common, engines, demo);
  const parts = [...engines.parts];
  const api = await startPart(apiPart(join(dist, 'api/main.js'), settings, environment), settings);
  parts.push(api);
  const operator = operatorRunner(join(dist, 'api/operator.js'), environment);
  const dns = startDns(settings, engines, environment);
  // A failure is thrown below; until then it must not be an unhandled rejection.
  dns.catch(() => undefined);
  const edge = await startEdge(settings, engines, environment, operator);
  parts.push(...[edge, await dns].filter((part) => part !== undefined));

  const note = (state: DemoState | null) => {
    if (isStopping) return;
    writeRunningState(settings.dataDirectory, {
      startedAt: new Date().toISOString(),
      origin: settings.origin,
      pids: Object.fromEntries([['main', process.pid], ...parts.map((part) => [part.name, part.pid])]),
      ports: {
        api: settings.port,
        edgeHttp: settings.edgeHttpPort,
        edgeHttps: settings.edgeHttpsPort,
        dns: settings.dnsPort,
        agent: engines.ports.agent,
        ...(settings.databaseUrl ? {} : { postgres: engines.ports.postgres }),
        ...(settings.clickhouseUrl ? {} : { clickhouse: engines.ports.clickhouse }),
      },
      databaseUrl: engines.databaseUrl,
      clickhouseUrl: engines.clickhouseUrl,
      absentParts: settings.absentParts,
      demo: state,
    });
  };
  note(demo ?? null);
  await waitReady(settings);
  const state = demoOrigin && demo ? await runDemo(settings, demo, demoOrigin, operator) : undefined;
  note(state ?? null);
  for (const part of parts) part.onRestart = () => note(state ?? null);
  if (isWatching) {
    const rebuilds = restartOnBuild(dist, [
      { folder: 'api', part: api },
      { folder: 'edge', part: edge },
      { folder: 'standalone', part: undefined },
    ]);
    stoppers.push(() => rebuilds.close());
  }
  announce(settings, state);
}

function controlEnvironment(
  settings: Settings,
  common: Environment,
  engines: Engines,
  demo: DemoState | undefined,
): Environment {
  return {
    ...common,
    DATABASE_URL: engines.databaseUrl,
    CLICKHOUSE_URL: engines.clickhouseUrl,
    CORDON_CONSOLE_DIR: join(dist, 'console'),
    CORDON_SECRET_KEY: settings.secretKey ?? readOrCreateSecret(join(settings.dataDirectory, 'secret-key'), 'base64'),
    CORDON_DNS_PASSWORD: readOrCreateSecret(join(settings.dataDirectory, 'dns-password'), 'base64url'),
    CORDON_UPSTREAM_ALLOW: [...settings.upstreamAllow, ...(demo ? [demo.origin] : [])].join(','),
    ...(demo ? { CORDON_DEMO: '1', CORDON_DEMO_SECRET: demo.secret } : {}),
  };
}

async function startEdge(
  settings: Settings,
  engines: Engines,
  environment: Environment,
  operator: ReturnType<typeof operatorRunner>,
): Promise<Part | undefined> {
  if (settings.absentParts.includes('edge')) return undefined;
  const credential = await nodeCredential(settings.dataDirectory, reachable(settings.bind), operator);
  const options = { agentPort: engines.ports.agent, credential };
  return startPart(edgePart(join(dist, 'edge/agent.js'), settings, options, environment), settings);
}

/** The name server, which the API has prepared the database for. */
async function startDns(settings: Settings, engines: Engines, environment: Environment): Promise<Part | undefined> {
  if (settings.absentParts.includes('dns')) return undefined;
  const options = { databaseUrl: readerUrl(engines.databaseUrl, environment.CORDON_DNS_PASSWORD ?? '') };
  return startPart(dnsPart(join(dist, 'standalone/name-server.js'), settings, options, environment), settings);
}

async function waitReady(settings: Settings): Promise<void> {
  let down: readonly string[] = [];
  const isReady = await until(async () => {
    if (isStopping) return true;
    down = await partsDown(apiUrl(settings), settings.absentParts);
    return down.length === 0;
  }, READY_SECONDS_MAX * 1000);
  if (!isReady)
    throw new StartFailure(
      `Not ready after ${READY_SECONDS_MAX} s: ${down.join(', ')}; see ${join(settings.dataDirectory, 'log')}.`,
    );
}

async function runDemo(
  settings: Settings,
  demo: DemoState,
  origin: DemoOrigin,
  operator: ReturnType<typeof operatorRunner>,
): Promise<DemoState> {
  const running = await startDemo({
    apiUrl: apiUrl(settings),
    dataDirectory: settings.dataDirectory,
    edge: settings.absentParts.includes('edge')
      ? undefined
      : { host: reachable(settings.bind), httpPort: settings.edgeHttpPort },
    secret: demo.secret,
    origin,
    operator,
  });
  stoppers.push(() => running.stop());
  return { ...demo, account: running.account };
}

function announce(settings: Settings, demo: DemoState | undefined): void {
  const edge = `http://${bracketed(reachable(settings.bind))}:${settings.edgeHttpPort}`;
  const lines = [
    `console  ${settings.origin}/`,
    settings.absentParts.includes('edge') ? 'edge     absent (see above)' : `edge     ${edge}`,
    settings.absentParts.includes('dns')
      ? 'dns      absent (see above)'
      : `dns      ${bracketed(reachable(settings.bind))}:${settings.dnsPort} (${settings.edgeDomain})`,
    `data     ${settings.dataDirectory}`,
    ...(demo?.account
      ? [
          // No list can block the loopback that a curl of this machine comes from.
          `visitor  curl … -H 'Cordon-Demo-Secret: ${demo.secret}' -H 'X-Forwarded-For: 198.41.128.7'`,
          `sign in  ${demo.account.email}  ${demo.account.password}`,
        ]
      : [`next     open ${settings.origin}/ and create an account, or sign in with the one you have`]),
    `ready ${settings.origin}`,
  ];
  if (!isStopping) process.stdout.write(`${lines.join('\n')}\n`);
}

// A terminal or pipe that went away is no reason to leave the parts behind.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) exitOn(signal);
if (process.env.CORDON_LAUNCHER_PID) {
  // Killed with -9, the launcher cannot pass anything on: its end is ours.
  const launcher = process.ppid;
  setInterval(() => {
    if (process.ppid !== launcher) void stopAll().then(() => process.exit(0));
  }, 1000).unref();
}
try {
  await start();
} catch (error) {
  if (!isStopping) {
    process.stderr.write(`${asStartFailure(error, 'the data directory').message}\n`);
    await stopAll();
    process.exit(1);
  }
}
