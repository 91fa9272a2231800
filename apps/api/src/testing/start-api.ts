import { randomBytes, randomUUID } from 'node:crypto';
import { API_BASE, type ClientOf, createClientOf, type Operations, operations } from '@cordon/contract';
import { type PluginOperations, pluginOperations } from '@cordon/plugins/operations';
import { createLocalJWKSet, exportJWK, generateKeyPair, SignJWT } from 'jose';
import pg from 'pg';
import { inject } from 'vitest';
import { type Api, createApi } from '../app.ts';
import { createLog } from '../platform/log.ts';
import type { DnsResolver } from '../platform/resolver.ts';
import { type Environment, parseEnvironment } from '../settings/env.ts';
import { TEMPLATE_DATABASE } from './global-setup.ts';

/** Records that tests set; what is not set does not exist. Names lower case. */
export interface TestDns extends DnsResolver {
  setNameServers(zone: string, names: string[]): void;
  /** What the server at this address alone answers; one that has nothing set does not answer. */
  server(address: string): TestDns;
  setAddresses(name: string, addresses: string[]): void;
  setCname(name: string, target: string | undefined): void;
  setTexts(name: string, texts: string[]): void;
}

export function createTestDns(): TestDns {
  const a = new Map<string, string[]>();
  const cname = new Map<string, string>();
  const txt = new Map<string, string[]>();
  const ns = new Map<string, string[]>();
  const others = new Map<string, TestDns>();
  const silent = async () => {
    throw new Error('queryCname ETIMEOUT');
  };
  const dns: TestDns = {
    setNameServers: (zone, names) => void ns.set(zone, names),
    server(address) {
      const server = others.get(address) ?? createTestDns();
      others.set(address, server);
      return server;
    },
    nameServers: async (zone) => ns.get(zone) ?? [],
    servers: [],
    at: ({ address }) =>
      others.get(address) ?? { ...dns, addresses: silent, cnames: silent, texts: silent, nameServers: silent },
    setAddresses: (name, addresses) => void a.set(name, addresses),
    setCname: (name, target) => void (target === undefined ? cname.delete(name) : cname.set(name, target)),
    setTexts: (name, texts) => void txt.set(name, texts),
    addresses: async (name) => a.get(name) ?? [],
    cnames: async (name) => [cname.get(name)].flatMap((target) => target ?? []),
    texts: async (name) => txt.get(name) ?? [],
  };
  return dns;
}

const ALL_OPERATIONS = { ...operations, ...pluginOperations };
/** Calls of the contract and of plugins. */
export type TestClient = ClientOf<Operations & PluginOperations>;

export interface TestApi {
  readonly api: Api;
  readonly env: Environment;
  /** `http://127.0.0.1:port` */
  readonly url: string;
  readonly dns: TestDns;
  /** Every line that was logged, for assertions about what must not be in there. */
  readonly logLines: readonly string[];
  /** An access token as the issuer would give it to this subject. */
  tokenFor(subject: string, claims?: { expiresIn?: string; audience?: string; issuer?: string }): Promise<string>;
  /** Typed client that sends this bearer token and the realm. */
  clientFor(token: string, headers?: Record<string, string>): TestClient;
  /** Plain call below `/api/v1/`; `body` text is sent as it is. */
  call(method: string, path: string, options?: CallOptions): Promise<TestResponse>;
  databaseUrl: string;
  stop(): Promise<void>;
}

export interface CallOptions {
  readonly token?: string;
  readonly headers?: Record<string, string>;
  readonly body?: unknown;
}
export interface TestResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of every shape.
  readonly body: any;
}

/** A database of its own, cloned from the template; dropped by `drop`. */
export async function createTestDatabase(): Promise<{ url: string; drop(): Promise<void> }> {
  const serverUrl = inject('postgresUrl');
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  const run = async (statement: string) => {
    const admin = new pg.Client({ connectionString: serverUrl });
    await admin.connect();
    try {
      await admin.query(statement);
    } finally {
      await admin.end();
    }
  };
  await run(`CREATE DATABASE ${name} TEMPLATE ${TEMPLATE_DATABASE}`);
  return { url: serverUrl.replace(/\/postgres$/, `/${name}`), drop: () => run(`DROP DATABASE ${name} WITH (FORCE)`) };
}

/** The whole API on a free port, with a database of its own, made-up DNS and an issuer whose key the test holds. */
export async function startApi(
  settings: Record<string, string> = {},
  /** Without jobs nothing changes but by what is called. */
  { withQueue = true } = {},
): Promise<TestApi> {
  const database = await createTestDatabase();
  const logLines: string[] = [];
  const env: Environment = {
    ...parseEnvironment({
      DATABASE_URL: database.url,
      CORDON_SECRET_KEY: randomBytes(32).toString('base64'),
      CORDON_ORIGIN: 'http://127.0.0.1:8000',
      CORDON_LOG_LEVEL: 'debug',
      ...settings,
    }),
    port: 0,
  };
  const dns = createTestDns();
  const api = await createApi({
    env,
    log: createLog(env.logLevel, { write: (line) => logLines.push(line) }),
    resolver: dns,
    checkResponses: true,
    withQueue,
  });
  const { publicKey, privateKey } = await generateKeyPair('ES256', { extractable: true });
  const jwk = { ...(await exportJWK(publicKey)), kid: 'test', alg: 'ES256' };
  api.platform.authenticator.trust({
    keys: createLocalJWKSet({ keys: [jwk] }),
    issuers: [env.oidcIssuer],
    audiences: [env.oidcAudience],
  });
  const url = await api.start();

  const tokenFor: TestApi['tokenFor'] = (subject, claims = {}) =>
    new SignJWT({})
      .setProtectedHeader({ alg: 'ES256', kid: 'test', typ: 'at+jwt' })
      .setSubject(subject)
      .setIssuer(claims.issuer ?? env.oidcIssuer)
      .setAudience(claims.audience ?? env.oidcAudience)
      .setIssuedAt()
      .setJti(randomUUID())
      .setExpirationTime(claims.expiresIn ?? '10m')
      .sign(privateKey);

  return {
    api,
    env,
    url,
    dns,
    logLines,
    databaseUrl: database.url,
    tokenFor,
    clientFor: (token, headers = {}) =>
      createClientOf(ALL_OPERATIONS, {
        origin: url,
        headers: () => ({ authorization: `Bearer ${token}`, realm: env.realm, ...headers }),
        timeoutMs: 30_000,
      }),
    async call(method, path, options = {}) {
      const { token, body } = options;
      const response = await fetch(`${url}${API_BASE}${path}`, {
        method,
        headers: {
          ...(token === undefined ? {} : { authorization: `Bearer ${token}`, realm: env.realm }),
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...options.headers,
        },
        body: body === undefined ? undefined : typeof body === 'string' ? body : JSON.stringify(body),
      });
      const text = await response.text();
      let json: unknown;
      try {
        json = JSON.parse(text);
      } catch {
        json = undefined;
      }
      return { status: response.status, headers: response.headers, text, body: json };
    },
    async stop() {
      await api.stop();
      await database.drop();
    },
  };
}
