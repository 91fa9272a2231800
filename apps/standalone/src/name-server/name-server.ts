import { chownSync, existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { findAccount } from '../process/system-account.ts';
import { copyConfig, databaseConfig, type PdnsPlace, type Source } from './pdns-config.ts';
import { type PdnsOptions, PdnsProcess } from './pdns-process.ts';
import { RecordsReader } from './records-reader.ts';
import { SourceChoice } from './source-choice.ts';
import { ZoneCopy } from './zone-copy.ts';

export interface NameServerSettings {
  readonly databaseUrl: string;
  readonly directory: string;
  readonly bind: string;
  readonly port: number;
  readonly program: string;
  /** Where the log of PowerDNS goes. */
  readonly output: 'inherit' | 'ignore';
}

const POLL_MS = 250;
/** A notification that got lost costs this much at most. */
const COPY_AGE_MS_MAX = 60_000;
/** About five seconds of questions. */
const UNHEARD_MAX = 8;
/** Of Debian's package; without it the one that has no rights at all. */
const ACCOUNTS = ['pdns', 'nobody'];

const say = (level: 'info' | 'warn', msg: string, reason?: unknown): void => {
  const detail = reason === undefined ? {} : { reason: reason instanceof Error ? reason.message : String(reason) };
  process.stdout.write(`${JSON.stringify({ level, msg, ...detail })}\n`);
};

/** Keeps one PowerDNS answering: from the database while that lives, from the last copy of it while it does not. */
export class NameServer {
  readonly #settings: NameServerSettings;
  readonly #options: PdnsOptions;
  readonly #copy: ZoneCopy;
  readonly #reader: RecordsReader;
  readonly #choice = new SourceChoice();
  #running: PdnsProcess | undefined;
  #zones: readonly string[] = [];
  #hasWarned = false;
  #isStopping = false;
  #work: Promise<void> | undefined;

  constructor(settings: NameServerSettings) {
    this.#settings = settings;
    const account =
      process.getuid?.() === 0 ? ACCOUNTS.map(findAccount).find((found) => found !== undefined) : undefined;
    if (!existsSync(settings.directory)) mkdirSync(settings.directory, { recursive: true, mode: 0o711 });
    const own = (path: string) => {
      if (account) chownSync(path, account.uid, account.gid);
    };
    const { program, bind, port, directory, output } = settings;
    this.#options = { program, bind, port, directory, output, account };
    this.#copy = new ZoneCopy(join(directory, 'copy'), own);
    this.#reader = new RecordsReader(settings.databaseUrl, () => this.#copy.markStale());
  }

  run(): void {
    this.#work = this.#watch();
  }

  async #watch(): Promise<void> {
    let copiedAt = performance.now();
    while (!this.#isStopping) {
      const isUp = await this.#look();
      if (performance.now() - copiedAt > COPY_AGE_MS_MAX) {
        copiedAt = performance.now();
        this.#copy.markStale();
      }
      // Not waited for: with many records it takes seconds.
      if (isUp) void this.#refreshCopy();
      const source = this.#choice.observe(isUp, this.#copy.zones.length > 0);
      await this.#endHung();
      if (source !== undefined) await this.#serve(source);
      await sleep(POLL_MS);
    }
  }

  /** Whether the database can answer, and PowerDNS from it. */
  async #look(): Promise<boolean> {
    try {
      this.#zones = await this.#reader.zones();
      this.#hasWarned = false;
    } catch (error) {
      if (!this.#hasWarned) say('warn', 'the database does not answer', error);
      this.#hasWarned = true;
      return false;
    }
    const [zone] = this.#zones;
    if (zone === undefined) return false;
    const { source, isAlive } = this.#running ?? {};
    return source !== 'database' || !isAlive || (this.#running as PdnsProcess).answers(zone);
  }

  /** One that hangs keeps its port, and `#serve` starts only what is dead. */
  async #endHung(): Promise<void> {
    const running = this.#running;
    if (!running?.isAlive) return;
    // The one that answers from the database has just been asked.
    if (running.source === 'copy') await running.answers(this.#copy.zones[0] ?? '');
    if (running.unheard <= UNHEARD_MAX) return;
    say('warn', 'PowerDNS does not answer; ending it');
    await running.stop();
  }

  async #refreshCopy(): Promise<void> {
    await this.#copy
      .refresh(this.#zones, () => this.#reader.records())
      .catch((error: unknown) => {
        say('warn', 'the copy of the records could not be renewed', error);
      });
  }

  async #serve(source: Source): Promise<void> {
    const former = this.#running;
    if (this.#isStopping || (former?.source === source && former.isAlive)) return;
    if (former && !former.isAlive) say('warn', 'PowerDNS ended; starting it again');
    const [zone] = source === 'database' ? this.#zones : this.#copy.zones;
    const config = (place: PdnsPlace) =>
      source === 'database'
        ? databaseConfig(place, this.#settings.databaseUrl)
        : copyConfig(place, this.#copy.namedConf);
    try {
      // First, since PowerDNS does not share its TCP port.
      await former?.stop();
      this.#running = await PdnsProcess.start(source, zone ?? '', this.#options, config, () => this.#isStopping);
      say(source === 'database' ? 'info' : 'warn', `answers from the ${source}`);
    } catch (error) {
      if (this.#isStopping) return;
      say('warn', 'PowerDNS could not be started', error);
      if (source === 'database') this.#choice.refuseDatabase(this.#copy.zones.length > 0);
    }
  }

  async stop(): Promise<void> {
    this.#isStopping = true;
    await this.#work;
    this.#reader.close();
    await this.#running?.stop();
  }
}
