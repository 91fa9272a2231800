import { cpus } from 'node:os';
import { defaultEntry } from '@cordon/plugin-kit/schema';
import { definitions } from '@cordon/plugins/definitions';
import { freePort } from '../apps/edge/src/testing/ports.ts';
import { compare, JSON_LOG, measure, startBareProxy, startOrigin, stopNginx } from './nginx-server.ts';
import { DENY_RANGES, startBenchEdge } from './support/bench-edge.ts';

/**
 * Requests per CPU second of nginx with every plugin on that a proxied request can pass, each with settings as customers have
 * them, JSON log included, against bare nginx with `proxy_pass`; as `edge-proxy` otherwise. Bar: 0.75.
 */
const BAR = 0.75;
/** More than a round has: within so many seconds, so that no round is refused for those before it. */
const LIMIT = { maxretry: 1_000_000, findtime: 20 };

/** Of plugins whose defaults do nothing, or would stop the bench: settings of a busy site. */
const settings: Readonly<Record<string, Record<string, unknown>>> = {
  'ip-restriction': DENY_RANGES.config,
  geoip: { mode: 'Blacklist', blacklist_countries: ['KP', 'IR', 'RU'], whitelist_ips: ['198.41.128.0/24'] },
  blackrules: {
    black_rules: ['/wp-login.php', '/xmlrpc.php', '/.env', '/.git/', '/phpmyadmin'].map((path, at) => ({
      name: `rule ${at}`,
      action: 'block',
      enabled: true,
      when: {
        match: 'any',
        not: false,
        conditions: [
          { field: 'path', test: 'contains', values: [path], ignore_case: true, not: false },
          { field: 'user_agent', test: 'matches', pattern: 'sqlmap|nikto|masscan', not: false },
        ],
      },
    })),
  },
  'request-limit': LIMIT,
  'crowdsec-captcha': LIMIT,
  challenge: { path: '^/account' },
  seclink: { path: '^/download/', api_secret: 'a-secret-of-the-benchmark' },
  'custom-header': { add: { headers: [{ name: 'X-Edge', value: 'cordon' }] } },
  'response-transformer': { add: { headers: [{ name: 'X-Served-By', value: 'cordon' }] } },
  'custom-error-page': { error_404: 'https://pages.bench.test/404.html' },
  'upstream-host': { hostname: 'origin.bench.test' },
};
/** What the control plane has fetched for them. */
const resolved: Readonly<Record<string, unknown>> = {
  'custom-error-page': { pages: [{ status: 404, contentType: 'text/html; charset=utf-8', body: '<h1>Not here</h1>' }] },
};
/** What answers in the place of the origin, and caches (`edge-cache.ts`). */
const NOT_PROXIED = definitions
  .filter(({ visitorTargets, phase }) => visitorTargets || phase === 'cache')
  .map(({ name }) => name);

const plugins = definitions
  .filter(({ name }) => !NOT_PROXIED.includes(name))
  .map((definition) => {
    const parsed = definition.schema.safeParse({ ...defaultEntry(definition).config, ...settings[definition.name] });
    if (!parsed.success) throw new Error(`${definition.name}: ${parsed.error.message}`);
    const found = resolved[definition.name];
    return {
      name: definition.name,
      config: parsed.data as Record<string, unknown>,
      ...(found === undefined ? {} : { resolved: found }),
    };
  });

const originPort = await freePort();
const barePort = await freePort();
const origin = startOrigin(originPort);
const bare = startBareProxy(barePort, originPort, JSON_LOG);
const edge = await startBenchEdge(originPort, plugins);

try {
  const figures = await compare(
    () => measure(bare.pid as number, barePort),
    () => measure(edge.nginxPid, edge.httpPort),
  );
  const result = {
    name: 'edge-plugins',
    date: new Date().toISOString(),
    machine: `${cpus().length} × ${cpus()[0]?.model}`,
    yardstick: 'bare nginx proxy_pass, JSON log on',
    plugins: plugins.map(({ name }) => name),
    ...figures,
  };
  console.log(JSON.stringify(result, null, 2));
  if (figures.ratio < BAR) process.exitCode = 1;
} finally {
  await edge.stop();
  await stopNginx(bare, origin);
}
