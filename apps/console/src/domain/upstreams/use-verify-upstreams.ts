import {
  type CallOutput,
  type Operations,
  parseUpstreamHost,
  type UpstreamProtocol,
  type Upstreams,
  type UpstreamTarget,
} from '@cordon/contract';
import { useMutation } from '@tanstack/react-query';
import { api } from '../../app/api-client';
import { verifiableTarget } from './upstream-values';

export type VerifiedUpstream = CallOutput<Operations['verifyUpstreamProtocol']>['result'][number];

export interface Suggestion {
  readonly protocol: UpstreamProtocol;
  /** Port by verifiable target; null takes the default. */
  readonly ports: ReadonlyMap<string, number | null>;
}

export type OriginCertificate = NonNullable<VerifiedUpstream['protocols'][number]['certificate']>;

/** The certificate for which the edge will refuse the target, as the form has its TLS. Own CAs are not asked with. */
export function refusedCertificateOf(
  { protocols }: VerifiedUpstream,
  { protocol, tls_verification }: Pick<Upstreams, 'protocol' | 'tls_verification'>,
): OriginCertificate | undefined {
  if (protocol === 'http' || tls_verification !== 'strict') return undefined;
  const shown = protocols.find(({ answers, certificate }) => answers && certificate)?.certificate;
  return shown && shown.problem !== null ? shown : undefined;
}

/** The one protocol that every target answers over; undefined when they disagree or one is silent. */
export function suggestionOf(results: readonly VerifiedUpstream[]): Suggestion | undefined {
  const protocol = results[0]?.suggested?.protocol;
  if (protocol === undefined || !results.every((result) => result.suggested?.protocol === protocol)) return undefined;
  return { protocol, ports: new Map(results.map((result) => [result.upstream, result.suggested?.port ?? null])) };
}

/** Of the rows that say one. */
const hostsOf = (targets: readonly UpstreamTarget[]): string =>
  targets
    .flatMap(({ host }) => {
      const read = parseUpstreamHost(host);
      return read.ok ? [read.host] : [];
    })
    .join(' ');

export type Verification = ReturnType<typeof useVerifyUpstreams>;

/** Asks the API to connect to the targets of a form as the edge would, and keeps what answered by target. */
export function useVerifyUpstreams(serverName: string | undefined) {
  const mutation = useMutation({
    mutationFn: async (targets: readonly UpstreamTarget[]) => {
      const upstreams = [...new Set(targets.flatMap((target) => verifiableTarget(target) ?? []))];
      const { result } = await api.verifyUpstreamProtocol({
        query: { upstreams, ...(serverName && { server_name: serverName }) },
      });
      return result;
    },
    meta: { isSilent: true },
  });
  return {
    verify: mutation.mutate,
    verifyAsync: mutation.mutateAsync,
    isVerifying: mutation.isPending,
    error: mutation.error,
    results: mutation.data ?? [],
    /** Whether what was found is about these targets: no other host was asked. */
    isAbout: (targets: readonly UpstreamTarget[]) =>
      mutation.variables !== undefined && hostsOf(mutation.variables) === hostsOf(targets),
    resultOf: (target: UpstreamTarget) => mutation.data?.find((result) => result.upstream === verifiableTarget(target)),
    suggestion: suggestionOf(mutation.data ?? []),
  };
}
