import { appendFileSync, renameSync, statSync } from 'node:fs';

const FILE_BYTES_MAX = 16 * 1024 * 1024;
const LINES_KEPT = 40;
const LINE_CHARACTERS_MAX = 2000;
const WORTH_SHOWING = /\b(?:warn(?:ing)?|error|fatal|panic|emerg|alert|crit)\b/i;
const PINO_WARNING = 40;
/** In trouble a part says the same thing over and over: the terminal shows it once in this time. */
const REPEAT_MS = 30_000;
const REPEATS_KEPT = 200;
/** Warnings of no use to the operator; they stay in the part's file. */
const HARMLESS = [
  // Node's hint on how to see where a warning came from.
  '--trace-warnings',
  // On Node 20, which the library's authors no longer try; our own tests walk through every flow on it.
  'oidc-provider WARNING: Unsupported runtime',
];

/**
 * One part's output: all of it in a file (one older file is kept), warnings and errors on the terminal behind the
 * part's name, and the last lines in memory for a message about a failed start.
 */
export class PartLog {
  readonly #name: string;
  readonly #file: string;
  readonly #recent: string[] = [];
  readonly #shownAt = new Map<string, number>();
  #unfinished = '';
  #isQuiet = false;
  #held: string[] | undefined;

  constructor(name: string, file: string) {
    this.#name = name;
    this.#file = file;
  }

  /** Until `release`, lines worth showing wait: a start that fails prints its own message. */
  hold(): void {
    this.#held = [];
  }

  release(): void {
    const held = this.#held ?? [];
    this.#held = undefined;
    for (const line of held) this.#show(line);
  }

  /** While a part is being stopped, its complaints about the others going away are for the file only. */
  silence(): void {
    this.#isQuiet = true;
  }

  /** Takes a piece of output, which need not end with a line. Returns the whole lines it completed. */
  write(chunk: string): string[] {
    const lines = (this.#unfinished + chunk).split('\n');
    this.#unfinished = (lines.pop() ?? '').slice(-LINE_CHARACTERS_MAX * 8);
    for (const line of lines) this.#line(line);
    if (lines.length > 0) this.#append(`${lines.join('\n')}\n`);
    return lines;
  }

  recent(): string[] {
    return [...this.#recent];
  }

  #line(line: string): void {
    this.#recent.push(line.slice(0, LINE_CHARACTERS_MAX));
    if (this.#recent.length > LINES_KEPT) this.#recent.shift();
    const shown = this.#isQuiet ? undefined : readableLine(line);
    if (shown === undefined || this.#isRepeated(shown)) return;
    if (this.#held) this.#held.push(shown);
    else this.#show(shown);
  }

  #show(line: string): void {
    process.stderr.write(`[${this.#name}] ${line.slice(0, LINE_CHARACTERS_MAX)}\n`);
  }

  /** Lines are the same when only their numbers and ids differ. */
  #isRepeated(line: string): boolean {
    const words = line.replace(/\b(?=[0-9a-f-]*\d)[0-9a-f-]{8,}\b|\d+/g, '#');
    const now = performance.now();
    if (now - (this.#shownAt.get(words) ?? Number.NEGATIVE_INFINITY) < REPEAT_MS) return true;
    if (this.#shownAt.size >= REPEATS_KEPT) this.#shownAt.clear();
    this.#shownAt.set(words, now);
    return false;
  }

  #append(text: string): void {
    try {
      appendFileSync(this.#file, text, { mode: 0o600 });
      if (statSync(this.#file).size > FILE_BYTES_MAX) renameSync(this.#file, `${this.#file}.1`);
    } catch {
      // A full disk must not stop the parts: the terminal still shows their errors.
    }
  }
}

/** What of a line is worth showing; undefined for lines below a warning. Understands pino's JSON and the agent's. */
export function readableLine(line: string): string | undefined {
  const entry = line.startsWith('{') ? parseEntry(line) : undefined;
  if (entry) {
    if (!isWarning(entry.level)) return undefined;
    const texts = [entry.msg ?? entry.message, entry.reason, entry.err?.message];
    return texts.filter((text) => typeof text === 'string').join(': ') || line;
  }
  return WORTH_SHOWING.test(line) && !isHarmless(line) ? line : undefined;
}

/** Whether a line warns of something that asks for nothing. */
export function isHarmless(line: string): boolean {
  return HARMLESS.some((text) => line.includes(text));
}

interface LogEntry {
  readonly level: unknown;
  readonly msg?: unknown;
  readonly message?: unknown;
  readonly reason?: unknown;
  readonly err?: { readonly message?: unknown };
}

function parseEntry(line: string): LogEntry | undefined {
  try {
    const entry = JSON.parse(line) as LogEntry;
    return entry.level === undefined ? undefined : entry;
  } catch {
    return undefined;
  }
}

function isWarning(level: unknown): boolean {
  return typeof level === 'number' ? level >= PINO_WARNING : WORTH_SHOWING.test(String(level));
}
