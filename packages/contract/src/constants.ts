/** Business constants of the console specification, section 9, unless another source is named. */

/** Client timeout of every API call, in milliseconds. */
import type { PlanTier } from './enumerations.ts';

export const REQUEST_TIMEOUT_MS = 1_200_000;
/** How often the console looks at its access token, in seconds (section 4). */
export const TOKEN_REFRESH_CHECK_SECONDS = 60;
/** The token is refreshed when less than this is left, in seconds (section 4). */
export const TOKEN_MINIMUM_VALIDITY_SECONDS = 70;
/** Layout breakpoints, in CSS pixels. */
export const BREAKPOINTS_PX = [760, 992, 1200] as const;
/** Default page size of the route list, and of every other list. */
export const PAGE_SIZE_DEFAULT = 10;
/** Largest page size (product design, "API"). */
export const PAGE_SIZE_MAX = 100;
/** Characters of the name of a user. */
export const USER_NAME_CHARACTERS_MAX = 100;
/** A password has at least this many characters (code points; security design). */
export const PASSWORD_CHARACTERS_MIN = 10;
export const PASSWORD_CHARACTERS_MAX = 1000;
/** Certificates are valid this many days. */
export const CERTIFICATE_VALIDITY_DAYS = 90;
export const CERTIFICATE_HTTP_ISSUE_MINUTES = 1;
export const CERTIFICATE_DNS_ISSUE_MINUTES = { minimum: 5, maximum: 30 } as const;
/** Certificate pricing text, in US dollars. */
export const CERTIFICATE_PRICES_USD = {
  multiSubdomainPerDomain: 10,
  wildcard: 100,
  multiRootPerSingleDomain: 20,
  multiRootPerWildcard: 200,
} as const;
export const TOP_UP_MINIMUM_USD = 200;
export const ADDITIONAL_TRAFFIC_MINIMUM_GB = 100;
/** Default cache time: 2 hours. */
export const CACHE_TTL_DEFAULT_SECONDS = 7200;
/** Longest time that a customer may have answers kept for: a year. */
export const CACHE_TTL_MAX_SECONDS = 31_536_000;
export const BAN_TIMEOUT_DEFAULT_SECONDS = 3600;
export const SECLINK_SLEEP_SECONDS = 5;
export const SECLINK_EXPIRE_SECONDS = 300;
export const RATE_LIMIT_DEFAULTS = { findtime: 240, maxretry: 310, bantime: '3h' } as const;
/** Longest period in which requests of a client are counted, and the most that may be asked for in it. */
export const RATE_LIMIT_MAX = { findtime: 3600, maxretry: 1_000_000 } as const;
/** The access log shows this many last entries. */
export const ACCESS_LOG_ENTRIES = 100;
export const CNAME_PROPAGATION_MINUTES = { minimum: 5, maximum: 30 } as const;
/** Behind some DNS providers a CNAME takes up to this long. */
export const CNAME_PROPAGATION_SLOW_HOURS = 2;
/** Above this many domains the console suggests the batch import. */
export const BATCH_IMPORT_SUGGESTED_ABOVE = 10;
/** Traffic alerts, as shares of the quota. */
export const TRAFFIC_ALERT_SHARES = [0.8, 1] as const;
export const TRAFFIC_ALERT_DISMISSAL_DAYS = 1;
/** Total characters of the names of a selection of domains (section 5). */
export const DOMAIN_SELECTION_CHARACTERS_MAX = 1800;
/** Shadow domains of one domain; with the main name as many as the edge takes. */
export const SHADOW_DOMAINS_MAX = 999;
/** Shadow domains added or removed by one call. */
export const SHADOW_DOMAINS_AT_ONCE = 500;
/** Shadow domains whose DNS is looked at by one call; all others are watched anyway. */
export const SHADOW_DOMAINS_LOOKED_AT_ONCE = 20;
/** How long a domain may be paused for; null means until it is resumed by hand. */
export const PAUSE_MINUTES = [15, 60, 240] as const;
/** How long browsers may be told to come by HTTPS only: two years. */
export const HSTS_SECONDS_MAX = 63_072_000;
/** How long they must be told to, for a name to be built into them (hstspreload.org): a year. */
export const HSTS_PRELOAD_SECONDS_MIN = 31_536_000;
/** Names that are looked for at a time. */
export const FIND_NAMES_MAX = 1000;
/** RFC 1035 2.3.4. */
export const DOMAIN_LABEL_CHARACTERS_MAX = 63;
/** RFC 1035 2.3.4, in presentation form without the trailing dot. */
export const DOMAIN_NAME_CHARACTERS_MAX = 253;
export const RESPONSE_CODE = { minimum: 100, maximum: 900 } as const;
/** Origin connection limit; 0 means unlimited. */
export const ORIGIN_CONNECTIONS_MAX = 5000;
/** `tls_ca`: PEM of the CA certificates that a domain's origins are verified by, a handful. */
export const TLS_CA_CHARACTERS_MAX = 32_768;
/**
 * Different `tls_ca` that the live domains of a subscription may have, by the tier of its plan: each takes a place in the
 * memory of every node. Domains that have the same count once.
 */
export const TLS_CA_SETS_MAX = { free: 1, vip: 10 } as const satisfies Record<PlanTier, number>;
/** Header field that shows the origin that a request came through us (origin lock). */
export const ORIGIN_KEY_HEADER = 'Cordon-Origin-Key';
export const ERROR_REPORTING_SAMPLE_RATES = { traces: 1, replays: 0.1, replaysOnError: 1 } as const;
/** Default duration of a notice, and of an error notice, in milliseconds (section 8). */
export const NOTICE_MS = 3000;
export const ERROR_NOTICE_MS = 6000;
/** The warning of the time picker about its range, in milliseconds (section 5). */
export const TIME_RANGE_WARNING_MS = 8000;

export const TIME_RANGE_DEFAULT_MINUTES = 15;
/** Presets of the time picker that count back from now. */
export const TIME_RANGE_PRESETS = {
  minutes: [1, 5, 15],
  hours: [1, 4],
  days: [1],
  weeks: [1],
  longDays: [30],
} as const;
export const TIME_RANGE_NAMED_PRESETS = [
  'today',
  'this_week',
  'this_month',
  'yesterday',
  'day_before_yesterday',
  'previous_week',
  'previous_month',
  'this_quarter',
  'this_year',
] as const;
export const DATE_FORMAT_EN = 'MMM d, yyyy, HH:mm:ss';
/** Product design, "How we read the unclear places". */
export const DATE_FORMAT_ZH = 'yyyy年M月d日 HH:mm:ss';

/** Answer to visitors of a domain that its owner has deactivated and may resume, or that the provider has suspended. */
export const OFF_STATUS = { deactivated: 503, suspended: 403 } as const;

/** Concurrent websocket connections per domain, and their life, on free plans (product design). */
export const FREE_WEBSOCKETS_PER_DOMAIN = 10;
export const FREE_WEBSOCKET_SECONDS = 300;
/** On other plans they stay open as long as either side says or pings anything within this time. */
export const WEBSOCKET_SILENCE_SECONDS = 600;

/** Bodies of requests up to this size are read whole before the origin is connected to; larger ones are passed on as they come. */
export const BUFFERED_BODY_BYTES_MAX = 65_536;
/** A body that brings fewer bytes than this for each second of such a window is ended with 408. */
export const UPLOAD_WINDOW_SECONDS = 20;
export const UPLOAD_BYTES_PER_SECOND_MIN = 500;
/** Bodies that are on the way at once on a node: of one client (IPv6: /64), and larger ones to one domain. */
export const UPLOADS_PER_CLIENT_MAX = 100;
export const UPLOADS_PER_DOMAIN_MAX = 1000;
/** The head of a request has to be there after so long. */
export const HEADER_SECONDS = 15;
/** TLS handshakes that one client (IPv6: /64) may begin within a second on a node. */
export const HANDSHAKES_PER_CLIENT_MAX = 200;
/** How long a request waits for its turn at an origin that has as many open as it takes; then 503. As many wait at a time. */
export const ORIGIN_QUEUE_SECONDS = 5;

/** Different secrets in the configurations of one account, in all its versions. */
export const SECRETS_MAX = 2000;

/** Default ports by upstream protocol; `http_https` follows the visitor and takes none. */
export const UPSTREAM_PORTS = { http: 80, https: 443 } as const;
export const UPSTREAM_TARGETS_MAX = 50;
export const UPSTREAM_WEIGHT_MAX = 100;

/** Realm sent with every call when the embedded provider is used (product design, "API"). */
export const REALM_DEFAULT = 'cordon';
/** Console storage key that caches the subscription list (section 3). */
export const SUBSCRIPTIONS_STORAGE_KEY = 'subscriptions';

/** Attacks of one test of a domain's protection, and requests that one of them may take. */
export const TEST_ATTACKS_MAX = 40;
export const TEST_REQUESTS_MAX = 1_000;
