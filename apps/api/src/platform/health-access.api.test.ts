import type { FastifyRequest } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startApi, type TestApi } from '../testing/start-api.ts';
import { mayReadHealth } from './health-access.ts';

const TOKEN = 'a-token-of-prometheus';
let proxied: TestApi;
let plain: TestApi;
beforeAll(async () => {
  [plain, proxied] = await Promise.all([
    startApi(),
    startApi({ CORDON_METRICS_TOKEN: TOKEN, CORDON_TRUSTED_PROXIES: '127.0.0.1' }),
  ]);
});
afterAll(() => Promise.all([plain.stop(), proxied.stop()]));

/** Whether both are answered in full, as they are to this machine. */
async function read(test: TestApi, headers: Record<string, string> = {}) {
  const [ready, metrics] = await Promise.all(
    ['/readyz', '/metrics'].map((path) => fetch(test.url + path, { headers })),
  );
  const body = (await ready?.json()) as Record<string, unknown>;
  return { status: ready?.status, shown: Object.keys(body), metrics: metrics?.status };
}
const FULL = { status: 200, shown: ['ok', 'parts'], metrics: 200 };
const STATUS_ONLY = { status: 200, shown: ['ok'], metrics: 401 };

describe('what is shown of parts and metrics', () => {
  it('is for this machine', async () => {
    expect(await read(plain)).toEqual(FULL);
    expect(await read(proxied)).toEqual(FULL);
  });

  it.each([
    ['its own address, by which the launcher asks', '203.0.113.5', true],
    ['loopback in an IPv6 socket', '::ffff:127.0.0.1', true],
    ['another address of the Internet', '203.0.113.6', false],
    ['a private address', '10.0.0.6', false],
  ])('judges %s', (_, address, isShown) => {
    const socket = { remoteAddress: address, localAddress: '203.0.113.5' };
    const req = { ip: address, socket, headers: {} } as unknown as FastifyRequest;
    expect(mayReadHealth(req, undefined)).toBe(isShown);
  });

  it.each(['x-forwarded-for', 'x-real-ip', 'forwarded', 'via'])(
    'is the status alone for who comes through a proxy that was not named, by its %s',
    async (name) => {
      expect(await read(plain, { [name]: '127.0.0.1' })).toEqual(STATUS_ONLY);
    },
  );

  it('goes by the visitor where the proxy is named', async () => {
    expect(await read(proxied, { 'x-forwarded-for': '198.51.100.7' })).toEqual(STATUS_ONLY);
    expect(await read(proxied, { 'x-forwarded-for': '127.0.0.1, 198.51.100.7' })).toEqual(STATUS_ONLY);
    expect(await read(proxied, { 'x-forwarded-for': '::1' })).toEqual(FULL);
  });

  it('is for who has the token, and for no other token', async () => {
    const visitor = { 'x-forwarded-for': '198.51.100.7' };
    const bearer = (token: string) => ({ ...visitor, authorization: `Bearer ${token}` });
    expect(await read(proxied, bearer(TOKEN))).toEqual(FULL);
    expect(await read(proxied, bearer(`${TOKEN}x`))).toEqual(STATUS_ONLY);
    expect(await read(plain, { via: '1.1 proxy', authorization: 'Bearer undefined' })).toEqual(STATUS_ONLY);
  });
});
