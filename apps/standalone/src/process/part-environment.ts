export type Environment = Readonly<Record<string, string | undefined>>;

/** What every program may need of its surroundings; a registry's token is not part of them. */
const SURROUNDINGS =
  /^(?:PATH|HOME|USER|LOGNAME|SHELL|LANG|LANGUAGE|LC_[A-Z]+|TZ|TZDIR|TMPDIR|LD_LIBRARY_PATH|UV_THREADPOOL_SIZE|SSL_CERT_(?:FILE|DIR)|NODE_(?!AUTH_TOKEN$)\w+|npm_(?!.*(?:auth|token|password))\w+)$/i;

/** Settings of ours that each part reads, by its own env.ts. */
const SETTINGS = {
  postgres: [],
  // Proves at the next start which process is left of this instance.
  clickhouse: ['CORDON_DATA_DIR'],
  api: [
    ...['DATABASE_URL', 'CLICKHOUSE_URL', 'CORDON_SECRET_KEY', 'CORDON_BIND', 'CORDON_PORT', 'CORDON_ORIGIN'],
    ...['CORDON_DATA_DIR', 'CORDON_CONSOLE_DIR', 'CORDON_BRANDS', 'CORDON_EDGE_DOMAIN', 'CORDON_EDGE_HTTP_PORT'],
    ...['CORDON_EDGE_HTTPS_PORT', 'CORDON_TRUSTED_PROXIES', 'CORDON_UPSTREAM_ALLOW', 'CORDON_RESOLVER'],
    'CORDON_PUBLIC_RESOLVERS',
    ...[
      'CORDON_NAME_SERVERS',
      'CORDON_DNS_PORT',
      'CORDON_DNS_PASSWORD',
      'CORDON_LOG_RETENTION_DAYS',
      'CORDON_ASN_DATABASE',
      'CORDON_COUNTRY_DATABASE',
      'CORDON_DEMO',
      'CORDON_ABSENT_PARTS',
      'CORDON_LOG_LEVEL',
      'CORDON_METRICS_TOKEN',
    ],
    ...['CORDON_RECAPTCHA_SITE_KEY', 'CORDON_RECAPTCHA_SECRET_KEY'],
    ...['CORDON_RECAPTCHA_SCRIPT_URL', 'CORDON_RECAPTCHA_VERIFY_URL'],
    ...['OIDC_ISSUER', 'OIDC_AUDIENCE'],
  ],
  edge: [
    ...['CORDON_CONTROL_URL', 'CORDON_NODE_CREDENTIAL', 'CORDON_NODE_NAME', 'CORDON_EDGE_DIR', 'CORDON_BIND'],
    ...['CORDON_EDGE_HTTP_PORT', 'CORDON_EDGE_HTTPS_PORT', 'CORDON_AGENT_PORT', 'CORDON_UPSTREAM_ALLOW'],
    ...[
      'CORDON_TRUSTED_PROXIES',
      'CORDON_RESOLVER',
      'CORDON_DEMO_SECRET',
      'CORDON_METRICS_TOKEN',
      'CORDON_EDGE_WORKERS',
    ],
    ...['CORDON_EDGE_ROUTES_MB', 'CORDON_EDGE_FEEDS_MB', 'CORDON_EDGE_COUNTERS_MB', 'CORDON_EDGE_CHALLENGES_MB'],
    ...['CORDON_EDGE_CACHE_MB', 'CORDON_EDGE_CACHE_FREE_MB', 'CORDON_EDGE_CACHE_KEYS_MB', 'CORDON_EDGE_CLEARS_MB'],
    ...['CORDON_EDGE_LOG_DISK_MB', 'CORDON_EDGE_RESOLVE_SECONDS', 'CORDON_EDGE_RELOAD_SECONDS'],
    ...['CORDON_EDGE_LIMITS', 'CORDON_NGINX'],
    ...[
      'CORDON_NGINX_MODULES',
      'CORDON_EDGE_LUA',
      'CORDON_CA_BUNDLE',
      'CORDON_COUNTRY_DATABASE',
      'CORDON_ASN_DATABASE',
      'CORDON_DATA_DIR',
    ],
  ],
  dns: [
    'CORDON_DNS_DATABASE_URL',
    'CORDON_DNS_DIR',
    'CORDON_DNS_PORT',
    'CORDON_BIND',
    'CORDON_PDNS',
    'CORDON_DATA_DIR',
  ],
} as const satisfies Record<string, readonly string[]>;

/**
 * What a part gets of an environment: its surroundings and its own settings. A secret of one part, or of the user who
 * started us, is nothing that the others could lose.
 */
export function partEnvironment(part: keyof typeof SETTINGS, given: Environment): Environment {
  const settings: readonly string[] = SETTINGS[part];
  return Object.fromEntries(
    Object.entries(given).filter(([name]) => SURROUNDINGS.test(name) || settings.includes(name)),
  );
}
