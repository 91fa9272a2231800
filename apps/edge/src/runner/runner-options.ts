import { type AddressSet, buildAddressSet } from '@cordon/contract/address-set';

/** What the agent passes to nginx at its start, in a file that only root reads. */
export interface RunnerOptions {
  /** Peers whose `X-Forwarded-For` is believed. */
  readonly trusted_proxies: readonly string[];
  /** Empty outside of the demo. */
  readonly demo_secret: string;
  /** Unix socket of the agent, for what needs DNS. */
  readonly agent_socket: string;
  readonly crawlers: readonly RunnerCrawler[];
  /** What nginx.conf sends as CDN-Loop unless the runner writes another. */
  readonly cdn_loop_id: string;
  /** Peers may be IPv4-mapped addresses. */
  readonly is_dual_stack: boolean;
  readonly limits: RunnerLimits;
  readonly ports: RunnerPorts;
  /** Folder of nginx's cache, with a folder for each zone, and where what was cleared is written down. */
  readonly cache_dir: string;
  readonly cache_journal: string;
  /** Of each zone: how many bytes an object may have. */
  readonly cache_object_bytes: { readonly paid: number; readonly free: number };
  /** By which the fetching server knows nginx's own cache: other processes of the workers' user reach its socket too. */
  readonly fetch_key: string;
}

/** Where visitors connect to. */
export interface RunnerPorts {
  readonly http: number;
  readonly https: number;
}

/** How long things may take that visitors and origins keep open. */
export interface RunnerLimits {
  /** Life of a websocket on a free plan. */
  readonly free_websocket_seconds: number;
  /** How long neither side of a websocket may say anything. */
  readonly websocket_silence_seconds: number;
  /** In each window of a request body at least so many bytes come for each of its seconds. */
  readonly upload_window_seconds: number;
  readonly upload_bytes_per_second: number;
  /** Bodies on the way at once on this node. */
  readonly uploads_per_client: number;
  readonly uploads_per_domain: number;
  /** How long a request waits for its turn at an origin that has as many open as it takes. */
  readonly origin_queue_seconds: number;
  /** TLS handshakes that one client may begin within a second. */
  readonly handshakes_per_client: number;
  /** URLs of a domain, and as many of its large files, that requests have changed and that are kept one by one. */
  readonly changes_per_domain: number;
  /** Of the journal of clears; a longer one is written anew. */
  readonly journal_bytes: number;
  /** Of each worker: what nginx.conf says of connections, and of open files. */
  readonly connections: number;
  readonly descriptors: number;
}

/** A search engine and how it is recognised (apps/edge/src/crawlers). */
export interface RunnerCrawler {
  readonly name: string;
  /** Published ranges; may be empty. */
  readonly ranges: readonly string[];
  /** Parts of the User-Agent, lower case, that claim to be this engine; asked before DNS is. */
  readonly user_agents: readonly string[];
  /** Domains of its host names; empty when DNS proves nothing. */
  readonly domains: readonly string[];
}

export const options: {
  trusted: AddressSet;
  demoSecret: string;
  agentSocket: string;
  crawlers: readonly RunnerCrawler[];
  cdnLoopId: string;
  /** `$remote_addr` may not be the client's address as it stands. */
  needsClientSearch: boolean;
  limits: RunnerLimits;
  ports: RunnerPorts;
  cacheDir: string;
  cacheJournal: string;
  cacheObjectBytes: { readonly paid: number; readonly free: number };
  fetchKey: string;
} = {
  trusted: buildAddressSet([]),
  demoSecret: '',
  agentSocket: '',
  crawlers: [],
  cdnLoopId: '',
  needsClientSearch: true,
  limits: {
    free_websocket_seconds: 0,
    websocket_silence_seconds: 0,
    upload_window_seconds: 0,
    upload_bytes_per_second: 0,
    uploads_per_client: 0,
    uploads_per_domain: 0,
    origin_queue_seconds: 0,
    handshakes_per_client: 0,
    changes_per_domain: 0,
    journal_bytes: 0,
    connections: 0,
    descriptors: 0,
  },
  ports: { http: 0, https: 0 },
  cacheDir: '',
  cacheJournal: '',
  cacheObjectBytes: { paid: 0, free: 0 },
  fetchKey: '',
};

export function setOptions(given: RunnerOptions): void {
  options.trusted = buildAddressSet(given.trusted_proxies);
  options.demoSecret = given.demo_secret;
  options.agentSocket = given.agent_socket;
  options.crawlers = given.crawlers;
  options.cdnLoopId = given.cdn_loop_id;
  options.limits = given.limits;
  options.ports = given.ports;
  options.cacheDir = given.cache_dir;
  options.cacheJournal = given.cache_journal;
  options.cacheObjectBytes = given.cache_object_bytes;
  options.fetchKey = given.fetch_key;
  options.needsClientSearch = given.is_dual_stack || given.demo_secret !== '' || options.trusted.size > 0;
}
