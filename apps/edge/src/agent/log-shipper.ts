import { randomBytes, randomUUID } from 'node:crypto';
import {
  closeSync,
  constants,
  existsSync,
  fchownSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  unlinkSync,
} from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { toAccessLogRow } from './access-log-row.ts';
import { countCache, noCacheCounts } from './cache-counts.ts';
import { ControlError } from './control-client.ts';
import { writeFileAtomically } from './files.ts';
import { log } from './log.ts';
import { hasOpen } from './processes.ts';
import type { FoundRows } from './row-audit.ts';

const CURRENT = 'current.ndjson';
/** The file that is to become the current one. */
const NEXT = 'next.ndjson';
const SEGMENT = /^segment-[0-9a-z]+\.ndjson$/;
const ROTATE_MS = 1000;
const POLL_MS = 100;
const ROTATE_BYTES = 8 * 1024 * 1024;
/** Bounds of one batch (apps/edge/README.md, "Edge control protocol"). */
const BATCH_ROWS_MAX = 20_000;
const BATCH_BYTES_MAX = 15 * 1024 * 1024;
const RETRY_FIRST_MS = 200;
const RETRY_LAST_MS = 10_000;

/** Answers to a batch that no repetition changes. */
const REFUSALS: ReadonlySet<number> = new Set([400, 413, 415, 422]);

export interface LogShipperOptions {
  readonly logsDir: string;
  readonly nodeName: string;
  readonly diskBytesMax: number;
  /** Owner of what nginx's workers must open; undefined when they are the agent's user. */
  readonly owner: { readonly uid: number; readonly gid: number } | undefined;
  /** Has nginx open its logs again. */
  readonly reopenLogs: () => void;
  /** Processes that may have a log open. */
  readonly writers: () => readonly number[];
  readonly send: (batch: string, body: Uint8Array<ArrayBuffer>) => Promise<void>;
}

/** With the last one, which a crash may have cut off. */
function countLines(content: Buffer): number {
  let lines = content.length > 0 && content.at(-1) !== 10 ? 1 : 0;
  for (let at = content.indexOf(10); at !== -1; at = content.indexOf(10, at + 1)) lines++;
  return lines;
}

/**
 * Cuts nginx's log into segments and sends each exactly once. A segment is sent in batches whose names and rows follow
 * from the segment alone, and is deleted once all of them are taken: whatever is killed in between, the same batches
 * are sent again and the control plane knows them by their names.
 */
export class LogShipper {
  readonly #options: LogShipperOptions;
  readonly #batchPrefix: string;
  #isStopped = false;
  #lastRotation = 0;
  #rotating: Promise<void> | undefined;
  #shipping: Promise<void> | undefined;
  /** Segments that no process writes any more. */
  readonly #closed = new Set<string>();
  /** Of an agent that ran before this one, which had counted them. */
  readonly #former: ReadonlySet<string>;
  #rowsFound = 0;
  #completeUntil = 0;
  rowsShipped = 0;
  rowsDropped = 0;
  linesInvalid = 0;
  /** Of the files that no process writes any more. */
  readonly cacheCounts = noCacheCounts();

  constructor(options: LogShipperOptions) {
    this.#options = options;
    mkdirSync(options.logsDir, { recursive: true });
    const idFile = join(options.logsDir, 'epoch');
    if (!existsSync(idFile)) writeFileAtomically(idFile, randomUUID().slice(0, 8));
    const node = options.nodeName.replace(/[^A-Za-z0-9._-]/g, '_');
    this.#batchPrefix = `${node}-${readFileSync(idFile, 'utf8')}`;
    this.#former = new Set(this.#segments());
  }

  #path(name: string): string {
    return join(this.#options.logsDir, name);
  }

  #segments(): string[] {
    return readdirSync(this.#options.logsDir)
      .filter((name) => SEGMENT.test(name))
      .sort();
  }

  /** Bytes that wait on disk. */
  get backlogBytes(): number {
    return [CURRENT, ...this.#segments()].reduce((sum, name) => sum + this.#size(name), 0);
  }

  #size(name: string): number {
    try {
      return statSync(this.#path(name)).size;
    } catch {
      return 0;
    }
  }

  /** Rows of the files that no process writes any more. */
  get found(): FoundRows {
    return { rows: this.#rowsFound, completeUntil: this.#completeUntil };
  }

  /** No nginx runs: what is there is complete. A cut-off last line must not get the next nginx's first behind it. */
  closeAll(): void {
    try {
      if (this.#size(CURRENT) > 0) this.#rename();
    } catch (error) {
      log.error('the access log cannot be rotated', { error });
    }
    for (const name of this.#segments()) this.#close(name);
  }

  #close(name: string): void {
    if (this.#closed.has(name)) return;
    const content = readFileSync(this.#path(name));
    this.#rowsFound += countLines(content);
    if (!this.#former.has(name)) countCache(content, this.cacheCounts);
    this.#closed.add(name);
  }

  /**
   * Sorts after every earlier one, also when the clock has gone back. On a full disk there may be no room for another
   * file: nginx goes on with the one that it has.
   */
  #rename(): void {
    this.#create(NEXT);
    const last = this.#segments().at(-1)?.slice(8, 17) ?? '';
    const time = Date.now().toString(36).padStart(9, '0');
    const stamp = time > last ? time : (Number.parseInt(last, 36) + 1).toString(36).padStart(9, '0');
    const name = `segment-${stamp}${randomBytes(3).toString('hex')}.ndjson`;
    renameSync(this.#path(CURRENT), this.#path(name));
    renameSync(this.#path(NEXT), this.#path(CURRENT));
  }

  /**
   * The workers' user may open files in the folder, and the file is its own from the start. The folder is that user's,
   * too: a link laid there would have root create a file of its choice and give it away.
   */
  #create(name: string): void {
    const path = this.#path(name);
    if (lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink()) unlinkSync(path);
    const { O_APPEND, O_CREAT, O_NOFOLLOW, O_WRONLY } = constants;
    const descriptor = openSync(path, O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW, 0o640);
    const { owner } = this.#options;
    if (owner) fchownSync(descriptor, owner.uid, owner.gid);
    closeSync(descriptor);
  }

  start(): void {
    if (!existsSync(this.#path(CURRENT))) this.#create(CURRENT);
    void this.#watch();
  }

  async #watch(): Promise<void> {
    while (!this.#isStopped) {
      try {
        const size = this.#size(CURRENT);
        const isDue = size > 0 && Date.now() - this.#lastRotation >= ROTATE_MS;
        if (isDue || size >= ROTATE_BYTES) await this.rotate();
        else if (this.#segments().some((name) => !this.#closed.has(name))) await this.#closeFinished();
        else if (size === 0) this.#completeUntil = performance.now();
        this.#boundDisk();
        this.#ship();
      } catch (error) {
        log.error('the access log cannot be rotated', { error });
        await delay(1000);
      }
      await delay(POLL_MS);
    }
  }

  /** Cuts off what has been written so far. Resolves when its segment is complete. */
  rotate(): Promise<void> {
    this.#rotating ??= this.#cut().finally(() => {
      this.#rotating = undefined;
    });
    return this.#rotating;
  }

  async #cut(): Promise<void> {
    this.#lastRotation = Date.now();
    if (this.#size(CURRENT) > 0) this.#rename();
    const cutAt = performance.now();
    await this.#closeFinished();
    this.#completeUntil = cutAt;
  }

  /** Waits until each process of nginx has written what it held and opened the new file. */
  async #closeFinished(): Promise<void> {
    for (const name of this.#segments()) {
      if (this.#closed.has(name)) continue;
      const path = this.#path(name);
      this.#options.reopenLogs();
      for (let round = 0; this.#options.writers().some((pid) => hasOpen(pid, path)); round++) {
        if (round % 100 === 99) this.#options.reopenLogs();
        await delay(round < 20 ? 5 : 50);
      }
      this.#close(name);
    }
  }

  /** Drops the oldest segments beyond the limit, and counts what is lost. */
  #boundDisk(): void {
    const segments = this.#segments().filter((name) => this.#closed.has(name));
    let bytes = this.backlogBytes;
    for (const name of segments) {
      if (bytes <= this.#options.diskBytesMax) return;
      bytes -= this.#size(name);
      const rows = countLines(readFileSync(this.#path(name)));
      this.rowsDropped += rows;
      log.error('access log dropped: the disk limit is reached', { segment: name, rows });
      this.#remove(name);
    }
  }

  #remove(name: string): void {
    this.#closed.delete(name);
    try {
      unlinkSync(this.#path(name));
    } catch {
      // Dropped meanwhile.
    }
  }

  #ship(): void {
    this.#shipping ??= this.#shipClosed().finally(() => {
      this.#shipping = undefined;
    });
  }

  async #shipClosed(): Promise<void> {
    for (const name of this.#segments()) {
      if (!this.#closed.has(name)) return;
      if (!(await this.#shipSegment(name))) return;
    }
  }

  /** Sends one segment until it is taken. False when it has to wait: the agent stops, or it was dropped. */
  async #shipSegment(name: string): Promise<boolean> {
    let waitMs = RETRY_FIRST_MS;
    while (true) {
      try {
        const { batches, invalid } = this.#toBatches(await readFile(this.#path(name)));
        const id = `${this.#batchPrefix}-${name.slice(8, -7)}`;
        for (const [part, { rows, body }] of batches.entries()) {
          await this.#sendBatch(part === 0 ? id : `${id}.${part}`, rows, body);
        }
        this.#remove(name);
        this.linesInvalid += invalid;
        this.rowsDropped += invalid;
        return true;
      } catch (error) {
        if (!existsSync(this.#path(name))) return false;
        if (this.#isStopped) return false;
        log.warn('access log waits for the control plane', { reason: error instanceof Error ? error.message : '' });
        await delay(waitMs * (0.5 + Math.random()));
        waitMs = Math.min(waitMs * 2, RETRY_LAST_MS);
        if (this.#isStopped) return false;
      }
    }
  }

  async #sendBatch(id: string, rows: number, body: Uint8Array<ArrayBuffer>): Promise<void> {
    try {
      await this.#options.send(id, body);
      this.rowsShipped += rows;
    } catch (error) {
      if (!(error instanceof ControlError) || !REFUSALS.has(error.status)) throw error;
      this.rowsDropped += rows;
      log.error('the control plane refuses a batch of the access log', { batch: id, rows, error });
    }
  }

  #toBatches(content: Buffer): { batches: { rows: number; body: Uint8Array<ArrayBuffer> }[]; invalid: number } {
    // Visitors can send bytes that are no UTF-8; the decoder replaces them.
    const lines = new TextDecoder().decode(content).split('\n');
    const batches: { rows: number; body: Uint8Array<ArrayBuffer> }[] = [];
    let part: string[] = [];
    let bytes = 0;
    let invalid = 0;
    const finish = () => {
      if (part.length > 0) batches.push({ rows: part.length, body: new TextEncoder().encode(part.join('')) });
      part = [];
      bytes = 0;
    };
    for (const line of lines) {
      if (line === '') continue;
      const row = toAccessLogRow(line);
      if (!row) {
        invalid++;
        continue;
      }
      const text = `${JSON.stringify(row)}\n`;
      if (part.length >= BATCH_ROWS_MAX || bytes + text.length * 3 > BATCH_BYTES_MAX) finish();
      part.push(text);
      bytes += text.length;
    }
    finish();
    return { batches, invalid };
  }

  /** Sends what is complete, for a bounded time; the rest stays on disk for the next start. */
  async stop(milliseconds: number): Promise<void> {
    const deadline = delay(milliseconds);
    await Promise.race([this.#rotating ?? Promise.resolve(), deadline]);
    this.closeAll();
    this.#ship();
    const drain = async () => {
      while (this.#segments().length > 0 && !this.#isStopped) {
        this.#ship();
        await Promise.race([this.#shipping, delay(50)]);
      }
    };
    await Promise.race([drain(), deadline]);
    this.#isStopped = true;
  }
}
