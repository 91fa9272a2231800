import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { type ClientOf, createClientOf, operations } from '../../packages/contract/index.ts';
import { pluginOperations } from '../../packages/plugins/generated/operations.ts';
import { freePorts } from './free-ports.ts';

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const run = promisify(execFile);
const START_SECONDS_MAX = 90;
const calls = { ...operations, ...pluginOperations };

/** The API as customers call it, the calls of plugins too. */
export type CustomerClient = ClientOf<typeof calls>;

/** Where a running instance is. */
export interface InstanceAddress {
  readonly dataDirectory: string;
  readonly ports: Instance['ports'];
}

/** A whole Cordon on this machine, started as `npm start` starts it, with its own data directory and ports. */
export class Instance {
  #main: ChildProcess | undefined;
  /** What the process has printed since its last start. */
  output = '';

  private constructor(
    readonly dataDirectory: string,
    readonly ports: {
      readonly api: number;
      readonly edgeHttp: number;
      readonly edgeHttps: number;
      readonly dns: number;
    },
    readonly environment: NodeJS.ProcessEnv,
    readonly args: readonly string[],
  ) {}

  static async start(
    options: { environment?: Record<string, string>; args?: readonly string[]; dataDirectory?: string } = {},
  ): Promise<Instance> {
    const [api = 0, edgeHttp = 0, edgeHttps = 0, dns = 0] = await freePorts(4);
    const dataDirectory = options.dataDirectory ?? (await mkdtemp(join(tmpdir(), 'cordon-test-')));
    const environment = {
      ...process.env,
      CORDON_DATA_DIR: dataDirectory,
      CORDON_PORT: String(api),
      CORDON_EDGE_HTTP_PORT: String(edgeHttp),
      CORDON_EDGE_HTTPS_PORT: String(edgeHttps),
      CORDON_DNS_PORT: String(dns),
      ...options.environment,
    };
    const instance = new Instance(dataDirectory, { api, edgeHttp, edgeHttps, dns }, environment, options.args ?? []);
    await instance.startAgain().catch((error: Error) => {
      // Of two that start at the same moment each may have found the same port free; the second start chooses another.
      if (!error.message.includes('EADDRINUSE')) throw error;
      return instance.startAgain();
    });
    return instance;
  }

  /** One that another process has started, and stops. */
  static at({ dataDirectory, ports }: InstanceAddress): Instance {
    return new Instance(dataDirectory, ports, { ...process.env, CORDON_DATA_DIR: dataDirectory }, []);
  }

  /** Starts the same instance once more; resolves at the ready line, rejects with the output when it never comes. */
  async startAgain(): Promise<void> {
    this.output = '';
    const main = spawn(process.execPath, [join(root, 'dist/standalone/main.js'), ...this.args], {
      cwd: root,
      env: this.environment,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.#main = main;
    await new Promise<void>((resolve, reject) => {
      const timer = setTimeout(
        () => reject(new Error(`not ready in ${START_SECONDS_MAX} s:\n${this.output}`)),
        START_SECONDS_MAX * 1000,
      );
      const read = (chunk: Buffer) => {
        this.output += chunk.toString();
        if (/^ready /m.test(this.output)) {
          clearTimeout(timer);
          resolve();
        }
      };
      main.stdout?.on('data', read);
      main.stderr?.on('data', read);
      main.once('exit', (code, signal) => {
        clearTimeout(timer);
        reject(new Error(`ended with ${code ?? signal} before it was ready:\n${this.output}`));
      });
    });
  }

  get origin(): string {
    return `http://127.0.0.1:${this.ports.api}`;
  }

  /** `running.json` as it is now. */
  get running(): {
    pids: Record<string, number>;
    ports: { agent: number };
    databaseUrl: string;
    clickhouseUrl: string;
    demo: { secret: string; account?: { email: string; password: string } } | null;
  } {
    return JSON.parse(readFileSync(join(this.dataDirectory, 'running.json'), 'utf8'));
  }

  pid(part: 'main' | 'postgres' | 'clickhouse' | 'api' | 'edge' | 'dns'): number {
    const pid = this.running.pids[part];
    if (pid === undefined) throw new Error(`running.json names no ${part}`);
    return pid;
  }

  /** The nginx master that the agent supervises. */
  get nginxPid(): number {
    const state = readFileSync(join(this.dataDirectory, 'edge/nginx.json'), 'utf8');
    return (JSON.parse(state) as { process: { pid: number } }).process.pid;
  }

  /** The operator's command line; gives what it printed. */
  async operator(...args: string[]): Promise<string> {
    const { stdout } = await run(process.execPath, [join(root, 'dist/api/operator.js'), ...args], {
      cwd: root,
      env: this.environment,
    });
    return stdout.trim();
  }

  /** The API with a token of this account. */
  client(token: string): CustomerClient {
    return createClientOf(calls, {
      origin: this.origin,
      headers: () => ({ authorization: `Bearer ${token}` }),
      timeoutMs: 20_000,
    });
  }

  /** Kills the supervising process with -9 and waits for its end; the parts are left to themselves. */
  async killMain(): Promise<void> {
    const main = this.#main;
    if (!main || main.exitCode !== null) return;
    const ended = once(main, 'exit');
    main.kill('SIGKILL');
    await ended;
  }

  /** Ctrl-C; resolves when the supervising process has ended. */
  async interrupt(): Promise<void> {
    const main = this.#main;
    if (!main || main.exitCode !== null) return;
    const ended = once(main, 'exit');
    main.kill('SIGINT');
    await ended;
  }

  async stop(): Promise<void> {
    const main = this.#main;
    if (main && main.exitCode === null && main.signalCode === null) {
      const ended = once(main, 'exit');
      main.kill('SIGTERM');
      await ended;
    }
    await rm(this.dataDirectory, { recursive: true, force: true });
  }
}
