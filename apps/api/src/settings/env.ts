import { resolve } from 'node:path';
import { type DeploymentFeature, parseAddress, parseRange, specialAddressKind } from '@cordon/contract';
import type { EdgeRecaptcha } from '@cordon/contract/edge-config';
import { address, endpoints, list, url, wholeNumber } from '@cordon/contract/setting';
import { z } from 'zod';
import { type NameServer, parseNameServer } from './name-servers.ts';

/** The settings that the process cannot start with, each with its reason. Printed as it stands; exit code 1. */
export class EnvironmentError extends Error {
  override readonly name = 'EnvironmentError';
  constructor(readonly faults: readonly string[]) {
    super(`Settings are wrong:\n${faults.map((fault) => `  ${fault}`).join('\n')}`);
  }
}

const flag = z
  .enum(['0', '1', 'true', 'false', ''], 'must be 0 or 1')
  .default('0')
  .transform((text) => text === '1' || text === 'true');
/** Cloudflare, Google, AliDNS, DNSPod. Not asked where the operator names the only servers to ask. */
const PUBLIC_RESOLVERS = ['1.1.1.1', '8.8.8.8', '223.5.5.5', '119.29.29.29'];

const recaptchaKey = z
  .string()
  .regex(
    /^[A-Za-z0-9_-]{20,100}$/,
    'must be a key of Google reCAPTCHA: 20 or more letters, digits, hyphens and underscores',
  );

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

const schema = z.object({
  DATABASE_URL: url(['postgres:', 'postgresql:']),
  CLICKHOUSE_URL: url(['http:', 'https:']).optional(),
  CORDON_SECRET_KEY: z
    .string()
    .refine(
      (text) => Buffer.from(text, 'base64').length === 32,
      'must be 32 bytes in base64 (openssl rand -base64 32)',
    ),
  CORDON_BIND: address.default('127.0.0.1'),
  CORDON_PORT: wholeNumber(0, 65535).default(8000),
  CORDON_ORIGIN: url(['http:', 'https:']).optional(),
  CORDON_DATA_DIR: z.string().min(1).default('.cordon'),
  CORDON_CONSOLE_DIR: z.string().min(1).optional(),
  CORDON_BRANDS: z.string().min(1).optional(),
  CORDON_EDGE_DOMAIN: z
    .string()
    .regex(/^[a-z0-9-]+(\.[a-z0-9-]+)+$/, 'must be a domain name')
    .default('edge.cordon.test'),
  CORDON_NAME_SERVERS: list.transform((entries, ctx) =>
    entries.map((entry) => {
      const server = parseNameServer(entry);
      if (server) return server;
      ctx.addIssue({ code: 'custom', message: `has "${entry}", which is not name=address+address` });
      return z.NEVER;
    }),
  ),
  CORDON_DNS_PORT: wholeNumber(1, 65535).optional(),
  CORDON_DNS_PASSWORD: z
    .string()
    .regex(/^[A-Za-z0-9_-]{16,200}$/, 'must be 16 or more letters, digits, hyphens and underscores')
    .optional(),
  CORDON_EDGE_HTTP_PORT: wholeNumber(1, 65535).default(8080),
  CORDON_EDGE_HTTPS_PORT: wholeNumber(1, 65535).default(8443),
  CORDON_TRUSTED_PROXIES: list.refine(
    (entries) => entries.every((entry) => parseRange(entry) !== undefined),
    'must be addresses or ranges',
  ),
  CORDON_UPSTREAM_ALLOW: endpoints(),
  CORDON_RESOLVER: endpoints(53),
  CORDON_PUBLIC_RESOLVERS: endpoints(53),
  CORDON_ASN_DATABASE: z.string().min(1).optional(),
  CORDON_COUNTRY_DATABASE: z.string().min(1).optional(),
  CORDON_LOG_RETENTION_DAYS: wholeNumber(2, 3650).default(30),
  CORDON_RECAPTCHA_SITE_KEY: recaptchaKey.optional(),
  CORDON_RECAPTCHA_SECRET_KEY: recaptchaKey.optional(),
  CORDON_RECAPTCHA_SCRIPT_URL: url(['http:', 'https:']).default('https://www.google.com/recaptcha/api.js'),
  CORDON_RECAPTCHA_VERIFY_URL: url(['http:', 'https:']).default('https://www.google.com/recaptcha/api/siteverify'),
  CORDON_METRICS_TOKEN: z
    .string()
    .regex(/^[\x21-\x7e]{16,200}$/, 'must be 16 or more visible ASCII characters')
    .optional(),
  CORDON_DEMO: flag,
  CORDON_ABSENT_PARTS: list,
  CORDON_LOG_LEVEL: z.enum(LOG_LEVELS, `must be one of ${LOG_LEVELS.join(', ')}`).default('info'),
  OIDC_ISSUER: url(['http:', 'https:']).optional(),
  OIDC_AUDIENCE: z.string().min(1).optional(),
});

/** Settings of the API, parsed once at start. Sizes bytes, ports numbers, addresses canonical. */
export interface Environment {
  readonly databaseUrl: string;
  /** Undefined: no traffic is stored, and the parts that need it answer TRAFFIC_UNAVAILABLE. */
  readonly clickhouseUrl: string | undefined;
  /** 32 bytes; encrypts private keys and other secrets at rest. */
  readonly secretKey: Buffer;
  readonly bind: string;
  readonly port: number;
  /** Public origin of console and API, without a slash at the end. */
  readonly origin: string;
  readonly dataDir: string;
  readonly consoleDir: string | undefined;
  readonly brandsFile: string | undefined;
  /** Parent of the czones' names. */
  readonly edgeDomain: string;
  /** Of the edge domain; empty: this machine alone. */
  readonly nameServers: readonly NameServer[];
  /** Where the name server of this machine answers; undefined: there is none to look after. */
  readonly dnsPort: number | undefined;
  /** Of the database role of name servers; undefined: the role is made elsewhere. */
  readonly dnsPassword: string | undefined;
  readonly edgeHttpPort: number;
  readonly edgeHttpsPort: number;
  readonly trustedProxies: readonly string[];
  /** Exceptions of the egress guard, exactly these. */
  readonly upstreamAllow: readonly { address: string; port: number }[];
  /** Name servers to ask; empty: the system's. */
  readonly resolver: readonly { address: string; port: number }[];
  /** Resolvers of others that a diagnosis asks besides, to see how far a change of DNS has spread. */
  readonly publicResolvers: readonly { address: string; port: number }[];
  /** MaxMind DB file of the autonomous systems of addresses; undefined: the shipped one. */
  readonly asnDatabase: string | undefined;
  /** That of their countries, likewise. */
  readonly countryDatabase: string | undefined;
  /** How long single requests are kept. */
  readonly logRetentionDays: number;
  /** Of Google reCAPTCHA (v2, checkbox); undefined: visitors cannot be asked for it. */
  readonly recaptcha: EdgeRecaptcha | undefined;
  /** With it /metrics and the parts of /readyz are answered to other machines; undefined: to none. */
  readonly metricsToken: string | undefined;
  readonly isDemo: boolean;
  /** Parts whose programs this machine lacks, as found by the launcher. */
  readonly absentParts: readonly string[];
  readonly logLevel: string;
  /** Issuer of the tokens; the embedded provider's unless OIDC_ISSUER names another. */
  readonly oidcIssuer: string;
  readonly hasExternalIssuer: boolean;
  /** What an access token's `aud` must hold. */
  readonly oidcAudience: string;
  /** Name that the Realm header must carry: the last part of the issuer. */
  readonly realm: string;
}

/** What the operator's commands need: they hold no secret key. */
export type OperatorEnvironment = Pick<Environment, 'databaseUrl' | 'edgeDomain' | 'isDemo'>;

const operatorSchema = schema.pick({ DATABASE_URL: true, CORDON_EDGE_DOMAIN: true, CORDON_DEMO: true });

export function parseOperatorEnvironment(variables: NodeJS.ProcessEnv): OperatorEnvironment {
  const value = parse(operatorSchema, variables);
  return { databaseUrl: value.DATABASE_URL, edgeDomain: value.CORDON_EDGE_DOMAIN, isDemo: value.CORDON_DEMO };
}

function parse<Schema extends z.ZodType>(given: Schema, variables: NodeJS.ProcessEnv): z.output<Schema> {
  // An empty variable is what `CORDON_X= npm start` leaves: not set.
  const set = Object.fromEntries(Object.entries(variables).filter(([, value]) => value !== undefined && value !== ''));
  const result = given.safeParse(set);
  if (result.success) return result.data;
  throw new EnvironmentError(
    result.error.issues.map((issue) => {
      const name = String(issue.path[0]);
      return set[name] === undefined ? `${name} is not set.` : `${name} ${issue.message}.`;
    }),
  );
}

/** What only some deployments offer. */
export const featuresOf = ({ recaptcha }: Pick<Environment, 'recaptcha'>): readonly DeploymentFeature[] =>
  recaptcha ? ['recaptcha'] : [];

/** One key alone would be taken for a set-up that works. */
function readRecaptcha(value: z.output<typeof schema>): EdgeRecaptcha | undefined {
  const { CORDON_RECAPTCHA_SITE_KEY: siteKey, CORDON_RECAPTCHA_SECRET_KEY: secretKey } = value;
  if (siteKey === undefined && secretKey === undefined) return undefined;
  if (siteKey === undefined) throw new EnvironmentError(['CORDON_RECAPTCHA_SITE_KEY is not set.']);
  if (secretKey === undefined) throw new EnvironmentError(['CORDON_RECAPTCHA_SECRET_KEY is not set.']);
  return {
    site_key: siteKey,
    secret_key: secretKey,
    script_url: value.CORDON_RECAPTCHA_SCRIPT_URL,
    verify_url: value.CORDON_RECAPTCHA_VERIFY_URL,
  };
}

/** Reads the settings; throws EnvironmentError that lists every fault at once. */
export function parseEnvironment(variables: NodeJS.ProcessEnv): Environment {
  const value = parse(schema, variables);
  const bind = parseAddress(value.CORDON_BIND);
  // In the demo every name counts as proved.
  if (value.CORDON_DEMO && (bind === undefined || specialAddressKind(bind) !== 'loopback'))
    throw new EnvironmentError(['CORDON_BIND must be a loopback address with CORDON_DEMO.']);
  const origin = new URL(value.CORDON_ORIGIN ?? `http://127.0.0.1:${value.CORDON_PORT}`).origin;
  const issuer = (value.OIDC_ISSUER ?? `${origin}/auth/realms/cordon`).replace(/\/$/, '');
  return {
    databaseUrl: value.DATABASE_URL,
    clickhouseUrl: value.CLICKHOUSE_URL,
    secretKey: Buffer.from(value.CORDON_SECRET_KEY, 'base64'),
    bind: value.CORDON_BIND,
    port: value.CORDON_PORT,
    origin,
    dataDir: resolve(value.CORDON_DATA_DIR),
    consoleDir: value.CORDON_CONSOLE_DIR === undefined ? undefined : resolve(value.CORDON_CONSOLE_DIR),
    brandsFile: value.CORDON_BRANDS,
    edgeDomain: value.CORDON_EDGE_DOMAIN,
    nameServers: value.CORDON_NAME_SERVERS,
    dnsPort: value.CORDON_DNS_PORT,
    dnsPassword: value.CORDON_DNS_PASSWORD,
    edgeHttpPort: value.CORDON_EDGE_HTTP_PORT,
    edgeHttpsPort: value.CORDON_EDGE_HTTPS_PORT,
    trustedProxies: value.CORDON_TRUSTED_PROXIES,
    upstreamAllow: value.CORDON_UPSTREAM_ALLOW,
    resolver: value.CORDON_RESOLVER,
    publicResolvers:
      value.CORDON_PUBLIC_RESOLVERS.length > 0
        ? value.CORDON_PUBLIC_RESOLVERS
        : value.CORDON_RESOLVER.length > 0
          ? []
          : PUBLIC_RESOLVERS.map((address) => ({ address, port: 53 })),
    asnDatabase: value.CORDON_ASN_DATABASE === undefined ? undefined : resolve(value.CORDON_ASN_DATABASE),
    countryDatabase: value.CORDON_COUNTRY_DATABASE === undefined ? undefined : resolve(value.CORDON_COUNTRY_DATABASE),
    logRetentionDays: value.CORDON_LOG_RETENTION_DAYS,
    recaptcha: readRecaptcha(value),
    metricsToken: value.CORDON_METRICS_TOKEN,
    isDemo: value.CORDON_DEMO,
    absentParts: value.CORDON_ABSENT_PARTS,
    logLevel: value.CORDON_LOG_LEVEL,
    oidcIssuer: issuer,
    hasExternalIssuer: value.OIDC_ISSUER !== undefined,
    oidcAudience: value.OIDC_AUDIENCE ?? `${origin}/api/v1/`,
    realm: issuer.slice(issuer.lastIndexOf('/') + 1),
  };
}
