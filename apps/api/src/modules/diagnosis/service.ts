import { type Diagnosis, type DiagnosisCheck, type DiagnosisLine, diagnosisChecks } from '@cordon/contract';
import type { Db } from '../../platform/database.ts';
import type { Egress } from '../../platform/egress.ts';
import { notFound } from '../../platform/errors.ts';
import type { Log } from '../../platform/log.ts';
import type { DnsResolver } from '../../platform/resolver.ts';
import { type Environment, featuresOf } from '../../settings/env.ts';
import type { AccountService } from '../accounts/service.ts';
import type { EdgeNodeService } from '../edge-nodes/service.ts';
import {
  checkDeploy,
  checkNodes,
  checkOwnership,
  checkQuota,
  checkService,
  type Found,
  type HealthService,
  isAccessOpened,
  isProvedBy,
  isSameHealth,
  isWorse,
  judgeCertificate,
  judgeTargetsDown,
  judgeTraffic,
  judgeUnmet,
  type LookService,
  lookAtCertificate,
  RECENT_MINUTES,
  type ShownCertificate,
  UNMET_CHALLENGES,
} from '../health/service.ts';
import type { OwnershipProof, OwnershipService } from '../names/service.ts';
import { pauseOf, type ReceiptService } from '../publishing/service.ts';
import * as routes from '../routes/service.ts';
import type { SubscriptionService } from '../subscriptions/service.ts';
import type { TrafficService } from '../traffic/service.ts';
import { checkAccess } from './access-check.ts';
import { boundedLine } from './line.ts';
import { checkPropagation } from './propagation-check.ts';
import type { TraceService } from './trace-service.ts';
import { createUpstreamCheck } from './upstream-check.ts';

export { createLiveAccessCheck } from './access-check.ts';
export { createSharedEgress } from './shared-egress.ts';
export { createTraceService, type TraceService } from './trace-service.ts';
export { createLiveUpstreamCheck } from './upstream-check.ts';

export interface DiagnosisService {
  /**
   * Looks at everything that decides whether visitors of a domain are served, at once and in bounded time; what could
   * not be determined in that time is a line that says so. A name that turns out to point here counts as proved from
   * now on. Throws NOT_FOUND.
   * @param askedFrom Address of the customer who asks.
   */
  diagnose(accountId: string, routeId: string, askedFrom: string): Promise<Diagnosis>;
}

export interface DiagnosisParts {
  readonly db: Db;
  readonly env: Environment;
  readonly log: Log;
  readonly egress: Egress;
  readonly resolver: DnsResolver;
  readonly accounts: Pick<AccountService, 'findSuspension'>;
  readonly subscriptions: SubscriptionService;
  readonly health: Pick<HealthService, 'judgeRoutes' | 'readNodes'>;
  readonly looks: Pick<LookService, 'note' | 'noteAnswers' | 'noteChallenges' | 'announce'>;
  readonly traffic: Pick<TrafficService, 'readAnswers' | 'readChallenges'>;
  readonly addressesByCzone: EdgeNodeService['addressesByCzone'];
  readonly receipts: Pick<ReceiptService, 'getReceipt'>;
  readonly ownership: OwnershipService;
  readonly proof: OwnershipProof;
  readonly traces: TraceService;
  /** For tests; 8 s otherwise. */
  readonly timeoutMs?: number;
}

const TIMEOUT_MS = 8_000;

export function createDiagnosisService(parts: DiagnosisParts): DiagnosisService {
  const { db, env, resolver, egress } = parts;
  const checkUpstreams = createUpstreamCheck(egress);

  return {
    async diagnose(accountId, routeId, askedFrom) {
      const route = await routes.findRoute(db, accountId, routeId);
      if (!route) throw notFound();
      const startedAt = performance.now();
      const readHealth = async () => (await parts.health.judgeRoutes(accountId, [route.id])).get(route.id)?.health;
      const [before, subscription, names, allNodes, byCzone, accountSuspension] = await Promise.all([
        readHealth(),
        parts.subscriptions.get(accountId, { id: route.subscription_id }),
        routes.namesOfRoute(db, route.id),
        parts.health.readNodes(),
        parts.addressesByCzone(),
        parts.accounts.findSuspension(accountId),
      ]);
      const nodes = allNodes.filter(({ czones }) => czones.includes(route.czone));
      const suspension = routes.suspensionOf(route, accountSuspension);
      const aim = { cname: route.cname, czoneAddresses: byCzone[route.czone] ?? [], ipv6: subscription.ipv6 };
      const shadowDomains = names.filter(({ kind }) => kind === 'shadow').map(({ name }) => name);
      const liveAddresses = nodes.filter((node) => node.is_live).flatMap((node) => node.addresses);
      const config = route.live ?? route.draft;
      const off = routes.offOf(route);
      const edgeRoute = { ...(await parts.traces.edgeRouteOf(route, config, route.live !== null)), off };
      let shown: ShownCertificate | undefined;
      const work: Record<DiagnosisCheck, () => Promise<Found>> = {
        service: async () => checkService(route, suspension, subscription.status, pauseOf(route)),
        quota: async () =>
          checkQuota({
            used: subscription.names_used,
            limit: subscription.features.domains + subscription.additional_domain_number,
            plan: subscription.plan_name,
          }),
        ownership: async () => {
          const found = await checkOwnership(route, shadowDomains, aim, { resolver, proof: parts.proof });
          // Looks once more and writes down that the name is proved.
          if (route.ownership_state === 'pending' && isProvedBy(found))
            await parts.ownership.check(accountId, route.id);
          return found;
        },
        propagation: () => checkPropagation(route, aim, { resolver, egress, publicResolvers: env.publicResolvers }),
        certificate: async () => {
          shown = await lookAtCertificate(route.domain_name, liveAddresses, env.edgeHttpsPort);
          return judgeCertificate(shown, route);
        },
        nodes: async () => checkNodes(nodes),
        deploy: async () =>
          checkDeploy(
            route,
            suspension !== null,
            await parts.receipts.getReceipt(accountId, route.id),
            featuresOf(env),
          ),
        access: async () =>
          route.version_live === null
            ? { state: 'unknown', finding: 'off', params: { why: 'never_deployed' } }
            : checkAccess(edgeRoute, route.domain_name, askedFrom, parts.traces.visit),
        upstream: async () => {
          const found = await checkUpstreams({
            accountId,
            routeId: route.id,
            config,
            off,
            hostHeader: parts.traces.originHost(edgeRoute, route.domain_name),
            nodes,
          });
          const down =
            config.traffic_action === 'redirect'
              ? undefined
              : judgeTargetsDown(route.id, config.upstreams.targets, nodes);
          return down && isWorse(down, found)
            ? { ...down, items: [...(down.items ?? []), ...(found.items ?? [])] }
            : found;
        },
        traffic: async () => {
          const [answers, challenges] = await Promise.all([
            parts.traffic.readAnswers(accountId, route.id, RECENT_MINUTES),
            parts.traffic.readChallenges(accountId, route.id, UNMET_CHALLENGES.minutes),
          ]);
          if (!answers) return { state: 'unknown', finding: 'not_measured' };
          const found = judgeTraffic(answers, await parts.looks.noteAnswers(route, answers));
          const since = challenges && (await parts.looks.noteChallenges(route, challenges));
          if (!challenges || !since || found.state !== 'ok' || isAccessOpened(route)) return found;
          return judgeUnmet(challenges.challenged, since);
        },
      };
      const checks: DiagnosisLine[] = await Promise.all(
        diagnosisChecks.map((check) => boundedLine(check, work[check], parts.timeoutMs ?? TIMEOUT_MS, parts.log)),
      );
      await parts.looks.note(accountId, route, checks, shown);
      const health = await readHealth();
      if (!health) throw notFound();
      if (!before || !isSameHealth(before, health)) await parts.looks.announce([route]);
      return {
        route_id: route.id,
        checked_at: new Date().toISOString(),
        took_ms: Math.round(performance.now() - startedAt),
        health,
        checks,
      };
    },
  };
}
