import { createHash } from 'node:crypto';
import { existsSync, readFileSync, realpathSync, statfsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { availableParallelism } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  bypassStatus,
  CACHE_BYPASSES,
  COMPRESSED_BYTES_MIN,
  COMPRESSED_TYPES,
  SLICE_BYTES,
} from '@cordon/plugin-kit/shared-cache';
import type { RunnerOptions } from '../runner/runner-options.ts';
import { SECRET_NAMES, SECRET_WORDS } from '../runner/secret-names.ts';
import type { CertificateFiles } from './certificate.ts';
import type { AgentEnvironment } from './env.ts';
import { FETCH_FILTERS, tlsCaFetchLocations, tlsCaLocations } from './tls-ca.ts';

const RUNNER_MODULE = 'apps.edge.src.runner.main';

/** Where the files are that nginx reads: beside the bundle, or in the repository when the agent runs from source. */
export interface EdgeFiles {
  readonly template: string;
  readonly originFields: string;
  readonly cached: string;
  readonly cachedLocations: string;
  readonly lua: string;
  readonly countryDatabase: string;
  readonly asnDatabase: string;
}

export function findEdgeFiles(): EdgeFiles {
  const here = dirname(fileURLToPath(import.meta.url));
  const isBundle = existsSync(join(here, 'nginx/nginx.conf.template'));
  const root = resolve(here, isBundle ? '../..' : '../../../..');
  const nginx = isBundle ? join(here, 'nginx') : join(root, 'apps/edge/nginx');
  const database = createRequire(import.meta.url).resolve(
    '@ip-location-db/geo-whois-asn-country-mmdb/geo-whois-asn-country.mmdb',
  );
  return {
    template: join(nginx, 'nginx.conf.template'),
    originFields: join(nginx, 'origin-fields.conf'),
    cached: join(nginx, 'cached.conf'),
    cachedLocations: join(nginx, 'cached-locations.conf'),
    lua: process.env.CORDON_EDGE_LUA ?? (isBundle ? join(here, 'lua') : join(root, 'dist/edge/lua')),
    // One of several ways to the same file must not look like another configuration.
    countryDatabase: realpathSync(database),
    asnDatabase: isBundle ? join(here, 'asn.mmdb') : join(root, 'dist/edge/asn.mmdb'),
  };
}

export interface NginxConfig {
  readonly text: string;
  /** Differs when nginx would have to be started anew: of the configuration and of the Lua it loads. */
  readonly fingerprint: string;
}

function fillTemplate(template: string, values: Readonly<Record<string, string>>): string {
  return template.replace(/\{\{(\w+)\}\}/g, (_, name: string) => {
    const value = values[name];
    if (value === undefined) throw new Error(`nginx.conf.template asks for an unknown value: ${name}`);
    return value;
  });
}

/** Of a disk, what the cache leaves for others; objects go before that (cache-space.ts of the runner stores nothing more at half of it). */
function bytesToKeepFree(folder: string): number {
  const { blocks, bsize } = statfsSync(folder);
  return Math.min(128 * 1024 * 1024, Math.floor((blocks * bsize) / 50));
}

/** Of a zone of the cache: how many bytes an object may have. A slice of a large file fits into the smallest one. */
export const objectBytesMax = (zoneMegabytes: number): number => (zoneMegabytes / 4) * 1024 * 1024;

/** How many files a process of ours may open at most; nginx cannot raise it as an ordinary user. */
export function descriptorsMax(): number {
  const hard = /^Max open files\s+\S+\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1];
  return Math.min(65_536, Number(hard ?? 65_536));
}

/** Renders nginx.conf for this node. The folder is short: the paths of unix sockets are limited to 107 bytes. */
export function renderConfig(
  environment: AgentEnvironment,
  files: EdgeFiles,
  certificate: CertificateFiles,
  run: { readonly runDir: string; readonly adminSocket: string; readonly fetchSocket: string },
  workerUser: string | undefined,
  options: RunnerOptions,
  trust: {
    readonly caBundle: string;
    readonly tlsCaDir: string;
    readonly tlsCaNumbers: readonly number[];
    readonly shieldsDir: string;
  },
): NginxConfig {
  const bind = environment.CORDON_BIND.includes(':') ? `[${environment.CORDON_BIND}]` : environment.CORDON_BIND;
  const template = readFileSync(files.template, 'utf8');
  const originFields = readFileSync(files.originFields, 'utf8').trim();
  const cached = readFileSync(files.cached, 'utf8').trimEnd();
  const locations = readFileSync(files.cachedLocations, 'utf8').trimEnd();
  const cachedIn = (zone: string, asker: 'http' | 'https' | 'node') => {
    const isNode = asker === 'node';
    const values = {
      zone,
      fetch_key: options.fetch_key,
      // A node says what its visitor has come by.
      scheme: isNode ? '$cordon_scheme' : '$scheme',
      hidden: isNode
        ? ''
        : 'proxy_hide_header Cache-Tag; proxy_hide_header Surrogate-Key; proxy_hide_header Surrogate-Control;',
      shield: isNode ? 'proxy_set_header Cordon-Cache-Shield 1;' : '',
      filter: isNode ? 'cordon.filterShielded()' : `cordon.filterCached(${asker === 'https'})`,
    };
    const foundAgain = isNode ? values.filter : `cordon.filterFoundAgain(${asker === 'https'})`;
    return fillTemplate(locations, {
      zone,
      cached: fillTemplate(cached, { ...values, slice: '' }),
      found_again: fillTemplate(cached, { ...values, slice: '', filter: foundAgain }),
      sliced: fillTemplate(cached, { ...values, slice: '#$slice_range' }),
      slice_bytes: String(SLICE_BYTES),
      lua_scheme: isNode ? 'ngx.var.cordon_scheme' : `'${asker}'`,
    });
  };
  const values = {
    user_line: workerUser === undefined ? '' : `user ${workerUser};`,
    workers: String(environment.CORDON_EDGE_WORKERS ?? availableParallelism()),
    files: String(options.limits.descriptors),
    connections: String(options.limits.connections),
    header_seconds: String(environment.CORDON_EDGE_LIMITS.header_seconds),
    run_dir: run.runDir,
    admin_socket: run.adminSocket,
    modules: environment.CORDON_NGINX_MODULES,
    bypass_statuses: CACHE_BYPASSES.map((bypass) => `${bypass} "${bypassStatus(bypass)}";`).join(' '),
    origin_fields: fillTemplate(originFields, { scheme: '$scheme' }),
    fetch_origin_fields: fillTemplate(originFields, { scheme: '$cordon_scheme' }),
    cached_paid_http: cachedIn('paid', 'http'),
    cached_paid_https: cachedIn('paid', 'https'),
    cached_paid_shield: cachedIn('paid', 'node'),
    cached_free_http: cachedIn('free', 'http'),
    cached_free_https: cachedIn('free', 'https'),
    cached_free_shield: cachedIn('free', 'node'),
    fetch_filters: FETCH_FILTERS,
    fetch_socket: run.fetchSocket,
    // nginx has text/html in any case.
    compressed_types: COMPRESSED_TYPES.filter((type) => type !== 'text/html').join(' '),
    compressed_bytes_min: String(COMPRESSED_BYTES_MIN),
    cache_dir: options.cache_dir,
    // nginx needs about 128 bytes for each object.
    cache_keys: `${environment.CORDON_EDGE_CACHE_KEYS_MB}m`,
    cache_keys_free: `${Math.max(1, Math.ceil(environment.CORDON_EDGE_CACHE_KEYS_MB / 4))}m`,
    cache_paid: `${environment.CORDON_EDGE_CACHE_MB}m`,
    cache_free: `${environment.CORDON_EDGE_CACHE_FREE_MB}m`,
    cache_free_bytes: `${bytesToKeepFree(environment.CORDON_EDGE_DIR)}`,
    fetches_dict: String(environment.CORDON_EDGE_LIMITS.fetch_notes_bytes),
    clears_dict: `${environment.CORDON_EDGE_CLEARS_MB}m`,
    // nginx runs inside the logs folder; see nginx-process.ts.
    access_log: 'access_log /proc/self/cwd/current.ndjson cordon buffer=64k flush=1s if=$cordon_logged;',
    lua: files.lua,
    secret_names: SECRET_NAMES,
    secret_words: SECRET_WORDS,
    runner: RUNNER_MODULE,
    routes_dict: `${environment.CORDON_EDGE_ROUTES_MB}m`,
    feeds_dict: `${environment.CORDON_EDGE_FEEDS_MB}m`,
    counters_dict: `${environment.CORDON_EDGE_COUNTERS_MB}m`,
    challenges_dict: `${environment.CORDON_EDGE_CHALLENGES_MB}m`,
    country_database: environment.CORDON_COUNTRY_DATABASE || files.countryDatabase,
    asn_database: environment.CORDON_ASN_DATABASE || files.asnDatabase,
    cdn_loop: options.cdn_loop_id.replace(/[^!#%&'*+.^_`|~0-9A-Za-z-]/g, ''),
    certificate: certificate.certificate,
    certificate_key: certificate.key,
    ca_bundle: trust.caBundle,
    shields_dir: trust.shieldsDir,
    tls_ca_http: tlsCaLocations(false, trust.tlsCaDir, trust.tlsCaNumbers, certificate.certificate),
    tls_ca_fetch: tlsCaFetchLocations(trust.tlsCaDir, trust.tlsCaNumbers, certificate.certificate),
    tls_ca_https: tlsCaLocations(true, trust.tlsCaDir, trust.tlsCaNumbers, certificate.certificate),
    bind,
    http_port: String(environment.CORDON_EDGE_HTTP_PORT),
    https_port: String(environment.CORDON_EDGE_HTTPS_PORT),
  };
  const stamp = join(files.lua, '.stamp.json');
  // The identifier in CDN-Loop is a setting: the runner writes the current one whatever nginx was started with.
  const hash = createHash('sha256')
    .update(fillTemplate(template, { ...values, cdn_loop: '' }))
    .update(JSON.stringify({ ...options, cdn_loop_id: '' }));
  if (existsSync(stamp)) hash.update(readFileSync(stamp));
  return { text: fillTemplate(template, values), fingerprint: hash.digest('hex') };
}
