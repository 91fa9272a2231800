import type { DiagnosisCheck, DiagnosisLine, HealthFinding } from '@cordon/contract';
import { type Db, runInTransaction } from '../../platform/database.ts';
import { groupBy } from '../../platform/group-by.ts';
import type { Log } from '../../platform/log.ts';
import type { DnsResolver } from '../../platform/resolver.ts';
import type { EdgeNodeService } from '../edge-nodes/service.ts';
import type { OwnershipProof } from '../names/service.ts';
import type { Publication } from '../publishing/service.ts';
import * as routes from '../routes/service.ts';
import type { SubscriptionService } from '../subscriptions/service.ts';
import type { Challenges, TrafficService } from '../traffic/service.ts';
import { judgeCertificate, lookAtCertificate, type ShownCertificate } from './certificate-check.ts';
import { isUnmet, UNMET_CHALLENGES } from './challenge-check.ts';
import { type Answers, ERRORS_GO_ON, isAccessOpened, judgeTraffic, RECENT_MINUTES } from './facts.ts';
import { hasSameFindings } from './judge.ts';
import type { Found, Line } from './line.ts';
import * as repository from './look-repository.ts';
import { readNodes } from './node-repository.ts';
import { checkOwnership } from './ownership-check.ts';
import { forgetUnmet, putUnmet, replaceUnmet } from './unmet-repository.ts';

/** What only a look can know, kept between two looks. */
export interface LookService {
  /** Writes down what a diagnosis found of the version that was live then, for lists. */
  note(
    accountId: string,
    route: Pick<routes.RouteRow, 'id' | 'version_live'>,
    lines: readonly DiagnosisLine[],
    shown: ShownCertificate | undefined,
  ): Promise<void>;
  /** The same of the answers that its visitors got; since when they get errors, where they do. */
  noteAnswers(route: Pick<routes.RouteRow, 'id' | 'account_id'>, answers: Answers): Promise<string | undefined>;
  /** The same of the challenges that they were shown; since when none is met, where that is so and they go on. */
  noteChallenges(
    route: Pick<routes.RouteRow, 'id' | 'account_id'>,
    challenges: Challenges,
  ): Promise<string | undefined>;
  /** Tells open consoles that the health of domains has become another. */
  announce(changed: readonly Pick<routes.RouteRow, 'id' | 'account_id'>[]): Promise<void>;
  /** Job: looks at the origins, names, certificates and access of domains that are due, until none is or `untilMs` (Unix) is over. */
  sweep(untilMs?: number): Promise<void>;
  /** Job: asks once which domains' visitors get errors, or challenges that none of them meets. While that cannot be measured, what is known ends by itself. */
  measureErrors(): Promise<void>;
}

export interface LookParts {
  readonly db: Db;
  readonly log: Log;
  readonly resolver: DnsResolver;
  readonly proof: OwnershipProof;
  readonly subscriptions: Pick<SubscriptionService, 'get'>;
  readonly addressesByCzone: EdgeNodeService['addressesByCzone'];
  readonly publication: Pick<Publication, 'announce'>;
  readonly traffic: Pick<TrafficService, 'listErrors' | 'listUnmetChallenges'>;
  /** Whether the live version lets ordinary visitors in, pause and suspension apart: by what is stored alone. */
  readonly checkAccess: (route: routes.RouteRow) => Promise<Found>;
  /** Whether the origins of the live version answer. */
  readonly checkOrigins: (route: routes.RouteRow) => Promise<Found>;
  readonly httpsPort: number;
}

/** Findings of a look; the others are read from what is stored. */
const LOOKED: readonly DiagnosisCheck[] = ['ownership', 'propagation', 'certificate', 'access', 'upstream'];
/** Those that are not of a version. */
const OF_NAME: readonly DiagnosisCheck[] = ['ownership', 'certificate'];

/** Those that hold for a version until a look says otherwise. */
const OF_VERSION: readonly DiagnosisCheck[] = ['access', 'upstream'];

const toMeasured = (answers: Omit<repository.MeasuredErrors, 'is_new'>): repository.MeasuredErrors => ({
  ...answers,
  is_new: judgeTraffic(answers).finding === 'server_errors',
});

const AGAIN_SECONDS = 3_600;
/** Origins that answer, and the bounds for those that do not. */
const ORIGINS_AGAIN_SECONDS = 900;
const ORIGINS_DOWN_SECONDS = { least: 60, most: 3_600 } as const;
/** Of the time that an origin has been down: it is soon seen to be back, and one that was left behind costs little. */
const DOWN_SHARE = 0.1;
/** Domains of an account that are announced one by one; its lists are read again with the first. */
const ANNOUNCED_MAX = 20;
/** A process that dies in the middle leaves its domains to the next after this time. */
const HELD_SECONDS = 120;
const TAKEN_MAX = 100;
const TAKEN_OF_ACCOUNT_MAX = 20;
const LOOKS_AT_ONCE = 8;
const SWEEP_MS = 12_000;

/** When origins are due again, by what was found of them. */
function secondsUntilOrigins(findings: readonly HealthFinding[]): number {
  const down = findings.find(({ check }) => check === 'upstream');
  if (!down) return ORIGINS_AGAIN_SECONDS;
  const downSeconds = (Date.now() - Date.parse(down.since ?? '')) / 1000 || 0;
  return Math.min(ORIGINS_DOWN_SECONDS.most, Math.max(ORIGINS_DOWN_SECONDS.least, downSeconds * DOWN_SHARE));
}

type Noted = Pick<DiagnosisLine, 'check' | 'state' | 'finding' | 'params' | 'advice'>;

/** Names of the demo lead nowhere, and those that are not proved are looked at until they are (`names`). */
const hasNameToLookAt = ({ ownership_state, ownership_method }: routes.RouteRow): boolean =>
  ownership_state === 'verified' && ownership_method !== 'demo';

/** A diagnosis knows the address of the customer, and so more than a sweep. */
const isOfOwnAddress = ({ check, params }: HealthFinding): boolean => check === 'access' && Boolean(params.address);

const isNoted = ({ check, state, finding }: Noted): boolean =>
  (state === 'error' || state === 'warning') &&
  (LOOKED.includes(check) || (check === 'deploy' && finding === 'settings_refused'));

export function createLookService(parts: LookParts): LookService {
  const { db, log, resolver, proof, publication } = parts;

  /** What was found before and is found again has been so all the time; a name that is not proved, since it waits to be. */
  const withSince = (
    lines: readonly Noted[],
    before: readonly HealthFinding[],
    { ownership_state, ownership_pending_since }: routes.RouteRow,
  ): HealthFinding[] =>
    lines.map(({ check, state, finding, params, advice }) => ({
      check,
      state,
      finding,
      params,
      advice,
      since:
        check === 'ownership' && ownership_state !== 'verified'
          ? ownership_pending_since
          : (before.find((known) => known.check === check && known.finding === finding)?.since ??
            new Date().toISOString()),
    }));

  const expiryOf = (shown: ShownCertificate | undefined) => (shown?.coversName ? shown.expiresAt : null);

  /** Name and certificate of a domain, as visitors meet them. */
  async function lookAtName(route: routes.RouteRow): Promise<{ lines: Line[]; shown: ShownCertificate | undefined }> {
    const [subscription, names, byCzone, nodes] = await Promise.all([
      parts.subscriptions.get(route.account_id, { id: route.subscription_id }),
      routes.namesOfRoute(db, route.id),
      parts.addressesByCzone(),
      readNodes(db),
    ]);
    const aim = { cname: route.cname, czoneAddresses: byCzone[route.czone] ?? [], ipv6: subscription.ipv6 };
    const shadowDomains = names.filter(({ kind }) => kind === 'shadow').map(({ name }) => name);
    const live = nodes.filter(({ is_live, czones }) => is_live && czones.includes(route.czone));
    const [ownership, shown] = await Promise.all([
      checkOwnership(route, shadowDomains, aim, { resolver, proof }),
      lookAtCertificate(
        route.domain_name,
        live.flatMap(({ addresses }) => addresses),
        parts.httpsPort,
      ),
    ]);
    const lines: Line[] = [
      { check: 'ownership', ...ownership },
      { check: 'certificate', ...judgeCertificate(shown, route) },
    ];
    return { lines, shown };
  }

  /** Looks at one domain; whether it found something else than before. */
  async function look(route: routes.RouteRow, { isNameDue, heldUntil }: repository.Taken): Promise<boolean> {
    const before = await repository.findLook(db, route.id);
    const known = before?.findings ?? [];
    const isSameVersion = before?.version === route.version_live;
    const isAccessDue = !isSameVersion || (isNameDue && !known.some(isOfOwnAddress));
    const [origins, name, access] = await Promise.all([
      parts.checkOrigins(route),
      isNameDue && hasNameToLookAt(route) ? lookAtName(route) : undefined,
      isAccessDue ? parts.checkAccess(route) : undefined,
    ]);
    const lines: Line[] = [{ check: 'upstream', ...origins }, ...(name?.lines ?? [])];
    if (access) lines.push({ check: 'access', ...access });
    const found = lines
      .filter(({ state }) => state !== 'unknown')
      .map(({ params = {}, advice = null, ...line }) => ({ ...line, params, advice }));
    const isFresh = Date.now() - Date.parse(before?.looked_at ?? '') < AGAIN_SECONDS * 1000;
    // What was not found out now is as it was, for the version that it was found of.
    const kept = known.filter(
      ({ check }) =>
        !found.some((line) => line.check === check) &&
        (OF_NAME.includes(check) || (isSameVersion && (OF_VERSION.includes(check) || isFresh))),
    );
    const findings = [...withSince(found.filter(isNoted), known, route), ...kept];
    const next = {
      seconds: secondsUntilOrigins(findings),
      heldUntil,
      ...(isNameDue ? { nameSeconds: AGAIN_SECONDS } : {}),
    };
    const looked = origins.state === 'unknown' ? undefined : (origins.items ?? []);
    if (name) await repository.putLook(db, route, findings, expiryOf(name.shown), looked, next);
    else await repository.putVersionLook(db, route, findings, looked, next);
    return !hasSameFindings(findings, known);
  }

  /** A few events for each account: consoles read their lists again, however many domains have changed. */
  async function announce(routesChanged: readonly { id: string; account_id: string }[]): Promise<void> {
    const byAccount = groupBy(routesChanged, ({ account_id }) => account_id);
    for (const [account, changed] of byAccount) {
      const events = changed.slice(0, ANNOUNCED_MAX).map(({ id }) => ({ routeId: id, slot: 'domain' as const }));
      try {
        await runInTransaction(db, (trx) => publication.announce(trx, events));
      } catch (err) {
        log.warn({ err, account }, 'a change of health was not announced');
      }
    }
  }

  return {
    announce,

    async note(accountId, { id, version_live }, lines, shown) {
      // As it is after the look, which may have proved its name.
      const route = await routes.findRoute(db, accountId, id);
      if (!route) return;
      const before = await repository.findLook(db, id);
      const known = before?.findings ?? [];
      const found = withSince(lines.filter(isNoted), known, route);
      // Nothing refuses visitors now, and it says nothing of what will once that is over.
      const isHeld = isAccessOpened(route) && before?.version === version_live;
      const isUnknown = lines.some(({ check, state }) => check === 'upstream' && state === 'unknown');
      const kept = known.filter(
        ({ check }) =>
          !found.some((one) => one.check === check) &&
          ((isHeld && check === 'access') || (isUnknown && check === 'upstream' && before?.version === version_live)),
      );
      const findings = [...found, ...kept];
      const looked = { ...route, version_live };
      const upstream = lines.find(({ check, state }) => check === 'upstream' && state !== 'unknown');
      // What was deployed meanwhile is still to be looked at.
      const next =
        route.version_live === version_live
          ? { seconds: secondsUntilOrigins(findings), nameSeconds: AGAIN_SECONDS }
          : undefined;
      await repository.putLook(db, looked, findings, expiryOf(shown), upstream?.items, next);
    },

    async noteAnswers({ id, account_id }, answers) {
      const measured = toMeasured({ route_id: id, account_id, ...answers });
      const since = await repository.putErrors(db, measured);
      if (judgeTraffic(answers, since).finding === 'server_errors') return since;
      await repository.forgetErrors(db, id);
      return undefined;
    },

    async noteChallenges({ id, account_id }, challenges) {
      const since = isUnmet(challenges) ? await putUnmet(db, { ...challenges, route_id: id, account_id }) : undefined;
      if (since === undefined) await forgetUnmet(db, id);
      return since;
    },

    async sweep(untilMs = Date.now() + SWEEP_MS) {
      const changed: routes.RouteRow[] = [];
      while (Date.now() < untilMs) {
        const taken = await repository.takeDue(db, TAKEN_MAX, TAKEN_OF_ACCOUNT_MAX, HELD_SECONDS);
        if (taken.length === 0) break;
        const byRoute = new Map(taken.map((one) => [one.routeId, one]));
        const waiting = await routes.findRoutes(db, [...byRoute.keys()]);
        const work = async () => {
          for (let route = waiting.pop(); route !== undefined; route = waiting.pop()) {
            const due = byRoute.get(route.id);
            try {
              if (due && (await look(route, due))) changed.push(route);
            } catch (err) {
              log.warn({ err, route: route.id }, 'a look at a domain failed');
            }
          }
        };
        await Promise.all(Array.from({ length: LOOKS_AT_ONCE }, work));
      }
      await announce(changed);
    },

    async measureErrors() {
      const { minutes, challengedMin } = UNMET_CHALLENGES;
      const [measured, unmet] = await Promise.all([
        parts.traffic.listErrors(RECENT_MINUTES, ERRORS_GO_ON),
        parts.traffic.listUnmetChallenges(minutes, challengedMin),
      ]);
      const changed = [
        ...(measured ? await repository.replaceErrors(db, measured.map(toMeasured)) : []),
        ...(unmet ? await replaceUnmet(db, unmet.filter(isUnmet)) : []),
      ];
      await announce(await repository.anyOfAccounts(db, [...new Set(changed)]));
    },
  };
}
