import { type AccessLogRow, accessLogRow } from '@cordon/contract';
import { z } from 'zod';

/** Bounds of one batch (apps/edge/README.md, "Edge control protocol"). */
export const BATCH_ROWS_MAX = 20_000;
export const BATCH_BYTES_MAX = 16 * 1024 * 1024;

/** Longest line that can hold a valid row: every string at its bound, each character escaped. */
const LINE_CHARACTERS_MAX = 64 * 1024;
/** A node's clock may be ahead by this much. */
const FUTURE_MS_MAX = 10 * 60_000;
const DAY_MS = 86_400_000;
const LINES_BETWEEN_PAUSES = 500;

/** Account and route of rows that no domain answered. */
export const NO_ID = '00000000-0000-0000-0000-000000000000';

/** Why a row was not stored. */
export type DropReason = 'invalid' | 'foreign_route' | 'outside_retention';

/** The batch is over its bounds; nothing of it is stored. */
export class BatchTooLarge extends Error {
  override readonly name = 'BatchTooLarge';
}

export interface ParsedBatch {
  readonly rows: readonly AccessLogRow[];
  readonly invalid: number;
}

const uuid = z.uuid();
const pause = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/**
 * Reads NDJSON. A line that is no valid row is counted and left out, so that it cannot hold up the batch it is in.
 * Bytes that are no UTF-8 become U+FFFD. Throws BatchTooLarge past the bounds.
 */
export async function parseBatch(ndjson: AsyncIterable<Uint8Array | string>): Promise<ParsedBatch> {
  const rows: AccessLogRow[] = [];
  let invalid = 0;
  let lines = 0;
  for await (const line of linesOf(ndjson)) {
    if (line.trim() === '') continue;
    lines += 1;
    if (lines > BATCH_ROWS_MAX) throw new BatchTooLarge(`more than ${BATCH_ROWS_MAX} rows`);
    const row = parseLine(line);
    if (row) rows.push(row);
    else invalid += 1;
    if (lines % LINES_BETWEEN_PAUSES === 0) await pause();
  }
  return { rows, invalid };
}

async function* linesOf(ndjson: AsyncIterable<Uint8Array | string>): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8');
  let rest = '';
  let bytes = 0;
  for await (const chunk of ndjson) {
    bytes += chunk.length;
    if (bytes > BATCH_BYTES_MAX) throw new BatchTooLarge(`more than ${BATCH_BYTES_MAX} bytes`);
    const lines = (rest + (typeof chunk === 'string' ? chunk : decoder.decode(chunk, { stream: true }))).split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
  rest += decoder.decode();
  if (rest !== '') yield rest;
}

function parseLine(line: string): AccessLogRow | undefined {
  if (line.length > LINE_CHARACTERS_MAX) return undefined;
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return undefined;
  }
  const result = accessLogRow.safeParse(value);
  if (!result.success) return undefined;
  const row = result.data;
  if (row.route_id !== '' && !uuid.safeParse(row.route_id).success) return undefined;
  return row;
}

export interface RouteOwner {
  readonly account_id: string;
  readonly czone: string;
}

export interface SortedRows {
  /**
   * Lines of JSONCompactEachRow in the order of `ROW_COLUMNS`, by UTC day (`2026-11-20`): a day is a partition, and what
   * goes into one partition is stored whole or not at all.
   */
  readonly days: ReadonlyMap<string, readonly string[]>;
  readonly dropped: Readonly<Record<Exclude<DropReason, 'invalid'>, number>>;
}

/** Columns of `requests` in the order that `sortRows` writes them. */
export const ROW_COLUMNS = [
  'time',
  'account_id',
  'route_id',
  'node_id',
  'batch',
  'request_id',
  'host',
  'method',
  'path',
  'query',
  'scheme',
  'protocol',
  'status',
  'bytes_sent',
  'bytes_received',
  'duration_ms',
  'client_address',
  'country',
  'user_agent',
  'referer',
  'upstream_address',
  'upstream_status',
  'upstream_ms',
  'cache',
  'plugin',
  'action',
  'reason',
  'rule',
  'version',
  'is_test',
  'raw_path',
  'cache_reason',
] as const;

export interface SortOptions {
  readonly nodeId: string;
  readonly batch: string;
  /** Czones of the node: only their routes' rows are taken from it. */
  readonly czones: readonly string[];
  /** Owners of the routes that the batch names. The account in a row itself is never looked at. */
  readonly owners: ReadonlyMap<string, RouteOwner>;
  readonly retentionDays: number;
  readonly now: number;
}

/** Gives each row its account and its day; leaves out rows of routes that are not the node's, and rows out of time. */
export function sortRows(rows: readonly AccessLogRow[], options: SortOptions): SortedRows {
  const days = new Map<string, string[]>();
  const dropped = { foreign_route: 0, outside_retention: 0 };
  // The oldest day that is wholly within retention: what is due for removal could vanish before it is acknowledged.
  const earliest = Math.ceil((options.now - (options.retentionDays - 1) * DAY_MS) / DAY_MS) * DAY_MS;
  for (const row of rows) {
    const milliseconds = Math.round(row.time * 1000);
    if (milliseconds < earliest || milliseconds > options.now + FUTURE_MS_MAX) {
      dropped.outside_retention += 1;
      continue;
    }
    const owner = row.route_id === '' ? undefined : options.owners.get(row.route_id.toLowerCase());
    if (row.route_id !== '' && !(owner && options.czones.includes(owner.czone))) {
      dropped.foreign_route += 1;
      continue;
    }
    const time = new Date(milliseconds).toISOString();
    const day = time.slice(0, 10);
    const lines = days.get(day);
    const line = encodeRow(row, time, owner?.account_id ?? NO_ID, options);
    if (lines) lines.push(line);
    else days.set(day, [line]);
  }
  return { days, dropped };
}

function encodeRow(row: AccessLogRow, time: string, accountId: string, options: SortOptions): string {
  const values = [
    `${time.slice(0, 10)} ${time.slice(11, 23)}`,
    accountId,
    row.route_id === '' ? NO_ID : row.route_id.toLowerCase(),
    options.nodeId,
    options.batch,
    row.request_id,
    row.host,
    row.method,
    row.path,
    row.query,
    row.scheme,
    row.protocol,
    within(row.status, 65_535),
    within(row.bytes_sent),
    within(row.bytes_received),
    within(row.duration_ms),
    row.client_address,
    row.country,
    row.user_agent,
    row.referer,
    row.upstream_address,
    within(row.upstream_status, 65_535),
    within(row.upstream_ms),
    row.cache,
    row.plugin,
    row.action,
    row.reason,
    row.rule,
    within(row.version, 4_294_967_295),
    row.is_test ?? false,
    row.raw_path ?? '',
    row.cache_reason ?? '',
  ];
  const line = JSON.stringify(values);
  // JSON.stringify escapes a lone half of a surrogate pair and nothing else as \\ud…; ClickHouse refuses it, and would
  // refuse the whole batch again and again.
  return line.includes('\\ud') ? JSON.stringify(values.map(wellFormed)) : line;
}

const wellFormed = (value: string | number | boolean) =>
  typeof value === 'string' ? value.replaceAll(/\p{Surrogate}/gu, '\ufffd') : value;
const within = (value: number, maximum = Number.MAX_SAFE_INTEGER): number => Math.min(Math.max(value, 0), maximum);
