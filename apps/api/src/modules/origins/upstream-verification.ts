import { parseDomainName, parseUpstreamHost, type UpstreamProtocol } from '@cordon/contract';
import { type Egress, type EgressCertificate, EgressError, type EgressFailure } from '../../platform/egress.ts';
import { AppError } from '../../platform/errors.ts';

type Protocol = Exclude<UpstreamProtocol, 'http_https'>;

export interface ProtocolAnswer {
  readonly protocol: Protocol;
  readonly port: number;
  readonly answers: boolean;
  readonly status: number | null;
  readonly ms: number | null;
  readonly certificate: OriginCertificate | null;
}

/** What a target showed over TLS, and why strict verification would refuse it. */
export interface OriginCertificate {
  readonly problem: 'expired' | 'not_yet_valid' | 'name' | 'self_signed' | 'incomplete' | 'untrusted' | null;
  readonly subject: string;
  readonly issuer: string;
  readonly expires_at: string | null;
}

const PROBLEMS: Readonly<Record<string, OriginCertificate['problem']>> = {
  CERT_HAS_EXPIRED: 'expired',
  CERT_NOT_YET_VALID: 'not_yet_valid',
  ERR_TLS_CERT_ALTNAME_INVALID: 'name',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'self_signed',
  SELF_SIGNED_CERT_IN_CHAIN: 'untrusted',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'incomplete',
  UNABLE_TO_GET_ISSUER_CERT: 'incomplete',
};

export const toCertificate = (found: EgressCertificate | undefined): OriginCertificate | null =>
  found
    ? {
        problem: found.error === undefined ? null : (PROBLEMS[found.error] ?? 'untrusted'),
        subject: found.subject,
        issuer: found.issuer,
        expires_at: found.expiresAt ?? null,
      }
    : null;

export interface UpstreamAnswer {
  readonly upstream: string;
  readonly protocols: ProtocolAnswer[];
  readonly suggested: { readonly protocol: UpstreamProtocol; readonly port: number | null } | null;
  readonly error: 'UPSTREAM_FORBIDDEN' | 'UPSTREAM_INVALID' | 'UPSTREAM_UNREACHABLE' | null;
}

const TARGETS_AT_ONCE = 4;
const TIMEOUT_MS = 5_000;
/** A TLS server's answer to plain HTTP on its port: the port speaks HTTPS, not HTTP. */
const PLAIN_TO_TLS_STATUS = 400;

function readTarget(text: string): { host: string; port: number | undefined } | undefined {
  const match = /^(.*):(\d{1,5})$/.exec(text.trim());
  const withPort = match?.[1] && (match[1].startsWith('[') || !match[1].includes(':')) ? match : undefined;
  const host = parseUpstreamHost(withPort?.[1] ?? text);
  const port = withPort ? Number(withPort[2]) : undefined;
  return host.ok && (port === undefined || (port >= 1 && port <= 65535)) ? { host: host.host, port } : undefined;
}

/** What to offer: both protocols on their own ports mean that the edge may follow the visitor. */
function suggest(answers: readonly ProtocolAnswer[], port: number | undefined): UpstreamAnswer['suggested'] {
  const http = answers.find((answer) => answer.protocol === 'http' && answer.answers);
  const https = answers.find((answer) => answer.protocol === 'https' && answer.answers);
  if (port === undefined && http && https) return { protocol: 'http_https', port: null };
  const best = https ?? http;
  return best ? { protocol: best.protocol, port: best.port } : null;
}

/** A certificate for a wildcard's name holds for any name below it. */
const serverNameOf = (name: string | undefined): string | undefined => {
  const read = name === undefined ? undefined : parseDomainName(name);
  return read?.ok ? read.name.replace(/^\*\./, 'www.') : undefined;
};

/** Connects to targets as the edge would, through the egress guard, and answers which protocols they speak. */
export type UpstreamVerification = (
  accountId: string,
  texts: readonly string[],
  /** Asked for in TLS; each target's own unless given. */
  name?: string,
) => Promise<UpstreamAnswer[]>;

export const createUpstreamVerification =
  (egress: Egress): UpstreamVerification =>
  (accountId, texts, name) =>
    verifyUpstreams(egress, accountId, texts, serverNameOf(name));

async function verifyUpstreams(
  egress: Egress,
  accountId: string,
  texts: readonly string[],
  serverName: string | undefined,
): Promise<UpstreamAnswer[]> {
  async function ask(host: string, protocol: Protocol, port: number): Promise<ProtocolAnswer | EgressFailure> {
    try {
      const response = await egress.request({
        account_id: accountId,
        protocol,
        host,
        port,
        method: 'GET',
        path: '/',
        timeoutMs: TIMEOUT_MS,
        bodyBytesMax: 4_096,
        ...(serverName === undefined ? {} : { serverName }),
      });
      const isTlsPort =
        protocol === 'http' &&
        response.status === PLAIN_TO_TLS_STATUS &&
        /https/i.test(response.body.toString('latin1'));
      return {
        protocol,
        port,
        answers: !isTlsPort,
        status: response.status,
        ms: Math.round(response.ms),
        certificate: toCertificate(response.certificate),
      };
    } catch (error) {
      if (!(error instanceof EgressError)) throw error;
      return error.failure;
    }
  }

  async function verify(text: string): Promise<UpstreamAnswer> {
    const target = readTarget(text);
    if (!target) return { upstream: text, protocols: [], suggested: null, error: 'UPSTREAM_INVALID' };
    const found = await Promise.all([
      ask(target.host, 'http', target.port ?? 80),
      ask(target.host, 'https', target.port ?? 443),
    ]);
    if (found.includes('rate_limited')) throw new AppError('TOO_MANY_REQUESTS');
    const silent = (protocol: Protocol, port: number): ProtocolAnswer => ({
      protocol,
      port,
      answers: false,
      status: null,
      ms: null,
      certificate: null,
    });
    const protocols = found.map((answer, index) =>
      typeof answer !== 'string'
        ? answer
        : index === 0
          ? silent('http', target.port ?? 80)
          : silent('https', target.port ?? 443),
    );
    const isForbidden = found.every((answer) => answer === 'forbidden');
    const isSilent = protocols.every((answer) => !answer.answers);
    return {
      upstream: text,
      protocols,
      suggested: suggest(protocols, target.port),
      error: isForbidden ? 'UPSTREAM_FORBIDDEN' : isSilent ? 'UPSTREAM_UNREACHABLE' : null,
    };
  }

  const results: UpstreamAnswer[] = [];
  for (let start = 0; start < texts.length; start += TARGETS_AT_ONCE) {
    results.push(...(await Promise.all(texts.slice(start, start + TARGETS_AT_ONCE).map(verify))));
  }
  return results;
}
