import { type Diagnosis, type DiagnosisCheck, type DiagnosisLine, diagnosisChecks } from '@cordon/contract';
import type { Db } from '../../platform/database.ts';
import type { Egress } from '../../platform/egress.ts';
import { notFound } from '../../platform/errors.ts';
import type { Log } from '../../platform/log.ts';
import type { DnsResolver } from '../../platform/resolver.ts';
import type { Environment } from '../../settings/env.ts';
import type { EdgeNodeService } from '../edge-nodes/service.ts';
import type { OwnershipProof, OwnershipService } from '../names/service.ts';
import { pauseOf, type ReceiptService } from '../publishing/service.ts';
import * as routes from '../routes/service.ts';
import type { SubscriptionService } from '../subscriptions/service.ts';
import { checkAccess } from './access-check.ts';
import { checkCertificate } from './certificate-check.ts';
import { boundedLine, type Found, worst } from './line.ts';
import { checkOwnership } from './ownership-check.ts';
import { checkPropagation } from './propagation-check.ts';
import { nodesOfCzone } from './repository.ts';
import { checkDeploy, checkNodes, checkQuota, checkService } from './state-checks.ts';
import type { TraceService } from './trace-service.ts';
import { createUpstreamCheck } from './upstream-check.ts';

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
  readonly subscriptions: SubscriptionService;
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
      const [subscription, names, nodes, byCzone] = await Promise.all([
        parts.subscriptions.get(accountId, { id: route.subscription_id }),
        routes.namesOfRoute(db, route.id),
        nodesOfCzone(db, route.czone),
        parts.addressesByCzone(),
      ]);
      const aim = { cname: route.cname, czoneAddresses: byCzone[route.czone] ?? [], ipv6: subscription.ipv6 };
      const shadowDomains = names.filter(({ kind }) => kind === 'shadow').map(({ name }) => name);
      const liveAddresses = nodes.filter((node) => node.is_live).flatMap((node) => node.addresses);
      const confirm = () => parts.ownership.check(accountId, route.id);
      const config = route.live ?? route.draft;
      const off = routes.offOf(route);
      const edgeRoute = { ...(await parts.traces.edgeRouteOf(route, config, route.live !== null)), off };
      const work: Record<DiagnosisCheck, () => Promise<Found>> = {
        service: async () => checkService(route, subscription, pauseOf(route)),
        quota: async () => checkQuota(subscription),
        ownership: () => checkOwnership(route, shadowDomains, aim, { resolver, proof: parts.proof, confirm }),
        propagation: () => checkPropagation(route, aim, { resolver, egress, publicResolvers: env.publicResolvers }),
        certificate: () => checkCertificate(route, liveAddresses, env.edgeHttpsPort),
        nodes: async () => checkNodes(nodes),
        deploy: async () => checkDeploy(route, await parts.receipts.getReceipt(accountId, route.id)),
        access: () => checkAccess(edgeRoute, route.domain_name, askedFrom, parts.traces.visit),
        upstream: () =>
          checkUpstreams({
            accountId,
            routeId: route.id,
            config,
            off,
            hostHeader: parts.traces.originHost(edgeRoute, route.domain_name),
            nodes,
          }),
      };
      const checks: DiagnosisLine[] = await Promise.all(
        diagnosisChecks.map((check) => boundedLine(check, work[check], parts.timeoutMs ?? TIMEOUT_MS, parts.log)),
      );
      return {
        route_id: route.id,
        checked_at: new Date().toISOString(),
        took_ms: Math.round(performance.now() - startedAt),
        state: worst(checks.map(({ state }) => state)),
        checks,
      };
    },
  };
}
