import type { EdgeRoute, EdgeTarget } from '@cordon/contract/edge-config';
import { type TracedUpstream, type TraceStep, traceStep } from './trace.ts';

function portOf(target: EdgeTarget, protocol: 'http' | 'https'): number {
  return target.port ?? (protocol === 'https' ? 443 : 80);
}

/** Where a request goes on to; null when there is no target. */
export function upstreamOf(route: EdgeRoute, scheme: 'http' | 'https', hostHeader: string): TracedUpstream | null {
  const { upstream } = route;
  if (!upstream || upstream.targets.length === 0) return null;
  const protocol = upstream.protocol === 'http_https' ? scheme : upstream.protocol;
  const total = upstream.targets.reduce((sum, target) => sum + (target.backup ? 0 : target.weight), 0);
  return {
    protocol,
    hostHeader,
    tries: upstream.tries,
    targets: upstream.targets.map((target) => ({
      host: target.host,
      port: portOf(target, protocol),
      share: target.backup || total === 0 ? 0 : target.weight / total,
      backup: target.backup,
    })),
  };
}

/** What the connection to the origin is subject to, in the order of runner/hand-over.ts. */
export function originSteps({ upstream }: EdgeRoute, protocol: 'http' | 'https'): TraceStep[] {
  // As the runner takes what an older control plane has left out.
  const { connection_limit: limit = 0, tls_verification: verification = 'off' } = upstream ?? {};
  return [
    traceStep('origin_limit', 'pass', { detail: limit === 0 ? '' : String(limit) }),
    traceStep('origin_tls', 'pass', { detail: protocol === 'https' ? verification : '' }),
  ];
}
