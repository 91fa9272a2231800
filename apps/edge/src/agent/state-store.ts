import { randomUUID } from 'node:crypto';
import { closeSync, existsSync, fsync, mkdirSync, openSync, readFileSync, truncateSync, write } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { EdgeChange, EdgeSettings } from '@cordon/contract/edge-config';
import type { EdgeState, KnownRoute } from './edge-state.ts';
import { writeFileAtomically } from './files.ts';
import { log } from './log.ts';
import type { KnownEntry } from './own-bans.ts';

interface SnapshotHead {
  /** Empty: an agent that starts is to ask for a snapshot. */
  readonly epoch: string;
  readonly cursor: string;
  readonly settings?: EdgeSettings;
  /** Where the stream of feeds goes on; left out by an older agent, which had none. */
  readonly feeds_cursor?: string;
  /** Of routes and entries of feeds. */
  readonly count: number;
  /** Routes whose receipts were owed then; left out by an older agent. */
  readonly owed?: readonly string[];
  /** What was cleared by then; left out by an older agent. */
  readonly clears?: { readonly cursor: string; readonly epoch: string; readonly owed: readonly [string, number][] };
  /** Of the entries that follow this snapshot; those of an older journal may be of another history. */
  readonly journal?: string;
}

/** A route of the snapshot. */
interface RouteLine extends EdgeChange {
  /** nginx had not judged the route: what it served of it then, null for nothing. */
  readonly served?: KnownRoute | null;
}

/** One line of the journal: what came after the snapshot. */
interface JournalEntry {
  readonly journal?: string;
  readonly cursor?: string;
  /** The node owes the receipt of each. */
  readonly changes?: readonly EdgeChange[];
  /** Routes whose receipts it owes without a change. */
  readonly owed?: readonly string[];
  /** Routes whose receipts the control plane has. */
  readonly told?: readonly string[];
  /** Routes that nginx has judged as they are by then: what it served before is no longer needed. */
  readonly judged?: readonly string[];
  readonly settings?: EdgeSettings;
  readonly feeds_cursor?: string;
  readonly feeds?: readonly KnownEntry[];
  /** nginx has cleared what came until then; their receipts are owed. */
  readonly clears_cursor?: string;
  readonly cleared?: readonly [string, number][];
  /** Clears whose receipts the control plane has. */
  readonly cleared_told?: readonly string[];
  /** The cursor counts no more, also for an agent that starts again before it got the snapshot. */
  readonly needs_snapshot?: true;
}

/** All is written anew in one turn when it is longer: it holds a list of 100,000 addresses, of which nginx would hear later. */
const JOURNAL_BYTES_MAX = 32 * 1024 * 1024;
const RETRY_MS = 1000;
const writeAsync = promisify(write);
const fsyncAsync = promisify(fsync);

/**
 * The node's memory across restarts: a snapshot (replaced atomically) and a journal of the changes since. It lets the
 * edge serve while the control plane is down. Of routes that nginx has not judged yet it has the last good ones, too, and it knows
 * which receipts the control plane does not have yet.
 */
export class StateStore {
  readonly #snapshotFile: string;
  readonly #journalFile: string;
  #journal: number | undefined;
  #journalBytes = 0;
  #journalId = '';
  /** Entries could not be written: what is written behind them would hide that they are missing. */
  #hasGap = false;
  #retryAt = 0;
  #queue: string[] = [];
  #writing: Promise<void> | undefined;

  constructor(edgeDir: string) {
    const folder = join(edgeDir, 'state');
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    this.#snapshotFile = join(folder, 'snapshot.ndjson');
    this.#journalFile = join(folder, 'journal.ndjson');
  }

  /** Fills `state` from disk; false when there is nothing whole to read. */
  load(state: EdgeState): boolean {
    if (!existsSync(this.#snapshotFile)) return false;
    try {
      const [head, ...lines] = readFileSync(this.#snapshotFile, 'utf8').split('\n');
      const {
        epoch,
        cursor,
        settings,
        count,
        journal,
        feeds_cursor,
        owed = [],
        clears,
      } = JSON.parse(head ?? '') as SnapshotHead;
      const parts = lines.filter((line) => line !== '').map((line) => JSON.parse(line) as RouteLine | KnownEntry);
      if (parts.length !== count) throw new Error(`${parts.length} lines instead of ${count}`);
      const routes = parts.filter((part): part is RouteLine => 'route' in part);
      state.replace(epoch, cursor, routes);
      state.restoreServed(
        routes.flatMap(({ route_id, served }) => (served === undefined ? [] : [[route_id, served] as const])),
      );
      state.feeds.replace(parts.filter((part): part is KnownEntry => 'feed' in part));
      state.feeds.cursor = feeds_cursor ?? '';
      state.settings = settings;
      for (const id of owed) state.owed.add(id);
      state.clears.cursor = clears?.cursor ?? '';
      state.clears.epoch = clears?.epoch ?? '';
      for (const [id, milliseconds] of clears?.owed ?? []) state.clears.owed.set(id, milliseconds);
      this.#journalId = journal ?? '';
    } catch (error) {
      log.error('the local snapshot is damaged and left out', { error });
      return false;
    }
    this.#replay(state);
    return true;
  }

  #replay(state: EdgeState): void {
    if (!existsSync(this.#journalFile)) return;
    const bytes = readFileSync(this.#journalFile);
    // What follows the last line end was being written when the agent was killed. The next line must not be added to it.
    const end = bytes.lastIndexOf('\n') + 1;
    if (end < bytes.length) truncateSync(this.#journalFile, end);
    for (const line of bytes.toString('utf8', 0, end).split('\n')) {
      if (line === '') continue;
      try {
        const entry = JSON.parse(line) as JournalEntry;
        if ((entry.journal ?? '') !== this.#journalId) continue;
        for (const change of entry.changes ?? []) {
          state.apply(change);
          state.owed.add(change.route_id);
        }
        for (const id of entry.owed ?? []) state.owed.add(id);
        for (const id of entry.told ?? []) state.owed.delete(id);
        if (entry.clears_cursor !== undefined) state.clears.cursor = entry.clears_cursor;
        for (const [id, milliseconds] of entry.cleared ?? []) state.clears.owed.set(id, milliseconds);
        for (const id of entry.cleared_told ?? []) state.clears.owed.delete(id);
        state.noteJudged(entry.judged ?? []);
        if (entry.needs_snapshot) state.epoch = '';
        if (entry.cursor !== undefined) state.cursor = entry.cursor;
        if (entry.settings !== undefined) state.settings = entry.settings;
        for (const feedEntry of entry.feeds ?? []) state.feeds.apply(feedEntry);
        if (entry.feeds_cursor !== undefined) state.feeds.cursor = entry.feeds_cursor;
      } catch {
        return;
      }
    }
  }

  /** Writes everything anew and empties the journal. Where that fails, what is on disk stays, and it is tried again with later changes. */
  save(state: EdgeState): void {
    try {
      this.#write(state);
      this.#hasGap = false;
    } catch (error) {
      this.#hasGap = true;
      this.#retryAt = Date.now() + RETRY_MS;
      log.error('the local snapshot cannot be written', { error });
    }
  }

  #write(state: EdgeState): void {
    const journal = randomUUID();
    const feeds = [...state.feeds.entries()];
    const head: SnapshotHead = {
      journal,
      epoch: state.hasRefused ? '' : state.epoch,
      cursor: state.cursor,
      ...(state.settings ? { settings: state.settings } : {}),
      feeds_cursor: state.feeds.cursor,
      count: state.routes.size + feeds.length,
      owed: [...state.owed],
      clears: { cursor: state.clears.cursor, epoch: state.clears.epoch, owed: [...state.clears.owed] },
    };
    const lines = function* () {
      yield `${JSON.stringify(head)}\n`;
      for (const [route_id, { revision, route }] of state.routes) {
        const served = state.servedMeanwhile(route_id);
        // A snapshot has most routes as they were, which nginx then goes on to serve.
        const isOther = served !== undefined && JSON.stringify(served?.route) !== JSON.stringify(route);
        const line: RouteLine = { route_id, revision, route, ...(isOther ? { served } : {}) };
        yield `${JSON.stringify(line)}\n`;
      }
      for (const entry of feeds) yield `${JSON.stringify(entry)}\n`;
    };
    writeFileAtomically(this.#snapshotFile, lines());
    this.#journalId = journal;
    this.#queue = [];
    if (existsSync(this.#journalFile)) truncateSync(this.#journalFile);
    this.#journalBytes = 0;
  }

  /** Notes a change; it is on disk shortly after. A lost tail is sent again by the control plane (by its cursor). */
  append(entry: JournalEntry, state: EdgeState): void {
    const line = `${JSON.stringify({ journal: this.#journalId, ...entry })}\n`;
    this.#journalBytes += Buffer.byteLength(line);
    if (this.#hasGap || this.#journalBytes > JOURNAL_BYTES_MAX) {
      if (Date.now() >= this.#retryAt) this.save(state);
      return;
    }
    this.#queue.push(line);
    this.#writing ??= this.#flush().finally(() => {
      this.#writing = undefined;
    });
  }

  async #flush(): Promise<void> {
    try {
      this.#journal ??= openSync(this.#journalFile, 'a', 0o600);
      while (this.#queue.length > 0) {
        let rest = Buffer.from(this.#queue.splice(0).join(''));
        while (rest.length > 0) rest = rest.subarray((await writeAsync(this.#journal, rest)).bytesWritten);
        await fsyncAsync(this.#journal);
      }
    } catch (error) {
      this.#hasGap = true;
      log.error('the local journal cannot be written', { error });
    }
  }

  /** Resolves once all that was noted so far is on disk, or cannot be. */
  async settle(): Promise<void> {
    await this.#writing;
  }

  async close(): Promise<void> {
    await this.#writing;
    if (this.#journal !== undefined) closeSync(this.#journal);
    this.#journal = undefined;
  }
}
