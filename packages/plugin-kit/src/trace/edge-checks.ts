import { OFF_STATUS } from '@cordon/contract/constants';
import type { EdgeRoute } from '@cordon/contract/edge-config';
import { answersFor, candidateNames, isHostName } from '@cordon/contract/host-name';
import { namesCdn } from '../edge/cdn-loop.ts';
import { requestFault } from './request-fault.ts';
import { readHost } from './request-target.ts';
import { type TracedRequest, type TraceParts, type TraceStep, traceStep } from './trace.ts';

const LOOP_STATUS = 508;
const UNKNOWN_HOST_STATUS = 421;

/** The host that a request is for, as nginx reads it. */
export const visitedHostOf = (request: Pick<TracedRequest, 'host'>): string => readHost(request.host);

/** The name of the route that a host is found by, most exact first; undefined when the route has none for it. */
export function matchingName(route: Pick<EdgeRoute, 'hosts' | 'wildcard_levels'>, host: string): string | undefined {
  const names = new Set(route.hosts.map(({ name }) => name));
  if (!isHostName(host)) return undefined;
  return candidateNames(host).find((name) => names.has(name) && answersFor(name, host, route.wildcard_levels));
}

/** Checks of the edge itself, before any plugin: the first that refuses is the last of the list. */
export function edgeChecks(
  route: EdgeRoute,
  request: TracedRequest,
  parts: TraceParts,
): { steps: TraceStep[]; host: string } {
  const host = readHost(request.host);
  const fault = requestFault(request);
  if (fault) {
    const refusal = { status: fault.status, reason: 'bad_request', detail: fault.kind, rule: fault.field };
    return { host, steps: [traceStep('request', 'block', refusal)] };
  }
  const steps = [traceStep('request', 'pass')];
  const name = matchingName(route, host);
  if (name === undefined)
    return {
      host,
      steps: [
        ...steps,
        traceStep('host', 'block', { status: UNKNOWN_HOST_STATUS, reason: 'unknown_host', detail: host }),
      ],
    };
  const isVerified = route.hosts.some((entry) => entry.name === name && entry.verified);
  if (route.off !== undefined && isVerified) {
    const refusal = { status: OFF_STATUS[route.off], reason: route.off, detail: name };
    return { host, steps: [...steps, traceStep('host', 'block', refusal)] };
  }
  steps.push(traceStep('host', 'pass', { detail: name }));
  if (!isVerified && !request.isPreview) {
    const refusal = { status: UNKNOWN_HOST_STATUS, reason: 'not_verified', detail: name };
    return { host, steps: [...steps, traceStep('ownership', 'block', refusal)] };
  }
  steps.push(traceStep('ownership', 'pass', { detail: isVerified ? '' : 'preview' }));
  const loops = request.headers.filter((field) => field.name.toLowerCase() === 'cdn-loop').map(({ value }) => value);
  const isLoop = namesCdn(loops.join(', '), parts.cdnLoopId);
  if (isLoop) return { host, steps: [...steps, traceStep('loop', 'block', { status: LOOP_STATUS, reason: 'loop' })] };
  return { host, steps: [...steps, traceStep('loop', 'pass')] };
}
