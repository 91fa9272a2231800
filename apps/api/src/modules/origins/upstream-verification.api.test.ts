import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { slowdown } from '../../../../../tests/support/slowness.ts';
import { type Customer, createCustomer } from '../../testing/fixtures.ts';
import { startApi, type TestApi } from '../../testing/start-api.ts';

let test: TestApi;
let customer: Customer;
let requests = 0;
const origin = createServer((_req, res) => {
  requests += 1;
  // Where it points must not be followed.
  res.writeHead(302, { location: 'http://169.254.169.254/latest/meta-data/' }).end();
});
const dripping = createServer((_req, res) => {
  res.writeHead(200);
  setInterval(() => res.write('x'), 50).unref();
});
const portOf = (server: typeof origin) => (server.address() as AddressInfo).port;
beforeAll(async () => {
  for (const server of [origin, dripping]) await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  test = await startApi({
    CORDON_UPSTREAM_ALLOW: `127.0.0.1:${portOf(origin)},127.0.0.1:${portOf(dripping)},127.0.0.1:9`,
  });
  customer = await createCustomer(test);
});
afterAll(async () => {
  origin.close();
  dripping.closeAllConnections();
  dripping.close();
  await test.stop();
});

const verify = async (...upstreams: string[]) =>
  (await customer.client.verifyUpstreamProtocol({ query: { upstreams } })).result;

describe('verifying upstreams', () => {
  it('connects for real and tells which protocol answers, a redirect being an answer', async () => {
    const [answer] = await verify(`127.0.0.1:${portOf(origin)}`);
    expect(answer).toMatchObject({
      protocols: [
        { protocol: 'http', answers: true, status: 302 },
        { protocol: 'https', answers: false, status: null },
      ],
      suggested: { protocol: 'http', port: portOf(origin) },
      error: null,
    });
    expect(requests).toBeGreaterThan(0);
  });
  it('tells what does not answer, what may not be asked and what is no target', async () => {
    test.dns.setAddresses('inside.example.net', ['10.0.0.1']);
    const [silent, forbidden, byDns, invalid, absent] = await verify(
      '127.0.0.1:9',
      '127.0.0.1:1',
      'inside.example.net',
      'http://x/',
      'nowhere.example.net',
    );
    expect(silent?.error).toBe('UPSTREAM_UNREACHABLE');
    expect(forbidden?.error).toBe('UPSTREAM_FORBIDDEN');
    expect(invalid?.error).toBe('UPSTREAM_INVALID');
    expect(absent).toMatchObject({ error: 'UPSTREAM_UNREACHABLE', suggested: null });
    // What is inside is no different from what is not there.
    expect({ ...byDns, upstream: '' }).toEqual({ ...absent, upstream: '' });
  });
  it('connects to the very address that was checked, whatever the name says by then', async () => {
    let asked = 0;
    const { addresses } = test.dns;
    test.dns.addresses = async () => (asked++ === 0 ? ['127.0.0.1'] : ['10.0.0.1']);
    const [answer] = await verify(`rebinding.example.net:${portOf(origin)}`);
    test.dns.addresses = addresses;
    // One protocol was asked at the allowed address, the other met the second answer and was refused.
    expect(answer?.protocols.filter(({ answers }) => answers).length).toBeLessThanOrEqual(1);
  });
  it('reads a bounded part of a body that never ends', async () => {
    const startedAt = Date.now();
    await verify(`127.0.0.1:${portOf(dripping)}`);
    expect((Date.now() - startedAt) / slowdown()).toBeLessThan(9_000);
  });
  it('takes targets separated by commas, and not too many', async () => {
    const { body } = await test.call('GET', `domain/verify-upstream-protocol/?upstreams=127.0.0.1:9,127.0.0.1:9`, {
      token: customer.token,
    });
    expect(body.result).toHaveLength(2);
    const many = Array.from({ length: 21 }, (_, index) => `10.0.0.${index}`).join(',');
    expect(
      (await test.call('GET', `domain/verify-upstream-protocol/?upstreams=${many}`, { token: customer.token })).body,
    ).toMatchObject({ upstreams: 'TOO_MANY' });
  });
  it('has a rate', async () => {
    const busy = await createCustomer(test);
    const calls = await Promise.all(
      Array.from({ length: 8 }, () =>
        test.call('GET', `domain/verify-upstream-protocol/?upstreams=${Array(10).fill('127.0.0.1:9').join(',')}`, {
          token: busy.token,
        }),
      ),
    );
    expect(calls.some(({ status, body }) => status === 429 && body.code === 'TOO_MANY_REQUESTS')).toBe(true);
  });
});
