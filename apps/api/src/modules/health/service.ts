import type { AccountHealth, Health, RouteFilter, RouteSummary } from '@cordon/contract';
import type { Db } from '../../platform/database.ts';
import { createPromiseCache } from '../../platform/promise-cache.ts';
import type { OwnershipProof } from '../names/service.ts';
import { certificateExpiryOf, certificateFindingOf, type Facts, hasCertificate, healthOf } from './facts.ts';
import * as repository from './facts-repository.ts';
import { type NodeState, readNodes } from './node-repository.ts';

export type { Aim } from './aim.ts';
export { judgeCertificate, lookAtCertificate, type ShownCertificate } from './certificate-check.ts';
export { judgeUnmet, UNMET_CHALLENGES } from './challenge-check.ts';
export { type Facts, isAccessOpened, judgeTargetsDown, judgeTraffic, RECENT_MINUTES } from './facts.ts';
export { FACT_COLUMNS, FACT_JOINS, HEALTH_IDS } from './facts-repository.ts';
export { isSameHealth, isWorse } from './judge.ts';
export { type Found, textOf } from './line.ts';
export { findOriginsLook } from './look-repository.ts';
export { createLookService, type LookService } from './look-service.ts';
export { type NodeState, readNodes } from './node-repository.ts';
export { checkOwnership, isProvedBy, judgeView } from './ownership-check.ts';
export { checkDeploy, checkNodes, checkQuota, checkService } from './state-checks.ts';

/** Of a domain, as its row in a list shows it. */
export interface RouteHealth {
  readonly health: Health;
  readonly certificate_expires_at: string | null;
  readonly certificate_finding: RouteSummary['certificate_finding'];
  readonly hasCertificate: boolean;
}

/** Which domains of an account are in some states of health: the parameters of `HEALTH_IDS`, in their order. */
export type HealthSelection = readonly [
  subscriptionIds: readonly string[],
  classes: readonly number[],
  unservedSubscriptionIds: readonly string[],
  exceptIds: readonly string[],
  ids: readonly string[],
];

/** How well domains are, by what is stored about them: nothing is asked. */
/** Selections of domains, the worst first; there are no more in all than this, deleted ones aside. */
export interface WorstSelection {
  readonly selections: readonly HealthSelection[];
  readonly countMax: number;
}

export interface HealthService {
  /** Of rows that have the facts, in their order. */
  judgeFacts(rows: readonly Facts[]): Promise<RouteHealth[]>;
  /** Of domains of an account by id; others' are left out. */
  judgeRoutes(accountId: string, ids: readonly string[]): Promise<Map<string, RouteHealth>>;
  /** Nodes as they reported last, which what follows is judged by. */
  readNodes(): Promise<readonly NodeState[]>;
  /** How many domains are well, and the worst. */
  readAccount(accountId: string): Promise<AccountHealth>;
  /** Which domains a filter of a list is for; undefined: all. */
  select(accountId: string, filter: RouteFilter['health']): Promise<HealthSelection | undefined>;
  /** Those with an error, and those with a warning. */
  selectWorst(accountId: string): Promise<WorstSelection>;
}

/** Nodes report every second. */
const NODES_MS = 1_000;
const WORST_MAX = 20;

const ORDER: readonly Health['state'][] = ['error', 'warning', 'off', 'ok'];
const needsFixing = ({ state }: Health) => state === 'error' || state === 'warning';
const sinceOf = (health: Health) => health.findings[0]?.since ?? '9';

/** What the row of any domain of a class says of its health (`health_class`, migration 0027). */
function factsOfClass(row: repository.ClassRow): Facts {
  const isServed = row.class > 0;
  const hasCertificate = row.class === 1 || row.class === 3;
  return {
    ...row,
    id: '',
    account_id: '',
    domain_name: '',
    cname: '',
    status: isServed ? 'running' : 'deactivated',
    version_live: 1,
    pending_changes: 0,
    suspended_at: null,
    suspended_reason: null,
    paused_at: null,
    paused_until: null,
    paused_by: null,
    ownership_state: row.class >= 3 ? 'pending' : 'verified',
    ownership_method: null,
    ownership_seen: [],
    ownership_checked_at: null,
    ownership_pending_since: '',
    proof_needed_until: null,
    certificate_id: hasCertificate ? 'its own' : null,
    op_action: null,
    op_state: null,
    op_started_at: null,
    op_error: null,
    op_version: null,
    looked_at: null,
    origins_looked_at: null,
    look_version: null,
    look_domain_name: null,
    look_ownership_state: null,
    look_certificate_id: null,
    look_findings: null,
    look_expires_at: null,
    errors_requests: null,
    errors_failed: null,
    errors_since: null,
    unmet_challenges: null,
    unmet_since: null,
  };
}

export function createHealthService(db: Db, proof: Pick<OwnershipProof, 'txtRecord'>): HealthService {
  const shared = createPromiseCache<readonly NodeState[]>({ entriesMax: 1, ttlMs: NODES_MS });
  const allNodes = () => shared.get('', () => readNodes(db));
  const inCzone = (nodes: readonly NodeState[], czone: string) => nodes.filter(({ czones }) => czones.includes(czone));
  const downIds = (nodes: readonly NodeState[]) =>
    new Set(nodes.flatMap(({ down }) => down.map((one) => one.route_id)));

  async function judgeWith(nodes: readonly NodeState[], rows: readonly Facts[]): Promise<RouteHealth[]> {
    const down = downIds(nodes);
    const targets = await repository.readTargets(
      db,
      rows.filter(({ id }) => down.has(id)).map(({ id }) => id),
    );
    const byCzone = new Map<string, NodeState[]>();
    return rows.map((row) => {
      const ofCzone = byCzone.get(row.czone) ?? inCzone(nodes, row.czone);
      byCzone.set(row.czone, ofCzone);
      return {
        health: healthOf(row, ofCzone, targets.get(row.id), proof),
        certificate_expires_at: certificateExpiryOf(row),
        certificate_finding: certificateFindingOf(row),
        hasCertificate: hasCertificate(row),
      };
    });
  }

  /** Classes as they are judged, and the domains that differ from theirs, those that are judged alike together. */
  async function readJudged(accountId: string) {
    const nodes = await allNodes();
    const [rows, candidates] = await Promise.all([
      repository.readClasses(db, accountId),
      repository.readCandidates(db, accountId, [...downIds(nodes)]),
    ]);
    const classes = rows.map((row) => ({
      row,
      health: healthOf(factsOfClass(row), inCzone(nodes, row.czone), undefined, proof),
    }));
    const judged = await judgeWith(nodes, candidates);
    const alike = candidates.map((fact, index) => ({
      fact,
      ids: fact.ids.split(','),
      health: judged[index]?.health as Health,
    }));
    return { nodes, classes, alike };
  }
  type Judged = Awaited<ReturnType<typeof readJudged>>;

  /** Domains among which the worst are: those that are unwell for longest, warnings only where errors are too few. */
  async function readWorst(accountId: string, { classes, alike }: Judged): Promise<string[]> {
    const well = new Set(alike.filter(({ health }) => !needsFixing(health)).flatMap(({ ids }) => ids));
    const found = new Set<string>();
    for (const state of ['error', 'warning'] as const) {
      if (found.size >= WORST_MAX) break;
      for (const { ids, health } of alike.filter((group) => group.health.state === state)) {
        const check = health.findings[0]?.check ?? 'service';
        const oldest = ids.length <= 1 ? ids : await repository.readOldest(db, ids, check, WORST_MAX);
        for (const id of oldest) found.add(id);
      }
      const ofState = unwellClasses(classes.filter(({ health }) => health.state === state));
      const others = await repository.readOfClasses(db, accountId, ofState, 2 * WORST_MAX);
      for (const id of others) if (!well.has(id)) found.add(id);
    }
    return [...found];
  }

  const unwellClasses = (classes: Judged['classes']) => {
    const unwell = classes
      .filter(({ row, health }) => row.class > 0 && needsFixing(health))
      .sort((a, b) => ORDER.indexOf(a.health.state) - ORDER.indexOf(b.health.state));
    return {
      subscriptionIds: unwell.map(({ row }) => row.subscription_id),
      classes: unwell.map(({ row }) => row.class),
    };
  };

  function selectionOf({ classes, alike }: Judged, isWanted: (health: Health) => boolean): HealthSelection {
    const wanted = classes.filter(({ health }) => isWanted(health)).map(({ row }) => row);
    const served = wanted.filter((row) => row.class > 0);
    return [
      served.map((row) => row.subscription_id),
      served.map((row) => row.class),
      wanted.filter((row) => row.class === 0).map((row) => row.subscription_id),
      alike.flatMap(({ ids }) => ids),
      alike.filter(({ health }) => isWanted(health)).flatMap(({ ids }) => ids),
    ];
  }

  return {
    judgeFacts: async (rows) => (rows.length === 0 ? [] : judgeWith(await allNodes(), rows)),

    async judgeRoutes(accountId, ids) {
      const [facts, nodes] = await Promise.all([repository.readFacts(db, accountId, ids), allNodes()]);
      const judged = await judgeWith(nodes, facts);
      return new Map(facts.map(({ id }, index) => [id, judged[index] as RouteHealth]));
    },

    readNodes: () => {
      shared.clear();
      return allNodes();
    },

    async readAccount(accountId) {
      const known = await readJudged(accountId);
      const counts = { error: 0, warning: 0, off: 0, ok: 0 };
      for (const { row, health } of known.classes) counts[health.state] += row.routes;
      for (const { fact, ids, health } of known.alike) {
        const ofClass = known.classes.find(
          ({ row }) => row.subscription_id === fact.subscription_id && row.class === fact.class,
        );
        if (ofClass) counts[ofClass.health.state] -= ids.length;
        counts[health.state] += ids.length;
      }
      const facts = await repository.readFacts(db, accountId, await readWorst(accountId, known));
      const judged = await judgeWith(known.nodes, facts);
      const worst = facts
        .map((fact, index) => ({ fact, health: judged[index]?.health as Health }))
        .filter(({ health }) => needsFixing(health))
        .sort(
          (a, b) =>
            ORDER.indexOf(a.health.state) - ORDER.indexOf(b.health.state) ||
            (sinceOf(a.health) < sinceOf(b.health) ? -1 : sinceOf(a.health) > sinceOf(b.health) ? 1 : 0) ||
            (a.fact.domain_name < b.fact.domain_name ? -1 : 1),
        )
        .slice(0, WORST_MAX)
        .map(({ fact, health }) => ({
          route_id: fact.id,
          domain_name: fact.domain_name,
          domain_name_unicode: fact.domain_name_unicode,
          health,
        }));
      return { counts, worst };
    },

    async select(accountId, filter) {
      if (filter === undefined) return undefined;
      const isOff = filter === 'off';
      return selectionOf(await readJudged(accountId), (health) =>
        isOff ? health.state === 'off' : needsFixing(health),
      );
    },

    async selectWorst(accountId) {
      const judged = await readJudged(accountId);
      const isUnwell = ({ health }: { health: Health }) => needsFixing(health);
      return {
        selections: (['error', 'warning'] as const).map((state) =>
          selectionOf(judged, (health) => health.state === state),
        ),
        countMax:
          judged.classes.filter(isUnwell).reduce((sum, { row }) => sum + row.routes, 0) +
          judged.alike.filter(isUnwell).reduce((sum, { ids }) => sum + ids.length, 0),
      };
    },
  };
}
