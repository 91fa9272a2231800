import type { EdgeReason, EdgeRoute } from '@cordon/contract/edge-config';

/**
 * What the agent writes into nginx: an `EdgeRoute` made ready for Lua. JSON's null never occurs (a field that is null
 * is left out), names are resolved, addresses are checked. Types only: both the agent and the runner import them.
 */

export interface RunnerTarget {
  /** As it was written, for the status and the log. */
  readonly name: string;
  /** Addresses that may be connected to, IPv6 in brackets. Empty: the name has none, or all were refused. */
  readonly addresses: readonly string[];
  /** Left out with `http_https`. */
  readonly port?: number;
  readonly weight: number;
  readonly backup: boolean;
  /** TLS connections to this target may be kept: its addresses are connected to with one and the same SNI only. */
  readonly tls_keepalive: boolean;
}

export interface RunnerUpstream {
  readonly protocol: 'http' | 'https' | 'http_https';
  readonly targets: readonly RunnerTarget[];
  readonly tries: number;
  readonly connect_timeout_ms: number;
  readonly send_timeout_ms: number;
  readonly read_timeout_ms: number;
  readonly fail_timeout_ms: number;
  readonly max_fails: number;
  /** Left out: unlimited. */
  readonly connection_limit?: number;
  /** Location whose proxy speaks TLS with these origins, where it is not the ordinary one, which verifies by public CAs. */
  readonly tls_location?: string;
  /** The same for exchanges over sockets of our own. */
  readonly tls_direct_location?: string;
  /** Certificates are not looked at. */
  readonly tls_unverified?: boolean;
  /** This node has no location left for the CA certificates: TLS to these origins is refused. */
  readonly tls_refused?: boolean;
}

/** What the runner asks the agent when TLS with an origin may have failed for its certificate. */
export interface TlsQuestion {
  readonly route_id: string;
  /** `address:port`, IPv6 in brackets. */
  readonly address: string;
  /** SNI. */
  readonly name: string;
}
export interface TlsAnswer {
  /** A reason for the log, or empty. */
  readonly result: '' | Extract<EdgeReason, `origin_tls_${string}`>;
}

/** What the runner asks the agent when a visitor shows an answer of Google reCAPTCHA. */
export interface RecaptchaQuestion {
  readonly route_id: string;
  readonly token: string;
  /** The visitor's. */
  readonly address: string;
  /** Name that the page was shown under. */
  readonly host: string;
}
export interface RecaptchaAnswer {
  /** `unanswered`: Google, or this node, cannot tell. */
  readonly result: 'passed' | 'refused' | 'unanswered';
}

export interface RunnerHost {
  readonly name: string;
  readonly verified: boolean;
}

export interface RunnerPlugin {
  readonly name: string;
  readonly config: unknown;
  /** Left out where the plugin fetched nothing at the deploy. */
  readonly resolved?: unknown;
}

export interface RunnerRoute {
  readonly id: string;
  readonly account_id: string;
  readonly czone: string;
  readonly version: number;
  readonly revision: number;
  readonly tier: EdgeRoute['tier'];
  readonly brand: string;
  readonly hosts: readonly RunnerHost[];
  readonly wildcard_levels: NonNullable<EdgeRoute['wildcard_levels']>;
  readonly off?: NonNullable<EdgeRoute['off']>;
  readonly upstream?: RunnerUpstream;
  /** Value of Cordon-Origin-Key; left out where the origin is not locked. */
  readonly origin_key?: string;
  /** Left out: neither is HTTPS forced, nor Strict-Transport-Security sent. */
  readonly https?: NonNullable<EdgeRoute['https']>;
  readonly plugins: readonly RunnerPlugin[];
}

export interface RunnerBrand {
  readonly name: string;
  readonly primary_color: string;
  readonly abuse_contact: string;
  /** Public address of the console, without a path. */
  readonly console_url: string;
  readonly hides_provider: boolean;
}

export interface RunnerRecaptcha {
  readonly site_key: string;
  readonly script_url: string;
  /** Sources of a Content-Security-Policy, blanks between. */
  readonly script_sources: string;
  readonly frame_sources: string;
}

/** Where a shield takes requests of other nodes; IPv6 in brackets. */
export interface RunnerShieldNode {
  readonly address: string;
  readonly port: number;
}

/** Of the shields of a czone. */
export interface RunnerShields {
  /** Of the certificate, and of the server that they answer in. */
  readonly name: string;
  /** That signs requests. */
  readonly key: string;
  /** Those that live; left out on a node that is one itself. */
  readonly nodes?: readonly RunnerShieldNode[];
  /** PEM, on a node that is one itself. */
  readonly certificate?: string;
  readonly private_key?: string;
}

export interface RunnerSettings {
  /** By czone; left out where none has any. */
  readonly shields?: Readonly<Record<string, RunnerShields>>;
  /** Addresses of all nodes, on a shield: to it they are no clients of whom too many connections are ended. */
  readonly peer_addresses?: readonly string[];
  /** The key itself, as base64url; decoded by the runner. */
  readonly preview_key: string;
  readonly probe_key: string;
  readonly default_brand: string;
  readonly brands: Readonly<Record<string, RunnerBrand>>;
  readonly cdn_loop_id: string;
  /** That sign passes and challenges, the one to sign with first. Empty: nobody can prove itself. */
  readonly challenge_keys: readonly string[];
  /** Left out where the deployment has no keys of Google reCAPTCHA. */
  readonly recaptcha?: RunnerRecaptcha;
  /** Signs requests of test attacks; of this agent alone. Left out: there are none. */
  readonly test_key?: string;
}

/** One line of `POST /routes`. */
export interface RunnerChange {
  readonly route_id: string;
  readonly revision: number;
  /** Names as in `hosts`; the route itself is JSON text, stored as it is. Left out: the route is removed. */
  readonly names?: readonly string[];
  readonly route?: string;
  /** Applied even when a newer revision is known: after a resync, the numbers may have begun again. */
  readonly force?: boolean;
}

/** A line of `POST /feeds`: addresses and ranges of a feed of a route or an account that end at the same time. */
export interface RunnerFeedEntries {
  readonly feed: string;
  readonly scope: string;
  readonly networks: readonly string[];
  /** Unix seconds; one that has passed removes them. Left out: they do not end. */
  readonly until?: number;
}

/** A line of `POST /feeds`: which prefix lengths occur, narrowest first, as `32,24;64`. Left out: none. */
export interface RunnerFeedPrefixes {
  readonly feed: string;
  readonly scope: string;
  readonly prefixes?: string;
}

/** A line of `POST /feeds`: how many bans of this node an account has that are not in the feed of the control plane. */
export interface RunnerOwnBans {
  readonly account: string;
  readonly own_bans: number;
}

/** The last line of `POST /feeds` where nginx has heard all of the feeds up to here with it. */
export interface RunnerFeedsCursor {
  readonly cursor: string;
}

export type RunnerFeedLine = RunnerFeedEntries | RunnerFeedPrefixes | RunnerOwnBans | RunnerFeedsCursor;

/** Answer of `POST /feeds`. */
export interface RunnerFeedResult {
  readonly boot_id: string;
  /** How many entries and other lines found no place, and why the last did not. */
  readonly failed: number;
  readonly error: string;
}

/** Body of `POST /bans/take`. */
export interface RunnerBansWritten {
  /** The batch that the agent was given last, once it has its bans on disk. */
  readonly written?: number;
}

/** Answer of `POST /bans/take`; empty when no ban waits. */
export interface RunnerBans {
  readonly batch?: number;
  /** `RunnerBan` as JSON. */
  readonly bans?: readonly string[];
}

/** A client that was banned on this node. */
export interface RunnerBan {
  readonly route_id: string;
  /** Canonical text of an address or CIDR block. */
  readonly network: string;
  /** Unix seconds. */
  readonly at: number;
  readonly seconds: number;
  /** Who banned it, and why. */
  readonly plugin: string;
  readonly reason: string;
  readonly request_id: string;
  /** How much of the feeds nginx had heard of when it gave the ban. Left out: of none since its start. */
  readonly feeds_cursor?: string;
}

/** Answer of `POST /clears`. */
export interface RunnerClearResult {
  readonly boot_id: string;
  /** So many lines, from the first on, were carried out; the others have to be sent once more. */
  readonly taken: number;
  /** Empty when all lines could be read. */
  readonly error: string;
}

/** Body of `POST /look`: a URL, and the fields of a request for it. Paths have one character for each byte. */
export interface RunnerLook {
  readonly route_id: string;
  readonly scheme: string;
  readonly host: string;
  /** As it is sent. */
  readonly target: string;
  /** As nginx reads it. */
  readonly path: string;
  readonly headers: readonly { readonly name: string; readonly value: string }[];
}

/** An object that can serve. */
export interface RunnerStored {
  readonly status: number;
  readonly content_type: string;
  readonly content_encoding: string;
  readonly made_at: number;
  readonly fresh_until: number;
  readonly stale_while_revalidate_until: number;
  readonly stale_if_error_until: number;
  readonly bytes: number;
  readonly is_sliced: boolean;
  /** Left out: none. */
  readonly tags?: readonly string[];
  readonly etag: string;
  readonly last_modified: string;
  readonly vary: string;
}

/** Answer of `POST /look`. What is left out is not stored. */
export interface RunnerLookResult {
  readonly is_cached: boolean;
  readonly query: string;
  readonly device: string;
  readonly language: string;
  readonly br?: RunnerStored;
  readonly gzip?: RunnerStored;
  readonly identity?: RunnerStored;
  /** Names of fields, where an object is stored for other values of them, and none for those of the request. */
  readonly varies_by?: string | undefined;
}

/** Answer of `POST /routes`. */
export interface RunnerChangeResult {
  readonly boot_id: string;
  readonly applied: number;
  readonly ignored: number;
  /** Left out when nothing failed. */
  readonly failed?: readonly { readonly route_id: string; readonly error: string }[];
}

/** Answer of `GET /status`. */
export interface RunnerStatus {
  /** Differs whenever nginx has lost what was pushed to it. */
  readonly boot_id: string;
  readonly generation: number;
  readonly routes: number;
  readonly has_settings: boolean;
  readonly feeds_bytes_free: number;
  /** False: what is left is for bans of this node, and entries of the control plane are refused. */
  readonly has_room_for_feeds: boolean;
  readonly routes_bytes: number;
  readonly routes_bytes_free: number;
  /** Faults of the runner since nginx started, and the text of the newest. */
  readonly faults: number;
  readonly last_fault: string;
  /** Rows that the access log should have got since nginx started. */
  readonly rows_owed: number;
  /** Connections that were ended since nginx started because their clients had too many of them. */
  readonly connections_ended: number;
  /** How often more was cleared of the cache than was asked for, for want of memory. */
  readonly clears_widened: number;
  /** How often what visitors had changed of a domain was forgotten, so that all that is stored of it is validated. */
  readonly changes_forgotten: number;
  /** Fetches for which a shield was asked since nginx started, those that it did not answer, and those that it refused. */
  readonly shield_requests: number;
  readonly shield_failures: number;
  readonly shield_refusals: number;
  /** Shared memory by its name, in bytes; what is free, in whole pages. */
  readonly dictionaries: Readonly<Record<string, { readonly bytes: number; readonly bytes_free: number }>>;
  /** How long ago each worker said that it lives. */
  readonly workers: readonly { readonly pid: number; readonly silent_seconds: number }[];
  /** Left out when there is none. */
  readonly targets_down?: readonly { readonly route_id: string; readonly target: string; readonly since: number }[];
}
