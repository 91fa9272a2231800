import { existsSync } from 'node:fs';
import { parseRange } from '@cordon/contract/address';
import {
  FREE_WEBSOCKET_SECONDS,
  HANDSHAKES_PER_CLIENT_MAX,
  HEADER_SECONDS,
  ORIGIN_QUEUE_SECONDS,
  UPLOAD_BYTES_PER_SECOND_MIN,
  UPLOAD_WINDOW_SECONDS,
  UPLOADS_PER_CLIENT_MAX,
  UPLOADS_PER_DOMAIN_MAX,
  WEBSOCKET_SILENCE_SECONDS,
} from '@cordon/contract/constants';
import { address, decimalNumber, endpoints, formatEndpoint, list, url, wholeNumber } from '@cordon/contract/setting';
import { z } from 'zod';

const megabytes = wholeNumber(1, 65536);

/** URLs of a domain that requests of visitors have changed, and its large files: beyond them, all that is stored of it is validated. */
const CHANGES_PER_DOMAIN_MAX = 20_000;
/** Of the journal of clears. Written anew, it is as long as what they take in memory at most. */
const JOURNAL_BYTES_MAX = 64 * 1024 * 1024;
/** Memory for notes of fetches that are under way, 300 bytes of each and as many of each that ended within two seconds. */
const FETCH_NOTES_BYTES = 16 * 1024 * 1024;

const limits = z.object({
  free_websocket_seconds: z.number().default(FREE_WEBSOCKET_SECONDS),
  websocket_silence_seconds: z.number().default(WEBSOCKET_SILENCE_SECONDS),
  upload_window_seconds: z.number().default(UPLOAD_WINDOW_SECONDS),
  upload_bytes_per_second: z.number().default(UPLOAD_BYTES_PER_SECOND_MIN),
  uploads_per_client: z.number().default(UPLOADS_PER_CLIENT_MAX),
  uploads_per_domain: z.number().default(UPLOADS_PER_DOMAIN_MAX),
  origin_queue_seconds: z.number().default(ORIGIN_QUEUE_SECONDS),
  handshakes_per_client: z.number().default(HANDSHAKES_PER_CLIENT_MAX),
  changes_per_domain: z.number().default(CHANGES_PER_DOMAIN_MAX),
  journal_bytes: z.number().default(JOURNAL_BYTES_MAX),
  fetch_notes_bytes: z.number().default(FETCH_NOTES_BYTES),
  header_seconds: z.number().default(HEADER_SECONDS),
  /** As many as open files allow where it is left out. */
  connections: z.number().optional(),
});

/** Environment of the agent. Empty values count as absent. Documented in docs/operating.md. */
const environment = z.object({
  CORDON_CONTROL_URL: url(['http:', 'https:']).describe('Address of the API, without `/api/v1/`.'),
  CORDON_NODE_CREDENTIAL: z.string().min(1).describe('Given by `operator node add`.'),
  CORDON_NODE_NAME: z.string().max(64, 'must have at most 64 characters').default('local'),
  CORDON_EDGE_DIR: z.string().min(1).describe('Data of the agent and nginx: logs, local snapshot, certificate.'),
  CORDON_BIND: address.default('127.0.0.1').describe('Address that visitors are served on.'),
  CORDON_EDGE_HTTP_PORT: wholeNumber(1, 65535).default(8080),
  CORDON_EDGE_HTTPS_PORT: wholeNumber(1, 65535).default(8443),
  CORDON_AGENT_PORT: wholeNumber(0, 65535).default(0).describe('Health and metrics on 127.0.0.1; 0: a free port.'),
  CORDON_METRICS_TOKEN: z
    .string()
    .regex(/^([\x21-\x7e]{16,200})?$/, 'must be 16 or more visible ASCII characters')
    .default('')
    .describe('With it a proxy of the operator may read the parts of /readyz and /metrics.'),
  CORDON_UPSTREAM_ALLOW: endpoints()
    .transform((all) => all.map(formatEndpoint))
    .describe('Exact `address:port` exceptions to the refusal of special addresses.'),
  CORDON_TRUSTED_PROXIES: list.refine(
    (entries) => entries.every((entry) => parseRange(entry)),
    'has an entry that is neither an address nor a range',
  ),
  CORDON_RESOLVER: endpoints(53)
    .transform((all) => all.map(formatEndpoint))
    .describe("DNS servers, `address` or `address:port`; the system's own when empty."),
  CORDON_DEMO_SECRET: z.string().default(''),
  CORDON_EDGE_WORKERS: wholeNumber(1, 256).optional().describe('One for each core by default.'),
  CORDON_EDGE_ROUTES_MB: megabytes.default(512).describe('Memory for routes; 100,000 domains need about 430.'),
  CORDON_EDGE_FEEDS_MB: megabytes
    .default(256)
    .describe('Memory for banned and allowed addresses; about 150 bytes each.'),
  CORDON_EDGE_COUNTERS_MB: megabytes
    .default(32)
    .describe('Memory for counts of requests by client; when it is full, the clients that send least are forgotten.'),
  CORDON_EDGE_CHALLENGES_MB: megabytes
    .default(4)
    .describe(
      'Memory for proofs that were shown, and the same again for puzzles; when one is full, its oldest are forgotten.',
    ),
  CORDON_EDGE_CACHE_MB: wholeNumber(16, 1_048_576 * 64)
    .default(4096)
    .describe('Disk for objects of paid plans in the cache; the least used go first.'),
  CORDON_EDGE_CACHE_FREE_MB: wholeNumber(16, 1_048_576 * 64)
    .default(1024)
    .describe('Disk for objects of free plans in the cache.'),
  CORDON_EDGE_CACHE_KEYS_MB: megabytes
    .default(64)
    .describe(
      'Memory for what the cache knows of its objects; 8,000 fit into each, and a quarter is added for free plans.',
    ),
  CORDON_EDGE_CLEARS_MB: megabytes.default(32).describe('Memory for what was cleared of the cache.'),
  CORDON_EDGE_LOG_DISK_MB: wholeNumber(16, 1_048_576)
    .default(2048)
    .describe('Disk for access logs that the control plane has not taken; beyond it the oldest are dropped.'),
  CORDON_EDGE_RESOLVE_SECONDS: decimalNumber(0.1, 3600).default(30),
  CORDON_EDGE_RELOAD_SECONDS: decimalNumber(0.1, 86_400)
    .default(1800)
    .describe('Shortest time between two reloads of nginx, which make room for CA certificates of origins.'),
  CORDON_EDGE_LIMITS: z
    .string()
    .default('{}')
    .transform((text, ctx) => {
      try {
        return limits.parse(JSON.parse(text));
      } catch {
        ctx.addIssue({ code: 'custom', message: 'must be a JSON object of numbers' });
        return z.NEVER;
      }
    })
    .describe('JSON of limits that differ from those that are stated: for tests, which cannot wait for minutes.'),
  CORDON_CA_BUNDLE: z
    .string()
    .default('')
    .describe("PEM file of the CA certificates that https origins are verified by; the system's when empty."),
  CORDON_COUNTRY_DATABASE: z
    .string()
    .default('')
    .describe('MaxMind DB file of the countries of addresses, read again when it changes; the shipped one when empty.'),
  CORDON_ASN_DATABASE: z
    .string()
    .default('')
    .describe('MaxMind DB file of the autonomous systems of addresses, likewise.'),
  CORDON_NGINX: z.string().default('/usr/sbin/nginx'),
  CORDON_NGINX_MODULES: z.string().default('/usr/lib/nginx/modules'),
});

export type AgentEnvironment = z.output<typeof environment>;

/** Parses the environment, or throws one Error that names every fault. */
export function readEnvironment(variables: NodeJS.ProcessEnv): AgentEnvironment {
  const given = Object.fromEntries(Object.entries(variables).filter(([, value]) => value !== ''));
  const parsed = environment.safeParse(given);
  const faults = parsed.success
    ? []
    : parsed.error.issues.map(({ path, message }) => {
        const name = String(path[0]);
        return `${name} ${given[name] === undefined ? 'is not set' : message}`;
      });
  for (const name of ['CORDON_CA_BUNDLE', 'CORDON_COUNTRY_DATABASE', 'CORDON_ASN_DATABASE']) {
    const file = given[name];
    if (file !== undefined && !existsSync(file)) faults.push(`${name}: ${file} does not exist`);
  }
  const nginx = given.CORDON_NGINX ?? '/usr/sbin/nginx';
  if (!existsSync(nginx)) faults.push(`CORDON_NGINX: ${nginx} does not exist`);
  if (!parsed.success || faults.length > 0) throw new Error(`The environment has faults:\n  ${faults.join('\n  ')}`);
  return parsed.data;
}
