import { isDeepStrictEqual } from 'node:util';
import {
  type Page,
  type PluginEntry,
  RULE_LIST_COMPARED_MAX,
  type RuleDomain,
  type RuleDomainState,
  type RuleLists,
} from '@cordon/contract';
import { PluginFault } from '@cordon/plugin-kit';
import { LRUCache } from 'lru-cache';
import { createConcurrencyLimit } from '../../platform/concurrency-limit.ts';
import type { Db } from '../../platform/database.ts';
import { inTurn } from '../../platform/turns.ts';
import { bringEntry, materialiseBrought } from '../routes/service.ts';
import {
  type Against,
  type ApplicationRow,
  findUnlike,
  listApplications,
  type UnlikeEntry,
  unlikeApplications,
} from './application-repository.ts';
import type { RuleHead } from './repository.ts';

/** How domains stand to the rule that they got. */
export interface Drift {
  list(rule: RuleHead, q: string | undefined, page: Page): Promise<{ results: RuleDomain[]; count: number }>;
  /** Domains that got the rule and are no longer as it says, by name. */
  differing(rule: RuleHead): Promise<{ id: string; domain_name: string }[]>;
  /** How many those are of each rule of a page; null of one whose domains are too many for the answer. */
  countEach(rules: readonly (RuleHead & { readonly domains: number })[]): Promise<(number | null)[]>;
}

/** Each compares lists of up to a hundred domains in the database. */
const READS_PER_ACCOUNT = 2;
const JUDGED_MAX = 50_000;
/** Entries with lists of thousands. */
const PARSED_MAX = 4;

/** Whether bringing it would change nothing; what cannot be merged would. */
async function has(own: PluginEntry | undefined, brought: PluginEntry, lists: RuleLists): Promise<boolean> {
  try {
    const entry = await inTurn(() => bringEntry(own, brought, lists));
    return await inTurn(() => isDeepStrictEqual(entry, own));
  } catch (error) {
    if (error instanceof PluginFault) return false;
    throw error;
  }
}

function stateOf(differing: readonly string[], drifted: readonly string[]): RuleDomainState {
  if (differing.length === 0) return 'same';
  return drifted.length > 0 ? 'drifted' : 'rule_changed';
}

export function createDrift(db: Db): Drift {
  const reads = createConcurrencyLimit(READS_PER_ACCOUNT);
  /** By mode and hashes: what two texts make of each other is the same on every domain and in every call. */
  const judged = new LRUCache<string, boolean>({ max: JUDGED_MAX });

  /** A reader for one call, which keeps the entries that it parsed last: a rule's are compared with each domain's. */
  function createJudge(rule: RuleHead) {
    const parsed = new LRUCache<string, { entry: PluginEntry | undefined }>({ max: PARSED_MAX });

    /**
     * An entry as today's schema of its plugin reads it, so that two that were kept before and after a field existed
     * are equal.
     */
    async function read(text: string | null, hash: string | null): Promise<PluginEntry | undefined> {
      if (text === null || hash === null) return undefined;
      const known = parsed.get(hash);
      if (known) return known.entry;
      const raw = await inTurn(() => JSON.parse(text) as PluginEntry);
      const entry = await inTurn(() => materialiseBrought([raw])[0]);
      parsed.set(hash, { entry });
      return entry;
    }

    async function isSame(row: ApplicationRow, one: UnlikeEntry): Promise<boolean> {
      const modes: Record<Against, RuleLists> = { rule: rule.lists, applied: row.applied_lists, live: 'replace' };
      const lists = modes[one.against];
      const key = `${lists} ${one.name} ${one.wanted} ${one.actual}`;
      const known = judged.get(key);
      if (known !== undefined) return known;
      const found = await findUnlike(db, rule, row.route_id, one);
      // The domain was changed meanwhile.
      if (!found) return true;
      const brought = await read(found.wanted, found.wanted_hash);
      const own = await read(found.actual, found.actual_hash);
      const same = brought === undefined || (await has(own, brought, lists));
      judged.set(`${lists} ${one.name} ${found.wanted_hash} ${found.actual_hash}`, same);
      return same;
    }

    /** Names of plugins that a domain has otherwise or not at all: bringing them would change it. */
    return async (row: ApplicationRow, against: Against): Promise<string[]> => {
      const names: string[] = [];
      for (const one of row.unlike) if (one.against === against && !(await isSame(row, one))) names.push(one.name);
      return names;
    };
  }

  async function toRuleDomain(judge: ReturnType<typeof createJudge>, row: ApplicationRow): Promise<RuleDomain> {
    const differing = await judge(row, 'rule');
    const drifted = await judge(row, 'applied');
    return {
      route_id: row.route_id,
      domain_name: row.domain_name,
      domain_name_unicode: row.domain_name_unicode,
      status: row.status,
      applied_revision: row.revision,
      applied_at: row.applied_at,
      applied_by: row.applied_by,
      state: stateOf(differing, drifted),
      drifted,
      differing,
      is_live: row.is_live && (await judge(row, 'live')).length === 0,
    };
  }

  const differing: Drift['differing'] = (rule) =>
    reads.run(rule.account_id, async () => {
      const judge = createJudge(rule);
      const found: { id: string; domain_name: string }[] = [];
      for await (const rows of unlikeApplications(db, rule)) {
        for (const row of rows)
          if ((await judge(row, 'rule')).length > 0) found.push({ id: row.route_id, domain_name: row.domain_name });
      }
      return found;
    });

  return {
    list: (rule, q, page) =>
      reads.run(rule.account_id, async () => {
        const { rows, count } = await listApplications(db, rule, q, page);
        const judge = createJudge(rule);
        const results: RuleDomain[] = [];
        for (const row of rows) results.push(await toRuleDomain(judge, row));
        return { results, count };
      }),
    differing,
    async countEach(rules) {
      const counts: (number | null)[] = [];
      let left = RULE_LIST_COMPARED_MAX;
      // One after the other: each compares in the database.
      for (const rule of rules) {
        const isCounted = rule.domains <= left;
        if (isCounted) left -= rule.domains;
        counts.push(!isCounted ? null : rule.domains === 0 ? 0 : (await differing(rule)).length);
      }
      return counts;
    },
  };
}
