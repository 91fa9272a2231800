import {
  createRepeatedNameCheck,
  type FieldErrorCode,
  type ImportColumn,
  type ImportedDomain,
  type ImportProblem,
  type ImportReading,
  type ImportRow,
  isWildcardName,
  readImportRow,
  type Upstreams,
} from '@cordon/contract';
import { createConcurrencyLimit, forEachConcurrently } from '../../platform/concurrency-limit.ts';
import type { Db } from '../../platform/database.ts';
import { type Egress, EgressError } from '../../platform/egress.ts';
import { AppError, fieldErrors } from '../../platform/errors.ts';
import { createPace } from '../../platform/turns.ts';
import type { ConfigCheck } from '../domains/service.ts';
import type { GroupService } from '../groups/service.ts';
import { findNames, type NameRules, type OwnershipProof, shadowDomainFaultOf, spansOthers } from '../names/service.ts';
import { applyChange, EMPTY_CONFIG } from '../routes/service.ts';
import type { SubscriptionService } from '../subscriptions/service.ts';

export interface ImportFinding {
  /** Rows without a problem, in the file's order. */
  readonly domains: readonly ImportedDomain[];
  /** In the file's order. */
  readonly problems: readonly ImportProblem[];
  readonly names: { readonly needed: number; readonly left: number };
}

export interface ImportCheck {
  /**
   * What each row asks for. Throws one error that names the wrong cells (`rows.3.status`) when a row is wrong without regard to others
   * or beside the others, SUBSCRIPTION_NOT_FOUND, and PLAN_REQUIRED. What only DNS and the database know is not asked.
   */
  requireRows(accountId: string, cname: string, rows: readonly ImportRow[]): Promise<ImportedDomain[]>;
  /**
   * What adding each row would be refused for, by the checks that adding one domain makes. Writes nothing. Throws
   * SUBSCRIPTION_NOT_FOUND, and PLAN_REQUIRED for a subscription that is not active.
   */
  check(accountId: string, cname: string, rows: readonly ImportRow[]): Promise<ImportFinding>;
}

export interface ImportCheckParts {
  readonly db: Db;
  readonly subscriptions: SubscriptionService;
  readonly rules: NameRules;
  readonly egress: Egress;
  readonly proof: OwnershipProof;
  readonly groups: GroupService;
  readonly configCheckWith: (egress: Egress) => ConfigCheck;
}

/** Of one question to the database. */
const NAMES_AT_ONCE = 100;
const CHECKS_AT_ONCE = 20;
/** DNS is asked for so long; targets that are not known by then are looked at when the domain is added. */
const DNS_MS_MAX = 8_000;
/** Names of other accounts that are looked up for a proof; further proofs are found when the domain is added. */
const PROOFS_MAX = 50;
/** Of a call that is refused; the preview tells more. */
const ERRORS_SHOWN_MAX = 200;

/** What is told of a file in full; of rows beyond it the first problem each. */
const PROBLEMS_MAX = 10_000;

/** Problems of a file. Each row that has any is in it, however many there are. */
function createProblemList() {
  const kept: ImportProblem[] = [];
  const rows = new Set<number>();
  return {
    kept,
    rows,
    add(...problems: readonly ImportProblem[]) {
      for (const problem of problems) {
        if (kept.length < PROBLEMS_MAX || !rows.has(problem.row)) kept.push(problem);
        rows.add(problem.row);
      }
    },
  };
}

/** Works on many with a few at a time; the event loop gets its turn in between. */
async function forEachOf<T>(items: Iterable<T>, atOnce: number, work: (item: T) => Promise<void>): Promise<void> {
  const pace = createPace();
  await forEachConcurrently(items, atOnce, async (item) => {
    await pace();
    await work(item);
  });
}

/** Caches lookups by host and port: the rows of a file share their targets. */
function cachedEgress(egress: Egress): Egress {
  const until = Date.now() + DNS_MS_MAX;
  const known = new Map<string, Promise<string[]>>();
  /** Names beyond the account's rate are looked up when the domain is added. */
  const lookUp = (accountId: string, host: string, port: number) =>
    egress.resolve(accountId, host, port).catch((error: unknown) => {
      const isLate = error instanceof EgressError && error.failure === 'rate_limited';
      throw isLate ? new EgressError('unresolved') : error;
    });
  return {
    ...egress,
    resolve(accountId, host, port) {
      const key = `${host} ${port}`;
      const answer =
        known.get(key) ??
        (Date.now() > until ? Promise.reject(new EgressError('unresolved')) : lookUp(accountId, host, port));
      known.set(key, answer);
      return answer;
    },
  };
}

/** What a row asks for as far as it can be read: all of its faults are told at once, not the next when the first is mended. */
type ReadRow = Pick<ImportReading, 'name' | 'shadowDomains' | 'upstreams' | 'group'> & { readonly row: number };
const NO_TARGETS: Upstreams['targets'] = [];

const columnOf = (path: string): ImportColumn =>
  path.startsWith('upstreams.protocol') ? 'protocol' : path.startsWith('upstreams') ? 'upstreams' : 'domain_name';

/** Problems of a row from what a check of one domain threw. */
function problemsOf({ row, upstreams }: ReadRow, error: unknown): ImportProblem[] {
  if (!(error instanceof AppError)) throw error;
  const fields = Object.entries(error.fields);
  if (fields.length === 0) return [{ row, column: null, code: error.code, params: error.params[error.code] ?? {} }];
  return fields.map(([path, code]) => {
    const at = /^upstreams\.targets\.(\d+)/.exec(path)?.[1];
    const target = at === undefined ? undefined : (upstreams?.targets ?? NO_TARGETS)[Number(at)]?.host;
    // A row configures no plugin.
    return {
      row,
      column: columnOf(path),
      code: code as FieldErrorCode,
      params: { ...error.params[path], ...(target ? { target } : {}) },
    };
  });
}

/** Problems as field errors at the positions of the request. */
function rowErrors(rows: readonly ImportRow[], problems: readonly ImportProblem[]): AppError {
  const positions = new Map(rows.map(({ row }, index) => [row, index]));
  const fields: Record<string, FieldErrorCode> = {};
  const params: Record<string, Record<string, string | number>> = {};
  for (const { row, column, code, params: values } of problems.slice(0, ERRORS_SHOWN_MAX)) {
    const path = `rows.${positions.get(row)}${column === null ? '' : `.${column}`}`;
    fields[path] ??= code as FieldErrorCode;
    if (values) params[path] ??= { ...values };
  }
  return fieldErrors(fields, params);
}

export function createImportCheck(parts: ImportCheckParts): ImportCheck {
  const { db, subscriptions, proof } = parts;
  // A file is seconds of work: those of one account come one after the other.
  const byAccount = createConcurrencyLimit(1);

  async function read(rows: readonly ImportRow[]) {
    const domains: ImportedDomain[] = [];
    const readRows: ReadRow[] = [];
    const problems = createProblemList();
    const repeated: ImportProblem[] = [];
    const repeatedIn = createRepeatedNameCheck();
    await forEachOf(rows, 1, async (row) => {
      const reading = readImportRow(row);
      problems.add(...reading.problems);
      const again = repeatedIn({ row: row.row, name: reading.name, shadowDomains: reading.shadowDomains });
      if (again) repeated.push(again);
      else {
        readRows.push({ ...reading, row: row.row });
        if (reading.domain) domains.push(reading.domain);
      }
    });
    problems.add(...repeated);
    return { domains, readRows, problems };
  }

  /** Names that the account has, and names of others that it has not proved to be its own. */
  async function findConflicts(accountId: string, readRows: readonly ReadRow[]): Promise<ImportProblem[]> {
    if (readRows.length === 0) return [];
    const wildcardsAbove = (name: string) =>
      name
        .split('.')
        .slice(1)
        .map((_, at, labels) => `*.${labels.slice(at).join('.')}`);
    const names = readRows.flatMap(({ name, shadowDomains }) => [
      ...(name === undefined ? [] : [name]),
      ...shadowDomains,
    ]);
    const holders = new Map<string, string>();
    for (let at = 0; at < names.length; at += NAMES_AT_ONCE) {
      const asked = names.slice(at, at + NAMES_AT_ONCE).flatMap((name) => [name, ...wildcardsAbove(name)]);
      for (const holder of await findNames(db, [...new Set(asked)])) holders.set(holder.name, holder.account_id);
    }
    const problems: ImportProblem[] = [];
    let proofs = 0;
    interface WantedName {
      readonly row: number;
      readonly name: string;
      readonly column: ImportColumn;
      readonly params: Readonly<Record<string, string>>;
    }
    function* wanted(): Generator<WantedName> {
      for (const { row, name, shadowDomains } of readRows) {
        if (name !== undefined) yield { row, name, column: 'domain_name', params: {} };
        for (const shadow of shadowDomains)
          yield { row, name: shadow, column: 'shadow_domains', params: { target: shadow } };
      }
    }
    await forEachOf(wanted(), CHECKS_AT_ONCE, async ({ row, name, column, params }) => {
      const holder = holders.get(name);
      if (holder === accountId) return void problems.push({ row, column, code: 'DOMAIN_NAME_YOURS', params });
      const isSpanned = isWildcardName(name)
        ? await spansOthers(db, accountId, name)
        : wildcardsAbove(name).some((above) => holders.has(above) && holders.get(above) !== accountId);
      if (holder === undefined && !isSpanned) return;
      if (proofs++ < PROOFS_MAX && (await proof.hasTxtProof(accountId, name))) return;
      const record = proof.txtRecord(accountId, name);
      problems.push({
        row,
        column,
        code: holder === undefined ? 'WILDCARD_SPANS_OTHERS' : 'DOMAIN_NAME_TAKEN',
        params: { ...params, txt_name: record.name, txt_value: record.value },
      });
    });
    return problems;
  }

  async function findSubscription(accountId: string, cname: string) {
    const subscription = await subscriptions.get(accountId, { cname });
    if (subscription.status !== 'active')
      throw new AppError('PLAN_REQUIRED', { message: 'The subscription is not active.' });
    return subscription;
  }

  async function checkRows(accountId: string, cname: string, rows: readonly ImportRow[]): Promise<ImportFinding> {
    const subscription = await findSubscription(accountId, cname);
    const { domains, readRows, problems } = await read(rows);
    const configCheck = parts.configCheckWith(cachedEgress(parts.egress));
    const canHaveWildcards = subscription.features.wildcard_domain;
    await forEachOf(readRows, CHECKS_AT_ONCE, async (given) => {
      const { row, name = '', upstreams, shadowDomains } = given;
      const fault = name === '' ? undefined : parts.rules.faultOf(name);
      if (fault !== undefined) problems.add({ row, column: 'domain_name', code: fault });
      if (isWildcardName(name) && !canHaveWildcards)
        problems.add({ row, column: 'domain_name', code: 'WILDCARD_NEEDS_VIP' });
      const draft = upstreams ? applyChange(EMPTY_CONFIG, { upstreams }) : EMPTY_CONFIG;
      for (const shadow of shadowDomains) {
        const code = shadowDomainFaultOf(parts.rules, shadow, { mainName: name, configs: [draft], canHaveWildcards });
        if (code !== undefined) problems.add({ row, column: 'shadow_domains', code, params: { target: shadow } });
      }
      if (upstreams)
        try {
          await configCheck.check(draft, subscription, { accountId, name });
        } catch (error) {
          problems.add(...problemsOf(given, error));
        }
    });
    for (const conflict of await findConflicts(accountId, readRows)) problems.add(conflict);
    const named = new Set(readRows.flatMap(({ group }) => group || []));
    const groups = await parts.groups.findByName(accountId, [...named]);
    for (const { row, group } of readRows)
      if (group !== '' && !groups.has(group)) problems.add({ row, column: 'group', code: 'IMPORT_GROUP_UNKNOWN' });
    const good = domains.filter(({ row }) => !problems.rows.has(row));
    const total = subscription.features.domains + subscription.additional_domain_number;
    const left = Math.max(0, total - subscription.names_used);
    let needed = 0;
    const fitting = good.filter((domain) => {
      needed += 1 + domain.shadow_domains.length;
      if (needed > left) problems.add({ row: domain.row, column: null, code: 'QUOTA_REACHED' });
      return needed <= left;
    });
    return {
      domains: fitting,
      problems: problems.kept.sort((one, other) => one.row - other.row),
      names: { needed, left },
    };
  }

  return {
    async requireRows(accountId, cname, rows) {
      await findSubscription(accountId, cname);
      const { domains, problems } = await byAccount.run(accountId, () => read(rows));
      if (problems.kept.length > 0) throw rowErrors(rows, problems.kept);
      return domains;
    },
    check: (accountId, cname, rows) => byAccount.run(accountId, () => checkRows(accountId, cname, rows)),
  };
}
