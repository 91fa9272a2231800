import { AUDIT_RETENTION_DAYS, type AuditLine, type AuditValue, type Page } from '@cordon/contract';
import { csvLine } from '../../platform/csv.ts';
import type { Db } from '../../platform/database.ts';
import { notFound } from '../../platform/errors.ts';
import { unicodeName } from '../../platform/unicode-name.ts';
import * as repository from './repository.ts';

/** The audit log of an account, as its users read it. Modules write their lines by `platform/audit.ts`. */
export interface AuditService {
  /** Newest first. `count` goes up to AUDIT_LIST_MAX. */
  list(filter: repository.AuditFilter, page: Page): Promise<{ results: AuditLine[]; count: number }>;
  /** One line. Throws NOT_FOUND for another account's, and for one that is forgotten. */
  get(accountId: string, id: number): Promise<AuditLine>;
  /** Lines of CSV, newest first, at most AUDIT_EXPORT_MAX besides the header. */
  exportCsv(filter: repository.AuditFilter): AsyncIterable<string>;
  /** Forgets the lines of all accounts that are older than AUDIT_RETENTION_DAYS, in pieces. */
  forgetOld(): Promise<void>;
}

const CSV_HEADER = [
  'time',
  'actor_kind',
  'actor',
  'action',
  'object_kind',
  'object_id',
  'object_name',
  'reason',
  'changes',
  'details',
  'address',
  'user_agent',
];

const A_LABEL = /(^|\.)xn--/;

const isList = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((entry) => typeof entry === 'string');

/** What a module noted, in the few types that are shown. */
function toValue(value: unknown): AuditValue {
  if (value === null || value === undefined) return null;
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return value;
  return isList(value) ? value : JSON.stringify(value);
}

/** A domain name as people write it. */
const readable = (name: string): string => (A_LABEL.test(name) ? unicodeName(name) : name);

function objectOf({ subject, details }: repository.AuditRow): {
  object: Omit<AuditLine['object'], 'exists'>;
  rest: object;
} {
  const [kind = '', id] = subject.split(' ');
  const { domain_name: domainName, ...others } = details;
  const { name, ...rest } = others;
  const called = domainName ?? name;
  return {
    object: { kind, id: id ?? null, name: typeof called === 'string' ? readable(called) : null },
    // Beside the domain it is another name, such as that of a shadow domain.
    rest: domainName === undefined ? rest : others,
  };
}

function toLine(row: repository.AuditRow, existing: ReadonlySet<string>): AuditLine {
  const { object, rest } = objectOf(row);
  return {
    id: row.id,
    at: row.at,
    actor: { kind: row.actor_kind, name: row.actor },
    action: row.action,
    object: { ...object, exists: object.id !== null && existing.has(object.id) },
    reason: row.reason,
    details: Object.fromEntries(Object.entries(rest).map(([key, value]) => [key, toValue(value)])),
    changes: row.changes.map(({ field, before, after }) => ({ field, before, after })),
    address: row.address,
    user_agent: row.user_agent,
  };
}

const valueText = (value: AuditValue): string => (Array.isArray(value) ? value.join(', ') : String(value ?? ''));

function csvOf(row: repository.AuditRow): string {
  const { object, changes, details, ...line } = toLine(row, new Set());
  return csvLine([
    line.at,
    line.actor.kind,
    line.actor.name,
    line.action,
    object.kind,
    object.id,
    object.name,
    line.reason,
    changes.map(({ field, before, after }) => `${field}: ${valueText(before)} → ${valueText(after)}`).join('; '),
    Object.entries(details)
      .map(([key, value]) => `${key}: ${valueText(value)}`)
      .join('; '),
    line.address,
    line.user_agent,
  ]);
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

export function createAuditService(db: Db): AuditService {
  async function toLines(accountId: string, rows: readonly repository.AuditRow[]): Promise<AuditLine[]> {
    const ids = rows.flatMap((row) => objectOf(row).object.id ?? []).filter((id) => UUID.test(id));
    const existing = await repository.findExisting(db, accountId, [...new Set(ids)]);
    return rows.map((row) => toLine(row, existing));
  }

  return {
    async list(filter, page) {
      const { rows, count } = await repository.listLines(db, filter, page);
      return { results: await toLines(filter.accountId, rows), count };
    },
    async get(accountId, id) {
      const row = await repository.findLine(db, accountId, id);
      const [line] = row ? await toLines(accountId, [row]) : [];
      if (!line) throw notFound();
      return line;
    },
    async *exportCsv(filter) {
      yield csvLine(CSV_HEADER);
      for await (const rows of repository.readLines(db, filter)) yield rows.map(csvOf).join('');
    },
    async forgetOld() {
      while ((await repository.forgetOldest(db, AUDIT_RETENTION_DAYS)) > 0);
    },
  };
}
