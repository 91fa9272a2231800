import { z } from 'zod';
import { UPSTREAM_TARGETS_MAX } from '../constants.ts';
import { parseDomainName } from '../domain-name.ts';
import { upstreamProtocol } from '../enumerations.ts';
import { type ErrorCode, type FieldErrorCode, fieldErrorsOf } from '../errors.ts';
import { isPlain, text } from '../text.ts';
import { groupName } from './groups.ts';
import { IMPORT_CELL_CHARACTERS_MAX, IMPORT_COLUMNS, IMPORT_NONE, type ImportColumn } from './import-columns.ts';
import { type Upstreams, upstreams as upstreamsSchema } from './routes.ts';

/** Values of the status column (product design, "How we read the unclear places"). */
const importStatus = z.enum(['running', 'deactivated']);
type ImportStatus = z.infer<typeof importStatus>;
const REMARKS_CHARACTERS_MAX = 1_000;
/** Of one cell that are told: each can be wrong in a thousand places, and a file has thousands of cells. */
const CELL_PROBLEMS_MAX = 10;

/** A row as the file has it: texts of its cells, by column; a column that the file lacks is absent. */
export const importRow = z.strictObject({
  row: z.number().int().min(1).max(2_000_000).describe('Number of the row in the file, to find it by the errors.'),
  domain_name: text(IMPORT_CELL_CHARACTERS_MAX),
  protocol: text(IMPORT_CELL_CHARACTERS_MAX).describe('`http`, `https` or `http_https`.'),
  upstreams: text(IMPORT_CELL_CHARACTERS_MAX).describe(
    'Targets as `host` or `host:port`, separated by spaces, line ends, semicolons, commas or bars.',
  ),
  status: text(IMPORT_CELL_CHARACTERS_MAX).describe('`running`: added and deployed. `deactivated`: added only.'),
  group: text(IMPORT_CELL_CHARACTERS_MAX, { seen: 'line' })
    .optional()
    .describe('Name of a group of the account, in any case; `-` for the default one.'),
  remarks: text(IMPORT_CELL_CHARACTERS_MAX, { seen: true }).optional().describe('`-` for none.'),
  shadow_domains: text(IMPORT_CELL_CHARACTERS_MAX)
    .optional()
    .describe('Names that show the same site, separated like targets; `-` for none. Of a row that is `running` only.'),
});
export type ImportRow = z.infer<typeof importRow>;

/** Whether `importRow` takes it. */
const isCell = (column: ImportColumn, value: unknown): boolean =>
  typeof value === 'string' &&
  value.length <= IMPORT_CELL_CHARACTERS_MAX &&
  (isPlain(value) || importRow.shape[column].safeParse(value).success);

/** Whether `importRow` would refuse it, for lists of thousands: without saying why. */
export function isNoImportRow(given: unknown): boolean {
  if (typeof given !== 'object' || given === null) return true;
  const { row, ...cells } = given as Record<string, unknown>;
  return (
    typeof row !== 'number' ||
    Object.entries(cells).some(
      ([column, value]) =>
        !(column in importRow.shape) || (value !== undefined && !isCell(column as ImportColumn, value)),
    ) ||
    [cells.domain_name, cells.protocol, cells.upstreams, cells.status].some((value) => value === undefined)
  );
}

/** What is wrong with a row; without a column it is the row as a whole. */
export interface ImportProblem {
  readonly row: number;
  readonly column: ImportColumn | null;
  readonly code: FieldErrorCode | ErrorCode;
  readonly params?: Readonly<Record<string, string | number>>;
}

/** What a row asks for. */
export interface ImportedDomain {
  readonly row: number;
  readonly domain_name: string;
  readonly upstreams: Upstreams;
  readonly status: ImportStatus;
  /** Name of a group; empty for the default one. */
  readonly group: string;
  readonly remarks: string;
  /** Only of a domain that is deployed (spec section 5). */
  readonly shadow_domains: readonly string[];
}

export interface ImportReading {
  /** Undefined when something is wrong. */
  readonly domain: ImportedDomain | undefined;
  /** The domain name, whatever else is wrong. */
  readonly name: string | undefined;
  /** The shadow domains that can be read, whatever else is wrong; of a cell with very many faults, those before them. */
  readonly shadowDomains: readonly string[];
  /** The targets, whatever else is wrong. */
  readonly upstreams: Upstreams | undefined;
  /** Name of a group; empty for the default one, and where no group can have it. */
  readonly group: string;
  readonly problems: readonly ImportProblem[];
}

/** Between targets and between shadow domains; Excel's line break inside a cell and the full-width signs of Chinese keyboards too. */
const SEPARATORS = /[\s;,|；，、｜]+/;

/** `host`, `host:port` or `[address]:port`. What it does not understand stays the host, for the contract to explain. */
function splitTarget(text: string): { host: string; port: number | null } {
  const match = /^(\[[0-9a-f:.]+\]|[^:[\]/]+):(\d{1,9})$/i.exec(text);
  return match?.[1] && match[2] ? { host: match[1], port: Number(match[2]) } : { host: text, port: null };
}

/** `http+https` and `HTTP/HTTPS` mean `http_https`. */
const protocolOf = (text: string) =>
  upstreamProtocol.safeParse(
    text
      .toLowerCase()
      .replace(/\s/g, '')
      .replace(/^http[+/&]https$/, 'http_https'),
  );

/**
 * Reads one row by the rules of spec section 5: no cell may be empty, the status has two values, the rest is judged by
 * the same parsers and schemas as one domain that is added. Names, plan, quota and special addresses are the API's.
 */
export function readImportRow(cells: ImportRow): ImportReading {
  const problems: ImportProblem[] = [];
  const counts = new Map<ImportColumn, number>();
  const add = (column: ImportColumn, code: FieldErrorCode, params?: ImportProblem['params']) => {
    const count = (counts.get(column) ?? 0) + 1;
    counts.set(column, count);
    if (count <= CELL_PROBLEMS_MAX) problems.push({ row: cells.row, column, code, ...(params ? { params } : {}) });
  };
  for (const column of IMPORT_COLUMNS) if (cells[column]?.trim() === '') add(column, 'IMPORT_CELL_EMPTY');

  /** The cell's text, or undefined where it is absent, empty, or said to be nothing. */
  const text = (column: ImportColumn): string | undefined => cells[column]?.trim() || undefined;
  const none = (column: ImportColumn): string => {
    const given = text(column);
    return given === undefined || given === IMPORT_NONE ? '' : given;
  };

  let name: string | undefined;
  const typedName = text('domain_name');
  if (typedName !== undefined) {
    const parsed = parseDomainName(typedName);
    if (parsed.ok) name = parsed.name;
    else add('domain_name', parsed.code);
  }
  const status = importStatus.safeParse(text('status')?.toLowerCase());
  if (!status.success && text('status') !== undefined) add('status', 'IMPORT_STATUS_UNKNOWN');
  const remarks = none('remarks');
  if (remarks.length > REMARKS_CHARACTERS_MAX) add('remarks', 'TOO_LONG', { maximum: REMARKS_CHARACTERS_MAX });

  const shadowDomains = new Set<string>();
  for (const typed of none('shadow_domains').split(SEPARATORS).filter(Boolean)) {
    // What more is wrong with the cell is not told.
    if ((counts.get('shadow_domains') ?? 0) >= CELL_PROBLEMS_MAX) break;
    const parsed = parseDomainName(typed);
    if (!parsed.ok) add('shadow_domains', parsed.code, { target: typed });
    else if (parsed.name === name) add('shadow_domains', 'SHADOW_IS_MAIN', { target: typed });
    else if (shadowDomains.has(parsed.name)) add('shadow_domains', 'DUPLICATE_ENTRY', { target: typed });
    else shadowDomains.add(parsed.name);
  }
  if (shadowDomains.size > 0 && status.success && status.data !== 'running')
    add('shadow_domains', 'IMPORT_SHADOW_DOMAINS_NEED_RUNNING');

  const protocol = protocolOf(text('protocol') ?? '');
  if (!protocol.success && text('protocol') !== undefined) add('protocol', 'IMPORT_PROTOCOL_UNKNOWN');
  // One more than there may be is enough to say that they are too many.
  const targets = none('upstreams')
    .split(SEPARATORS)
    .filter(Boolean)
    .slice(0, UPSTREAM_TARGETS_MAX + 1);
  if (targets.length === 0 && text('upstreams') !== undefined) add('upstreams', 'UPSTREAM_REQUIRED');
  // An unknown protocol hides nothing of what is wrong with the targets.
  const read = upstreamsSchema.safeParse({ protocol: protocol.data ?? 'http', targets: targets.map(splitTarget) });
  if (!read.success) {
    const found = fieldErrorsOf(read.error);
    for (const [path, code] of Object.entries(found.fields)) {
      const at = /^targets\.(\d+)/.exec(path)?.[1];
      // An upstream is no plugin's.
      add('upstreams', code as FieldErrorCode, {
        ...found.params[path],
        ...(at === undefined ? {} : { target: targets[Number(at)] ?? '' }),
      });
    }
  }
  const typedGroup = none('group');
  const group = typedGroup === '' ? undefined : groupName.safeParse(typedGroup);
  if (group?.error) {
    const { fields, params } = fieldErrorsOf(group.error);
    // A group is no plugin's.
    add('group', fields.body as FieldErrorCode, params.body);
  }
  // What is wrong with its meaning says more.
  for (const column of IMPORT_COLUMNS) {
    const cell = cells[column];
    if (cell !== undefined && !counts.has(column) && !isCell(column, cell)) add(column, 'TEXT_INVALID');
  }
  const known = {
    name,
    shadowDomains: [...shadowDomains],
    upstreams: targets.length > 0 ? read.data : undefined,
    group: group?.data ?? '',
    problems,
  };
  if (problems.length > 0 || name === undefined || !read.success || !status.success)
    return { domain: undefined, ...known };
  return {
    domain: {
      row: cells.row,
      domain_name: name,
      upstreams: read.data,
      status: status.data,
      group: known.group,
      remarks,
      shadow_domains: [...shadowDomains],
    },
    ...known,
  };
}

/** What of a row takes names. */
export interface NamedRow {
  readonly row: number;
  readonly name: string | undefined;
  readonly shadowDomains: readonly string[];
}

/** Asked for each row of a file in turn: whether one of its names, as domain or shadow domain, stands in a row before. */
export function createRepeatedNameCheck(): (row: NamedRow) => ImportProblem | undefined {
  const first = new Map<string, number>();
  return ({ row, name, shadowDomains }) => {
    const isMainRepeated = name !== undefined && first.has(name);
    const repeated = isMainRepeated ? name : shadowDomains.find((one) => first.has(one));
    const firstRow = repeated === undefined ? undefined : first.get(repeated);
    if (name !== undefined && !isMainRepeated) first.set(name, row);
    for (const one of shadowDomains) if (!first.has(one)) first.set(one, row);
    if (repeated === undefined) return undefined;
    const params = { first: firstRow ?? row, ...(isMainRepeated ? {} : { target: repeated }) };
    return {
      row,
      column: isMainRepeated ? 'domain_name' : 'shadow_domains',
      code: 'IMPORT_NAME_REPEATED',
      params,
    };
  };
}

/** Names that a file gives twice, as domains or shadow domains: reported once at each row but the first. */
export function findRepeatedNames(rows: readonly NamedRow[]): ImportProblem[] {
  const repeatedIn = createRepeatedNameCheck();
  return rows.flatMap((row) => repeatedIn(row) ?? []);
}
