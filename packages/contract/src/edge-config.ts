import { z } from 'zod';
import { parseRange } from './address.ts';
import { TEST_ATTACKS_MAX, TEST_REQUESTS_MAX } from './constants.ts';
import {
  cacheDevice,
  clearKind,
  planTier,
  tlsVerification,
  trafficAction,
  upstreamProtocol,
  wildcardLevels,
} from './enumerations.ts';
import { isStorable, text } from './text.ts';

/**
 * What the control plane sends an edge node: one `EdgeRoute` for each deployed domain of the node's czones and one
 * `EdgeSettings`. Everything is materialised: the edge adds no default and derives nothing that the control plane
 * could have written.
 */

const edgeHost = z.object({
  name: z
    .string()
    .max(255)
    .regex(/^[!-~]+$/)
    .describe('Exact name, or `*.example.com` for names below example.com (`wildcard_levels`). Lower case A-labels.'),
  verified: z
    .boolean()
    .describe('Whether the name is proved to belong to this route; if not, only a signed preview is served.'),
});

const edgeTarget = z.object({
  host: z.string().max(255).describe('IPv4 or IPv6 address without brackets, or a name that the agent resolves.'),
  port: z
    .number()
    .int()
    .min(1)
    .max(65535)
    .nullable()
    .describe('Null with `http_https`: 80 or 443, as the visitor came.'),
  weight: z.number().int().min(1).max(100),
  backup: z.boolean().describe('Used only while no other target is healthy.'),
});
export type EdgeTarget = z.infer<typeof edgeTarget>;

/** Up to an hour: each request fails at a time-out below nothing, or at one that overflows. */
const timeoutMs = z.number().int().min(1).max(3_600_000);

const edgeUpstream = z.object({
  protocol: upstreamProtocol,
  targets: z.array(edgeTarget).max(50),
  tries: z.number().int().min(1).max(5).describe('How many targets one request without a body may be sent to.'),
  connect_timeout_ms: timeoutMs,
  send_timeout_ms: timeoutMs,
  read_timeout_ms: timeoutMs,
  fail_timeout_ms: timeoutMs.describe('How long a target that failed `max_fails` times is left out.'),
  max_fails: z.number().int().min(1),
  connection_limit: z
    .number()
    .int()
    .min(0)
    .optional()
    .describe('Requests open at the origin at a time, per node; 0, or left out by an older control plane: unlimited.'),
  tls_verification: tlsVerification
    .optional()
    .describe('Left out by an older control plane, which knew no verification: off.'),
  tls_ca: z.string().optional().describe('With `custom`: the CA certificates that origins are verified by, as PEM.'),
});
export type EdgeUpstream = z.infer<typeof edgeUpstream>;

const edgePlugin = z.object({
  name: z.string().max(64),
  config: z.record(z.string(), z.unknown()).describe('Materialised by the schema of the plugin.'),
  resolved: z
    .unknown()
    .optional()
    .describe('What the plugin fetched when the version was deployed, for plugins that fetch anything.'),
  secrets: z
    .record(z.string(), z.string())
    .optional()
    .describe(
      'Secrets of the configuration, which has their handles, by field: sealed for the czone (`@cordon/plugin-kit/sealed-secret`). Empty: the control plane itself cannot open it.',
    ),
});

export const edgeRoute = z.object({
  id: z.uuid(),
  account_id: z.uuid(),
  czone: z.string().max(32),
  version: z.number().int().min(1).describe('The deployed version of the route.'),
  hosts: z.array(edgeHost).min(1).max(1000),
  tier: planTier,
  brand: z.string().max(64).describe('Key into `EdgeSettings.brands`.'),
  off: z
    .enum(['deactivated', 'suspended'])
    .optional()
    .describe('Nothing is served: visitors are told that its owner, or the provider, has switched it off.'),
  traffic_action: trafficAction,
  wildcard_levels: wildcardLevels
    .optional()
    .describe('What wildcards among the names answer for. Left out by an older control plane: one.'),
  upstream: edgeUpstream.nullable(),
  origin_key_seed: z
    .string()
    .max(64)
    .optional()
    .describe(
      'Of the value of Cordon-Origin-Key, which is the HMAC-SHA256 of `<route id> <seed>`. Left out: not sent.',
    ),
  https: z
    .object({
      force: z.boolean().describe('Visitors without TLS are sent to the same address with it.'),
      hsts: z
        .string()
        .max(100)
        .regex(/^max-age=\d{1,8}(; includeSubDomains)?(; preload)?$/)
        .optional()
        .describe(
          "Value of Strict-Transport-Security over TLS, in place of the origin's. Left out: the origin's passes.",
        ),
    })
    .optional()
    .describe('Left out: neither.'),
  plugins: z.array(edgePlugin).describe('Enabled plugins only, in the order of the pipeline.'),
});
export type EdgeRoute = z.infer<typeof edgeRoute>;

/** What nginx can read as JSON. */
const storable = (charactersMax: number) => z.string().max(charactersMax).refine(isStorable, 'no Unicode text');

export const edgeBrand = z.object({
  name: storable(64),
  primary_color: storable(16),
  abuse_contact: storable(255),
  console_url: storable(255),
  hides_provider: z.boolean().describe('White-label: pages at the edge do not name the provider.'),
});

/** The deployment's keys of Google reCAPTCHA (v2, checkbox), and where it is. */
const edgeRecaptcha = z.object({
  site_key: z.string().max(100),
  secret_key: z.string().max(100).describe('The agent alone shows it to Google; nginx never has it.'),
  script_url: z.string().max(255).describe('What the page of a challenge loads.'),
  verify_url: z.string().max(255).describe('What the agent asks whether an answer is good.'),
});
export type EdgeRecaptcha = z.infer<typeof edgeRecaptcha>;

/** Most shields that a czone may have. */
export const SHIELDS_MAX = 20;

/** Nodes of a czone that the others of it fetch through (docs/adr/0016-origin-shield.md). */
const edgeShields = z.object({
  czone: z.string().max(32),
  key: z
    .string()
    .max(64)
    .regex(/^[\w-]+$/)
    .describe(
      'Of the nodes of the czone; base64url. Signs what they ask each other, and makes the certificate of shields.',
    ),
  nodes: z
    .array(
      z.object({
        address: z.string().max(45),
        port: z.number().int().min(1).max(65535).describe('Where it takes TLS.'),
        is_live: z.boolean(),
        is_self: z.boolean().describe('It is the node that is sent this.'),
      }),
    )
    .max(SHIELDS_MAX),
});
export type EdgeShields = z.infer<typeof edgeShields>;

export const edgeSettings = z.object({
  preview_key: z.string().describe('Secret that signs preview tokens; base64url.'),
  probe_key: z
    .string()
    .regex(/^[\w-]+$/)
    .describe('Secret that the agent shows when it probes its own node; base64url.'),
  default_brand: z.string(),
  brands: z.record(z.string(), edgeBrand),
  cdn_loop_id: z
    .string()
    .regex(/^[\w-]+$/)
    .describe('Our identifier in the CDN-Loop header field (RFC 8586).'),
  origin_key: z.string().optional().describe('Key of the values of Cordon-Origin-Key; base64url.'),
  challenge_keys: z
    .array(z.string().max(64))
    .max(3)
    .optional()
    .describe(
      'Keys that sign passes of clients that have proved themselves, as text; the one to sign with first, then that of the day to come and that of the day before.',
    ),
  secret_keys: z
    .record(z.string().max(32), z.string().max(64))
    .optional()
    .describe("Keys that open secrets of plugins' configurations, base64url, by czone of the node."),
  recaptcha: edgeRecaptcha
    .optional()
    .describe('Left out where the operator has set no keys: what asks for it asks for the work of a browser instead.'),
  own_addresses: z
    .array(z.string().max(45))
    .max(10_000)
    .describe('Addresses of all nodes: no upstream may lead there.'),
  shields: z
    .array(edgeShields)
    .max(100)
    .optional()
    .describe('Of those czones of the node that have any. Left out by an older control plane: none.'),
});
export type EdgeSettings = z.infer<typeof edgeSettings>;

export const edgeChange = z.object({
  route_id: z.uuid(),
  revision: z.number().int().describe('Rises with every change of the route, deploys or not.'),
  route: edgeRoute.nullable().describe('Null: the route is gone from the edge.'),
});
export type EdgeChange = z.infer<typeof edgeChange>;

/**
 * An address or range of a feed: what nodes know of clients apart from the configuration of routes, live without a
 * version. An entry is found by feed, scope and network; the newest one counts.
 */
export const edgeFeedEntry = z.object({
  feed: z
    .string()
    .max(64)
    .regex(/^[!-~]+$/),
  scope: z.uuid().describe('Id of a route, or of an account: then of all its routes.'),
  // One that is none leaves nginx with a prefix length that no address has, and each visitor of the scope with an error.
  network: z
    .string()
    .max(49)
    .refine((network) => parseRange(network) !== undefined, 'no address or CIDR block')
    .describe('Canonical text of an address or CIDR block.'),
  until: z.number().int().nullable().describe('Unix seconds; one that has passed ends the entry. Null: no end.'),
});
export type EdgeFeedEntry = z.infer<typeof edgeFeedEntry>;

/** A client that a node has banned from a route, because a plugin said so. */
export const edgeBan = z.strictObject({
  route_id: z.uuid(),
  network: text(49).describe('Canonical text of the client: an IPv4 address, or the /64 of an IPv6 address.'),
  at: z.number().min(0).max(4_102_444_800).describe('Unix seconds.'),
  seconds: z.number().min(1).max(31_536_000),
  plugin: text(64),
  reason: text(64),
  request_id: text(64),
  feeds_cursor: text(15)
    .regex(/^\d{1,15}$/)
    .optional()
    .describe('How much of the feeds the node had heard of then; left out before it has heard of any.'),
});
export type EdgeBan = z.infer<typeof edgeBan>;

/** What a node is to clear of the cache of a route. */
export const edgeClear = z.object({
  id: z.uuid(),
  route_id: z.uuid(),
  kind: clearKind,
  values: z
    .array(z.string().max(16_384))
    .describe('URLs as `<host><path>?<query>`, prefixes as paths, both percent-encoded; tags as they are.'),
  soft: z.boolean(),
  age_ms: z.number().min(0).optional().describe('Since the call came, when this was sent.'),
});
export type EdgeClear = z.infer<typeof edgeClear>;

/** What a node is asked to send through its own nginx, to show what the protection of a route does (test attacks). */
export const edgeTestRequest = z.strictObject({
  method: text(32)
    .regex(/^(?!CONNECT$)[A-Z]+$/)
    .describe('Any but CONNECT, which is no request for what the route serves.'),
  target: text(2000)
    .regex(/^\/[!-~]*$/)
    .describe('Path and query as they are sent.'),
  headers: z.array(z.strictObject({ name: text(100).regex(/^[A-Za-z0-9-]+$/), value: text(1000) })).max(20),
  address: text(45).describe("Taken for the visitor's."),
  country: text(2).describe('ISO 3166-1 alpha-2; empty: as the address has it.'),
  times: z.number().int().min(1).max(TEST_REQUESTS_MAX).describe('Sent so often; what became of the last one counts.'),
});
export type EdgeTestRequest = z.infer<typeof edgeTestRequest>;

export const edgeTest = z.object({
  id: z.uuid(),
  route_id: z.uuid(),
  host: text(255),
  requests: z.array(edgeTestRequest).max(TEST_ATTACKS_MAX),
});
export type EdgeTest = z.infer<typeof edgeTest>;

/** What became of a request of a test: the status that a visitor gets, and what the pipeline said. */
export const edgeTestResult = z.strictObject({
  status: z.number().int().describe('0: it could not be sent, or was not answered.'),
  is_judged: z
    .boolean()
    .describe('The pipeline has seen it; false also where nginx itself refused what it could not read.'),
  plugin: text(64),
  action: text(16),
  reason: text(64),
  rule: text(1000),
  request_id: text(64),
  milliseconds: z.number().min(0),
});
export type EdgeTestResult = z.infer<typeof edgeTestResult>;

/** What a node did not store of a prefetch. */
const edgePrefetchProblem = z.strictObject({
  url: text(5_000),
  device: cacheDevice.nullable(),
  language: text(35).nullable(),
  status: z.number().int().min(0).max(999).describe('0: there was no answer in time.'),
  reason: text(32).describe('Why it was not stored, as Cache-Status has it; empty for errors.'),
});
export type EdgePrefetchProblem = z.infer<typeof edgePrefetchProblem>;

/** Of a node: the first so many problems of a prefetch are told. */
export const PREFETCH_PROBLEMS_MAX = 50;

/** URLs that a node is to ask its own nginx for, as visitors would, so that these meet them stored. Long ones come in parts. */
export const edgePrefetch = z.object({
  id: z.uuid(),
  route_id: z.uuid(),
  part: z.number().int().min(0),
  parts: z.number().int().min(1).max(1_000),
  refresh: z.boolean().describe('What is fresh is fetched again, too.'),
  hosts: z.array(z.string().max(255)).max(1_000).describe('What a URL without a host is asked for at.'),
  devices: z.array(cacheDevice).max(3).describe('Each URL is asked for once as each of them; empty: as none.'),
  languages: z.array(z.string().max(35)).max(20).describe('The same of languages.'),
  urls: z
    .array(
      z.object({
        scheme: z.enum(['http', 'https']).nullable().describe('Null: by both.'),
        host: z.string().max(255).nullable(),
        target: z
          .string()
          .max(4_096)
          .regex(/^\/[!-~]*$/)
          .describe('Path and query as they are sent.'),
      }),
    )
    .max(500),
});
export type EdgePrefetch = z.infer<typeof edgePrefetch>;

/** A prefetch that goes on no more. */
export const edgePrefetchEnd = z.object({ id: z.uuid(), ended: z.literal(true) });

const visitCount = z.number().int().min(0).max(1_000_000);
/** How far a node is with a prefetch: all of it, not what came since the last report. */
export const edgePrefetchReport = z.strictObject({
  id: z.uuid(),
  state: z.enum(['running', 'done', 'timed_out', 'busy']),
  kept: visitCount,
  fresh: visitCount,
  unkept: visitCount,
  failed: visitCount,
  problems: z
    .array(edgePrefetchProblem)
    .max(PREFETCH_PROBLEMS_MAX)
    .optional()
    .describe('Left out: as they were last told.'),
});
export type EdgePrefetchReport = z.infer<typeof edgePrefetchReport>;

const lookField = z.strictObject({ name: text(100).regex(/^[A-Za-z0-9-]+$/), value: text(1000) });

/** A URL of which a node is asked what it has stored, for a request with these fields. */
export const edgeLook = z.object({
  id: z.uuid(),
  route_id: z.uuid(),
  scheme: z.enum(['http', 'https']),
  host: text(255),
  target: text(8192)
    .regex(/^\/[!-~]*$/)
    .describe('Path and query as they are sent.'),
  path: text(8192).describe('The path without dots and doubled slashes, percent-encoded.'),
  headers: z.array(lookField).max(20),
  fetch: z
    .strictObject({ refresh: z.boolean().describe('Also where what is stored is fresh.') })
    .optional()
    .describe(
      'The node asks for the URL before it looks, as a visitor would, but past all plugins and without a row of the log.',
    ),
});
export type EdgeLook = z.infer<typeof edgeLook>;

const lookTime = z.number().int().min(0).describe('Unix seconds.');

/** An object of a node's cache. */
export const edgeStoredObject = z.strictObject({
  status: z.number().int(),
  content_type: text(200),
  content_encoding: text(100),
  made_at: lookTime,
  fresh_until: lookTime,
  stale_while_revalidate_until: lookTime.describe(
    '`fresh_until`: stale, it serves nobody while a newer one is fetched.',
  ),
  stale_if_error_until: lookTime.describe('So while its origin fails.'),
  bytes: z.number().int().min(0).describe('Of the body, or of its first slice.'),
  is_sliced: z.boolean().describe('The file is stored in slices; this is its first one.'),
  tags: z.array(text(200)).max(50).describe('The first ones.'),
  etag: text(300),
  last_modified: text(100),
  vary: text(300).describe('As visitors get it.'),
});
export type EdgeStoredObject = z.infer<typeof edgeStoredObject>;

/** What a node answered itself, when it asked for the URL as a visitor. */
export const edgeVisit = z.strictObject({
  status: z.number().int().describe('0: not answered to its end in time, or not let in.'),
  cache_status: text(1000),
  cache_control: text(1000),
  vary: text(300),
  age: text(20),
  content_type: text(200),
  content_encoding: text(100),
  sets_cookie: z.boolean(),
  bytes: z.number().int().min(0),
  milliseconds: z.number().min(0),
});
export type EdgeVisit = z.infer<typeof edgeVisit>;

/** What a node has stored of a URL, for each class of encodings that clients are of. */
export const edgeLookResult = z.strictObject({
  is_cached: z
    .boolean()
    .describe('Whether the node keeps anything of the route; false also where it does not serve it.'),
  query: text(8192).describe('The part of the query that counts.'),
  device: text(16).describe('`m`, `t` or `d`; empty: devices do not count.'),
  language: text(64).describe('Empty: languages do not count.'),
  objects: z.strictObject({
    br: edgeStoredObject.nullable(),
    gzip: edgeStoredObject.nullable(),
    identity: edgeStoredObject.nullable(),
  }),
  varies_by: text(300)
    .optional()
    .describe(
      'Names of fields, where an object is stored for other values of them, and none for those of the request.',
    ),
  visit: edgeVisit.optional(),
});
export type EdgeLookResult = z.infer<typeof edgeLookResult>;

/**
 * What the cache had to do with a request. `hit`: it was answered from what is stored; `stale`: so, though that was stale, also where
 * its origin was asked in vain; `revalidated`: its origin said that what is stored still holds; `miss` and `expired`: its origin answered, and
 * nothing, or nothing fresh, was stored; `bypass`: it passed by the cache.
 */
export const CACHE_OUTCOMES = ['', 'hit', 'stale', 'revalidated', 'miss', 'expired', 'bypass'] as const;
export type CacheOutcome = (typeof CACHE_OUTCOMES)[number];

/**
 * One request as the edge logs it. Addresses are text; sizes bytes; times milliseconds. Keys are short-lived on disk
 * and become columns of the `requests` table in ClickHouse.
 */
export const accessLogRow = z.object({
  time: z.number().describe('Unix time in seconds with milliseconds, when the request ended.'),
  request_id: z.string().max(64),
  route_id: z.string().max(36).describe('Empty when no route was found.'),
  account_id: z.string().max(36),
  host: z.string().max(255),
  method: z.string().max(32),
  path: z.string().max(2048).describe('Without query.'),
  raw_path: z
    .string()
    .max(2048)
    .optional()
    .describe('As it was sent, where origins may read another path in it; `-` where it may hold a secret.'),
  query: z.string().max(2048).describe('Values of secret-like names redacted.'),
  scheme: z.string().max(8),
  protocol: z.string().max(16),
  status: z.number().int(),
  bytes_sent: z.number().int(),
  bytes_received: z.number().int(),
  duration_ms: z.number(),
  client_address: z.string().max(45),
  country: z.string().max(2).describe('ISO 3166-1 alpha-2, or empty.'),
  user_agent: z.string().max(512),
  referer: z.string().max(512).describe('Without query.'),
  upstream_address: z.string().max(255),
  upstream_status: z.number().int(),
  upstream_ms: z.number(),
  cache: z.enum(CACHE_OUTCOMES).describe('What the cache had to do with the request; empty: nothing.'),
  cache_reason: z
    .string()
    .max(32)
    .optional()
    .describe('Why the request passed by the cache, or why its answer was not stored; else empty.'),
  plugin: z.string().max(64).describe('The plugin that decided, or empty.'),
  action: z
    .enum(['', 'block', 'challenge', 'redirect', 'log', 'allow'])
    .describe(
      'What the plugin decided. A proof that was accepted is a row of its own: no plugin, no action, reason `challenge_met`; of a wait, `wait_met`.',
    ),
  reason: z.string().max(64).describe('One of the reasons of the plugin, or of the edge itself.'),
  rule: z.string().max(128).describe('The entry or rule that matched.'),
  version: z.number().int().describe('Version of the route that answered.'),
  is_test: z.boolean().optional().describe('A test attack, which no visitor sent and no origin is asked about.'),
});
export type AccessLogRow = z.infer<typeof accessLogRow>;

/** Reasons that the edge itself gives, outside of any plugin (`plugin` is empty). */
export const EDGE_REASONS = [
  'unknown_host',
  'not_verified',
  'deactivated',
  'suspended',
  'misdirected',
  'loop',
  'force_https',
  'no_upstream',
  'websocket_limit',
  'bad_request',
  'origin_limit',
  'upload_limit',
  'body_too_slow',
  'challenge_met',
  'wait_met',
  'challenge_next',
  'challenge_failed',
  'challenge_unanswered',
  'origin_tls_expired',
  'origin_tls_name',
  'origin_tls_untrusted',
  'origin_tls_failed',
] as const;
export type EdgeReason = (typeof EDGE_REASONS)[number];
