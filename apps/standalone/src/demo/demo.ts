import { join } from 'node:path';
import { ApiError, type ClientOf, type ClientOptions, createClientOf, operations } from '@cordon/contract';
import { pluginOperations } from '@cordon/plugins/operations';
import type { RunOperator } from '../process/operator.ts';
import { readOrCreateSecret } from '../process/secret-file.ts';
import { StartFailure } from '../process/start-failure.ts';
import { until } from '../process/until.ts';
import { UNWELCOME } from './addresses.ts';
import type { DemoOrigin } from './origin.ts';
import { startVisitors } from './visitors.ts';

export interface DemoContext {
  readonly apiUrl: string;
  readonly dataDirectory: string;
  /** Undefined: there is no edge on this machine, and so no visitors. */
  readonly edge: { readonly host: string; readonly httpPort: number } | undefined;
  readonly secret: string;
  readonly origin: DemoOrigin;
  readonly operator: RunOperator;
}

export interface RunningDemo {
  readonly account: { readonly email: string; readonly password: string };
  stop(): void;
}

const EMAIL = 'demo@cordon.test';
const REQUEST_TIMEOUT_MS = 30_000;
const LIVE_SECONDS_MAX = 30;
const REASON = 'demo';
/** The domain whose login is guarded against guessing. */
const GUESSED_DOMAIN = 'api.demo.test';
/** What keeps answers of an origin, and on which domains: the shop by HTTP's rules, the pictures by their paths. */
const CACHES: Readonly<Record<string, string>> = {
  'shop.demo.test': 'advance-proxy-cache',
  'media.demo.test': 'proxy-cache',
};
const DAY_SECONDS = 86_400;

const calls = { ...operations, ...pluginOperations };
type Client = ClientOf<typeof calls>;

interface DemoDomain {
  readonly name: string;
  readonly weight: number;
  readonly restricted: boolean;
  readonly remarks: string;
  readonly shadowDomains?: readonly string[];
}

const DOMAINS: readonly DemoDomain[] = [
  { name: 'shop.demo.test', weight: 40, restricted: true, remarks: 'Online shop', shadowDomains: ['store.demo.test'] },
  { name: 'www.demo.test', weight: 25, restricted: true, remarks: 'Company site' },
  { name: 'api.demo.test', weight: 15, restricted: false, remarks: 'Public API' },
  { name: 'blog.demo.test', weight: 12, restricted: true, remarks: 'Blog' },
  { name: 'media.demo.test', weight: 6, restricted: false, remarks: 'Pictures and downloads' },
  { name: 'status.demo.test', weight: 2, restricted: false, remarks: 'Status page' },
];

/** Makes (once) the demo account and its domains, through the doors customers use, and sends visitors to them. */
export async function startDemo(context: DemoContext): Promise<RunningDemo> {
  const account = await demoAccount(context);
  const client = await signedInClient(context);
  for (const domain of DOMAINS) await ensureDomain(client, domain, context.origin.port);
  await ensureBans(client);
  const { edge } = context;
  if (!edge) return { account, stop: () => {} };
  await waitLive(client);
  const visitors = startVisitors({ edge, secret: context.secret, domains: DOMAINS, guessedDomain: GUESSED_DOMAIN });
  return { account, stop: () => visitors.stop() };
}

/** The password outlives a restart: a password noted down still signs in. Kept before it is used, for a start cut short. */
async function demoAccount(context: DemoContext): Promise<RunningDemo['account']> {
  const password = readOrCreateSecret(join(context.dataDirectory, 'demo-password'), 'base64url');
  const options = ['--email', EMAIL, '--name', 'Demo', '--password-stdin', '--reason', REASON];
  try {
    await context.operator(['account', 'create', ...options], password);
  } catch (error) {
    if (!(error instanceof StartFailure) || !/already/.test(error.message)) throw error;
  }
  return { email: EMAIL, password };
}

async function signedInClient(context: DemoContext): Promise<Client> {
  const scopes = 'domains:read,domains:write,account:read';
  const printed = await context.operator(['token', '--email', EMAIL, '--scopes', scopes, '--reason', REASON]);
  const token = printed.trim().split('\n').at(-1)?.trim() ?? '';
  const options: ClientOptions = {
    origin: context.apiUrl,
    headers: () => ({ authorization: `Bearer ${token}`, realm: 'cordon' }),
    timeoutMs: REQUEST_TIMEOUT_MS,
  };
  return createClientOf(calls, options);
}

async function ensureDomain(client: Client, domain: DemoDomain, originPort: number): Promise<void> {
  const upstreams = {
    protocol: 'http' as const,
    targets: [{ host: '127.0.0.1', port: originPort, weight: 1, backup: false }],
  };
  const { results } = await client.listRoutes({ query: { domain_name: domain.name } });
  const existing = results[0];
  if (!existing) {
    const subscriptions = await client.listSubscriptions();
    const cname = subscriptions.results[0]?.cname;
    if (cname === undefined) throw new StartFailure('The demo account has no subscription.');
    const plugins = [
      ...(domain.restricted ? [restriction()] : []),
      ...(domain.name === GUESSED_DOMAIN ? [guessingLimit()] : []),
      ...(CACHES[domain.name] === undefined ? [] : [{ name: CACHES[domain.name] ?? '', enabled: true, config: {} }]),
    ];
    const body = { cname, domain_name: domain.name, upstreams, plugins, remarks: domain.remarks, deploy: true };
    try {
      const { result } = await client.createRoute({ body });
      if (domain.shadowDomains)
        await client.addShadowDomains({ params: { id: result.id }, body: { names: [...domain.shadowDomains] } });
    } catch (error) {
      // A promotion was tried: the name lives on as a shadow domain.
      if (!(error instanceof ApiError) || error.fields.domain_name !== 'DOMAIN_NAME_YOURS') throw error;
    }
    return;
  }
  const { result } = await client.getRoute({ params: { id: existing.id } });
  const isLive = result.status === 'running' && result.live !== null;
  // The origin keeps its port unless something else took it; what a visitor of the demo changed stays as it is.
  if (isLive && result.live?.upstreams.targets.some((target) => target.port === originPort)) return;
  await client.updateRoute({
    params: { id: existing.id },
    ifMatch: result.draft_revision,
    body: { upstreams, deploy: true, note: 'The origin of the demo moved' },
  });
}

function restriction() {
  return { name: 'ip-restriction', enabled: true, config: { blacklistMode: true, deny: [...UNWELCOME] } };
}

function guessingLimit() {
  const config = { banpath: '^/login', maxretry: 8, findtime: 120, bantime: '15m' };
  return { name: 'request-limit', enabled: true, config };
}

/** Two that were banned by hand; those who guess passwords are banned by their visits. */
async function ensureBans(client: Client): Promise<void> {
  const { count } = await client.listBans({ query: { perpage: 1 } });
  if (count > 0) return;
  await client.addBans({
    body: { networks: ['193.32.162.0/24'], seconds: null, note: 'Scans for holes, every night' },
  });
  const { results } = await client.listRoutes({ query: { domain_name: 'blog.demo.test' } });
  if (results[0])
    await client.addBans({
      body: { networks: ['45.155.205.99'], route_id: results[0].id, seconds: 7 * DAY_SECONDS, note: 'Comment spam' },
    });
}

async function waitLive(client: Client): Promise<void> {
  const names = new Set(DOMAINS.map(({ name }) => name));
  const areLive = async () => {
    const { results } = await client.listRoutes({ query: { perpage: 100 } });
    // Without those that have become a shadow domain of another.
    const added = results.filter((each) => names.has(each.domain_name));
    return added.every((each) => each.version_live !== null && each.operation?.state !== 'running');
  };
  if (await until(areLive, LIVE_SECONDS_MAX * 1000, 200)) return;
  // Not a failure: there is a demo to look at, too, while the edge is in trouble.
  process.stderr.write(`The demo's domains were not live within ${LIVE_SECONDS_MAX} s.\n`);
}
