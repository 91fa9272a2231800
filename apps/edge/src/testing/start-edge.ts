import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { EdgeFeedEntry, EdgeRoute } from '@cordon/contract/edge-config';
import { AdminClient } from '../agent/admin-client.ts';
import { adminSocketIn } from '../agent/run-dir.ts';
import type { RunnerBans } from '../runner/payload.ts';
import { agentFile, buildEdge, luaDir } from './build-edge.ts';
import { ControlPlane, TEST_CREDENTIAL } from './control-plane.ts';
import { freePort, releasePort, TEST_PORTS } from './ports.ts';
import { testSettings } from './routes.ts';

const root = resolve(fileURLToPath(import.meta.url), '../../../../..');
export const DEMO_SECRET = 'demo-secret-of-the-tests';

export interface StartEdgeOptions {
  readonly routes?: readonly EdgeRoute[];
  readonly feeds?: readonly EdgeFeedEntry[];
  /** Added to the agent's environment. */
  readonly environment?: Readonly<Record<string, string>>;
  readonly workers?: number;
  /** Another name of 127.0.0.1, by which the agent reaches the control plane. */
  readonly controlHost?: string;
  /** Put in the place of the machine's `/etc/resolv.conf`, for the agent alone: takes root. */
  readonly resolvConf?: string;
}

export interface EdgeAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
}

export interface EdgeRequestOptions {
  readonly method?: string;
  readonly path?: string;
  readonly headers?: Readonly<Record<string, string | string[]>>;
  readonly body?: string;
  /** Client address and country, as the demo's secret lets them be given. */
  readonly from?: string;
  readonly country?: string;
  readonly asn?: number;
}

const hasText = (path: string, text: RegExp): boolean => existsSync(path) && text.test(readFileSync(path, 'utf8'));

/** A real edge: agent, nginx and a control plane to steer them with. */
export class TestEdge {
  readonly control: ControlPlane;
  readonly httpPort: number;
  readonly httpsPort: number;
  readonly agentPort: number;
  readonly dir: string;
  readonly #environment: Readonly<Record<string, string>>;
  readonly #options: Pick<StartEdgeOptions, 'resolvConf' | 'controlHost'>;
  #agent: ChildProcess | undefined;
  #stderr = '';

  constructor(
    control: ControlPlane,
    ports: readonly [number, number, number],
    environment: Readonly<Record<string, string>>,
    options: Pick<StartEdgeOptions, 'resolvConf' | 'controlHost'> = {},
  ) {
    this.#options = options;
    this.control = control;
    [this.httpPort, this.httpsPort, this.agentPort] = ports;
    this.dir = environment.CORDON_EDGE_DIR ?? mkdtempSync(join(tmpdir(), 'cordon-edge-test-'));
    this.#environment = environment;
  }

  get agentPid(): number {
    if (this.#agent?.pid === undefined) throw new Error('The agent does not run');
    return this.#agent.pid;
  }

  /** Pid of nginx's master. */
  get nginxPid(): number {
    return (JSON.parse(readFileSync(join(this.dir, 'nginx.json'), 'utf8')) as { process: { pid: number } }).process.pid;
  }

  /** Folder with nginx's sockets. */
  get runDir(): string {
    return (JSON.parse(readFileSync(join(this.dir, 'nginx.json'), 'utf8')) as { runDir: string }).runDir;
  }

  /** What a process that speaks to nginx as the agent does is given. */
  async takeBans(): Promise<RunnerBans> {
    const admin = new AdminClient(adminSocketIn(this.runDir));
    try {
      return await admin.takeBans(undefined);
    } finally {
      admin.close();
    }
  }

  get stderr(): string {
    return this.#stderr;
  }

  get errorLog(): string {
    return readFileSync(join(this.dir, 'error.log'), 'utf8');
  }

  startAgent(): void {
    const allowed = Array.from(
      { length: TEST_PORTS.last - TEST_PORTS.first + 1 },
      (_, at) => `127.0.0.1:${TEST_PORTS.first + at}`,
    );
    const program = [process.execPath, '--enable-source-maps', agentFile];
    const [command = '', ...args] =
      this.#options.resolvConf === undefined
        ? program
        : [
            'unshare',
            '-m',
            'sh',
            '-c',
            `mount --bind ${this.#options.resolvConf} /etc/resolv.conf && exec "$@"`,
            'sh',
            ...program,
          ];
    const agent = spawn(command, args, {
      cwd: root,
      stdio: ['ignore', 'ignore', 'pipe'],
      env: {
        PATH: process.env.PATH,
        CORDON_CONTROL_URL: this.control.url.replace('127.0.0.1', this.#options.controlHost ?? '127.0.0.1'),
        CORDON_NODE_CREDENTIAL: TEST_CREDENTIAL,
        CORDON_NODE_NAME: 'test',
        CORDON_EDGE_DIR: this.dir,
        CORDON_EDGE_HTTP_PORT: String(this.httpPort),
        CORDON_EDGE_HTTPS_PORT: String(this.httpsPort),
        CORDON_AGENT_PORT: String(this.agentPort),
        CORDON_EDGE_ROUTES_MB: '16',
        CORDON_EDGE_LUA: luaDir,
        CORDON_UPSTREAM_ALLOW: allowed.join(','),
        CORDON_DEMO_SECRET: DEMO_SECRET,
        ...this.#environment,
      },
    });
    agent.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.#stderr += text;
      if (process.env.EDGE_TEST_VERBOSE) process.stderr.write(text);
    });
    this.#agent = agent;
  }

  /** What the agent's `/metrics` says. */
  async metrics(): Promise<string> {
    return (await fetch(`http://127.0.0.1:${this.agentPort}/metrics`)).text();
  }

  /** Waits until the agent says that the node is ready. */
  async ready(milliseconds = 60_000): Promise<void> {
    const deadline = Date.now() + milliseconds;
    while (Date.now() < deadline) {
      const answer = await fetch(`http://127.0.0.1:${this.agentPort}/readyz`).catch(() => undefined);
      if (answer?.ok) return;
      if (this.#agent?.exitCode !== null) break;
      await delay(20);
    }
    throw new Error(`The edge did not become ready.\n${this.#stderr}\n${this.#readErrorLog()}`);
  }

  /** Waits until the node has cleared what one before it may have stored: it does so just after it is ready, and what it stores until then is lost. */
  async cleared(milliseconds = 20_000): Promise<void> {
    const journal = join(this.dir, 'logs/cache/clears.journal');
    const deadline = Date.now() + milliseconds;
    // The line of the clear, or what the memory had when its lines were put aside.
    while (!hasText(journal, /\t\*\tall\t/) && !hasText(`${journal}.known`, /\tr:\*\tnumber\t[1-9]/)) {
      if (Date.now() > deadline) throw new Error('The edge has not cleared its cache');
      await delay(20);
    }
  }

  #readErrorLog(): string {
    try {
      return this.errorLog;
    } catch {
      return '';
    }
  }

  /** `kill -9`. */
  async killAgent(): Promise<void> {
    await this.#endAgent('SIGKILL');
  }

  async stopAgent(): Promise<void> {
    await this.#endAgent('SIGTERM');
  }

  async #endAgent(signal: NodeJS.Signals): Promise<void> {
    const agent = this.#agent;
    this.#agent = undefined;
    if (!agent || agent.exitCode !== null || agent.signalCode !== null) return;
    const over = new Promise((resolve) => agent.once('exit', resolve));
    agent.kill(signal);
    await over;
  }

  /** Deploys the route and waits for the receipt that proves it live. */
  async deploy(route: EdgeRoute): Promise<void> {
    const revision = this.control.push(route.id, route);
    await this.control.until(
      () => this.control.receipts.some((receipt) => receipt.route_id === route.id && receipt.revision >= revision),
      `the receipt of ${route.hosts[0]?.name}`,
    );
  }

  async remove(routeId: string): Promise<void> {
    const revision = this.control.push(routeId, null);
    await this.control.until(
      () => this.control.receipts.some((receipt) => receipt.route_id === routeId && receipt.revision >= revision),
      'the receipt of a removal',
    );
  }

  /** One request over HTTP, on a connection of its own. */
  request(host: string, options: EdgeRequestOptions = {}): Promise<EdgeAnswer> {
    const demo = {
      ...(options.from === undefined && options.country === undefined && options.asn === undefined
        ? {}
        : { 'Cordon-Demo-Secret': DEMO_SECRET }),
      ...(options.from === undefined ? {} : { 'X-Forwarded-For': options.from }),
      ...(options.country === undefined ? {} : { 'Cordon-Demo-Country': options.country }),
      ...(options.asn === undefined ? {} : { 'Cordon-Demo-Asn': String(options.asn) }),
    };
    return new Promise((resolve, reject) => {
      const call = request(
        {
          host: '127.0.0.1',
          port: this.httpPort,
          method: options.method ?? 'GET',
          path: options.path ?? '/',
          headers: { host, ...demo, ...options.headers },
          agent: false,
        },
        (response) => {
          let body = '';
          response.setEncoding('utf8');
          response.on('data', (part: string) => {
            body += part;
          });
          response.on('error', reject);
          response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, body }));
        },
      );
      call.on('error', reject);
      call.end(options.body);
    });
  }

  /** Stops everything and removes the data. */
  async stop(): Promise<void> {
    if (!this.#agent) {
      // A killed agent's nginx is only found by the next one.
      this.startAgent();
      await this.ready().catch(() => {});
    }
    await this.stopAgent();
    await this.control.stop();
    for (const port of [this.httpPort, this.httpsPort, this.agentPort]) releasePort(port);
    rmSync(this.dir, { recursive: true, force: true });
  }
}

/** Starts an edge that knows `routes`, and waits until it is ready, and keeps what it stores. */
export async function startEdge(options: StartEdgeOptions = {}): Promise<TestEdge> {
  await buildEdge();
  const control = new ControlPlane(testSettings());
  for (const route of options.routes ?? []) control.push(route.id, route);
  if (options.feeds) control.pushFeeds(options.feeds);
  await control.start();
  const ports = [await freePort(), await freePort(), await freePort()] as const;
  const edge = new TestEdge(
    control,
    ports,
    {
      ...(options.workers === undefined ? {} : { CORDON_EDGE_WORKERS: String(options.workers) }),
      ...options.environment,
    },
    options,
  );
  edge.startAgent();
  try {
    await edge.ready();
    await edge.cleared();
  } catch (error) {
    await edge.stopAgent();
    await control.stop();
    throw error;
  }
  return edge;
}
