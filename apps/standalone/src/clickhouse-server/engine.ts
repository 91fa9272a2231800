import { Session } from 'chdb';
import pLimit, { type LimitFunction } from 'p-limit';
import { outputFormat, parseBodyInsert, quote, settingAssignments } from './statement.ts';

export interface EngineRequest {
  readonly statement: string;
  /** Rows of an INSERT; undefined when the statement carries everything itself. */
  readonly body: Buffer | undefined;
  readonly database: string;
  readonly settings: ReadonlyMap<string, string>;
  readonly parameters: ReadonlyMap<string, string>;
  readonly defaultFormat: string;
}

export interface EngineResult {
  readonly bytes: Uint8Array;
  readonly format: string;
  readonly rowsRead: number;
  readonly bytesRead: number;
  readonly rowsWritten: number;
  readonly bytesWritten: number;
  readonly elapsedSeconds: number;
}

/** Formats whose rows the engine takes as raw bytes, without the text passing through JavaScript. */
const RAW_FORMATS = ['JSONEachRow', 'JSONCompactEachRow', 'TSV', 'TabSeparated', 'TSVWithNames'] as const;
type RawFormat = (typeof RAW_FORMATS)[number] | 'TabSeparatedWithNames' | 'CSV' | 'CSVWithNames';
const rawFormats: readonly string[] = [...RAW_FORMATS, 'TabSeparatedWithNames', 'CSV', 'CSVWithNames'];

/**
 * chDB with one persistent directory. Queries run on libuv's threads, so the event loop stays free; at most
 * `concurrency` at once, the rest wait their turn. A query gets a session of its own (0.1 ms), so that no setting,
 * parameter or current database leaks into the next one.
 */
export class Engine {
  readonly #directory: string;
  readonly #keeper: Session;
  readonly #limit: LimitFunction;
  #probing: Promise<void> | undefined;

  private constructor(directory: string, concurrency: number) {
    this.#directory = directory;
    // The engine shuts down with its last session: this one holds it open.
    this.#keeper = new Session(directory);
    this.#limit = pLimit(concurrency);
  }

  /** Opens the directory (created when absent). Only one process may have it open: chDB itself does not check. */
  static open(directory: string, concurrency: number): Engine {
    return new Engine(directory, concurrency);
  }

  /** Runs one statement and resolves with its whole result. Throws chDB's error, which carries the ClickHouse code. */
  run(request: EngineRequest): Promise<EngineResult> {
    return this.#limit(async () => {
      const session = new Session(this.#directory);
      try {
        await prepare(session, request);
        return await execute(session, request);
      } finally {
        session.close();
      }
    });
  }

  /** Resolves when the engine has done the least it can do, beside whatever else it is at. */
  probe(): Promise<void> {
    this.#probing ??= this.#selectOne().finally(() => {
      this.#probing = undefined;
    });
    return this.#probing;
  }

  async #selectOne(): Promise<void> {
    const session = new Session(this.#directory);
    try {
      await session.queryAsync('SELECT 1');
    } finally {
      session.close();
    }
  }

  close(): void {
    this.#keeper.close();
  }
}

async function prepare(session: Session, request: EngineRequest): Promise<void> {
  const assignments = [...request.parameters].map(([name, value]) => `param_${name} = ${quote(value)}`);
  if (request.settings.size > 0) assignments.unshift(settingAssignments(request.settings));
  if (request.database !== 'default') await session.queryAsync(`USE \`${request.database.replaceAll('`', '')}\``);
  if (assignments.length > 0) await session.queryAsync(`SET ${assignments.join(', ')}`);
}

async function execute(session: Session, request: EngineRequest): Promise<EngineResult> {
  const { statement, body, defaultFormat } = request;
  if (body) {
    const insert = parseBodyInsert(statement);
    if (insert && rawFormats.includes(insert.format)) {
      if (insert.settings) await session.queryAsync(`SET ${insert.settings}`);
      return insertRaw(session, insert.table, insert.columns, insert.format as RawFormat, body);
    }
  }
  const text = body ? `${statement}\n${body.toString('utf8')}` : statement;
  const result = await session.queryAsync(text, { format: defaultFormat });
  return {
    bytes: result.bytes(),
    format: outputFormat(statement) ?? defaultFormat,
    rowsRead: result.rowsRead,
    bytesRead: result.bytesRead,
    rowsWritten: 0,
    bytesWritten: 0,
    elapsedSeconds: result.elapsed,
  };
}

async function insertRaw(
  session: Session,
  table: string,
  columns: string[] | undefined,
  format: RawFormat,
  values: Buffer,
): Promise<EngineResult> {
  const summary = await session.insert({ table, values, format, ...(columns ? { columns } : {}) });
  return {
    bytes: new Uint8Array(),
    format,
    rowsRead: summary.rowsSent ?? summary.rowsWritten,
    bytesRead: summary.bytesSent,
    rowsWritten: summary.rowsWritten,
    bytesWritten: summary.bytesWritten,
    elapsedSeconds: summary.elapsed,
  };
}
