import { type ChildProcess, spawn } from 'node:child_process';
import { Resolver } from 'node:dns/promises';
import { chownSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../process/ports.ts';
import { asAccount, type SystemAccount } from '../process/system-account.ts';
import { until } from '../process/until.ts';
import type { PdnsPlace, Source } from './pdns-config.ts';

export interface PdnsOptions {
  readonly program: string;
  /** Where its configuration is written. */
  readonly directory: string;
  readonly bind: string;
  readonly port: number;
  readonly account: SystemAccount | undefined;
  /** Where its log goes. */
  readonly output: 'inherit' | 'ignore';
}

/** Of many domains' zone files, on a busy machine. */
const READY_MS_MAX = 120_000;
const STOP_MS_MAX = 2_000;
const ANSWER_MS_MAX = 500;
const PORTS_FOR_ALL = 1024;

/** One PowerDNS process, answering from one source. */
export class PdnsProcess {
  readonly source: Source;
  readonly #child: ChildProcess;
  readonly #resolver = new Resolver({ timeout: ANSWER_MS_MAX, tries: 1 });
  readonly #socketDirectory: string;
  /** Questions in a row that got no answer at all, not even a refusal. */
  unheard = 0;

  private constructor(source: Source, child: ChildProcess, place: PdnsPlace) {
    this.source = source;
    this.#child = child;
    this.#socketDirectory = place.socketDirectory;
    this.#resolver.setServers([`127.0.0.1:${place.privatePort}`]);
    child.once('exit', () => rmSync(this.#socketDirectory, { recursive: true, force: true }));
  }

  /** Starts it, and resolves when it answers for the zone. Throws when it does not, or when it is not wanted any more. */
  static async start(
    source: Source,
    zone: string,
    options: PdnsOptions,
    config: (place: PdnsPlace) => string,
    isCancelled: () => boolean = () => false,
  ): Promise<PdnsProcess> {
    const { account, directory, bind, port } = options;
    // In /tmp because the paths of sockets are limited to 107 bytes.
    const socketDirectory = mkdtempSync(join(tmpdir(), 'cordon-dns-'));
    const place = { bind, port, privatePort: await freePort(), socketDirectory };
    const file = join(directory, `pdns-${source}.conf`);
    rmSync(file, { force: true });
    writeFileSync(file, config(place), { mode: 0o600 });
    if (account) for (const path of [socketDirectory, file]) chownSync(path, account.uid, account.gid);
    const args = [`--config-dir=${directory}`, `--config-name=${source}`];
    const {
      command,
      args: full,
      options: identity,
    } = asAccount(account, options.program, args, [file], port < PORTS_FOR_ALL);
    const child = spawn(command, full, { ...identity, cwd: '/', stdio: ['ignore', options.output, options.output] });
    child.once('error', (error) => process.stderr.write(`error: ${error.message}\n`));
    const process_ = new PdnsProcess(source, child, place);
    let isReady = false;
    const isDecided = async () => {
      if (!process_.isAlive || isCancelled()) return true;
      isReady = await process_.answers(zone);
      return isReady;
    };
    await until(isDecided, READY_MS_MAX, 20);
    if (isReady && process_.isAlive) return process_;
    await process_.stop();
    throw new Error(`PowerDNS did not answer for ${zone} from the ${source}`);
  }

  get isAlive(): boolean {
    return this.#child.pid !== undefined && this.#child.exitCode === null && this.#child.signalCode === null;
  }

  /** Whether this very process answers for the zone. */
  async answers(zone: string): Promise<boolean> {
    try {
      await this.#resolver.resolveSoa(zone);
      this.unheard = 0;
      return true;
    } catch (error) {
      this.unheard = (error as NodeJS.ErrnoException).code === 'ETIMEOUT' ? this.unheard + 1 : 0;
      return false;
    }
  }

  async stop(): Promise<void> {
    this.#child.kill('SIGTERM');
    if (await until(() => !this.isAlive, STOP_MS_MAX, 10)) return;
    this.#child.kill('SIGKILL');
    await until(() => !this.isAlive, STOP_MS_MAX, 10);
  }
}
