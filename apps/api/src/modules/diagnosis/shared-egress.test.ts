import { expect, it } from 'vitest';
import { type Egress, EgressError, type EgressRequest, type EgressResponse } from '../../platform/egress.ts';
import type { RateLimits } from '../../platform/rate-limit.ts';
import { createSharedEgress } from './shared-egress.ts';

const RATES: RateLimits = { of: () => ({ take: async () => true, require: async () => undefined }) };
const request = (change: Partial<EgressRequest> = {}): EgressRequest => ({
  account_id: 'account-1',
  protocol: 'https',
  host: 'origin.example.com',
  port: 443,
  hostHeader: 'www.example.com',
  ...change,
});

/** What was asked, and the way out that asks it. */
function recorded(answer: (asked: EgressRequest) => Promise<EgressResponse>, rates = RATES) {
  const asked: string[] = [];
  const egress: Pick<Egress, 'request'> = {
    request: (one) => {
      asked.push(`${one.account_id} ${one.protocol} ${one.host}:${one.port} ${one.hostHeader}`);
      return answer(one);
    },
  };
  return { asked, shared: createSharedEgress(egress, rates) };
}
const answered = async () => ({ status: 200 }) as EgressResponse;
const fails = (failure: 'unreachable' | 'unresolved', isConnected = false) =>
  Promise.reject(new EgressError(failure, isConnected));

it('asks an origin that takes no connection once for all domains of an account, whatever the protocol', async () => {
  const { asked, shared } = recorded(() => fails('unreachable'));
  const ask = (change?: Partial<EgressRequest>) => shared.request(request(change));
  for (const protocol of ['http', 'https'] as const)
    for (const hostHeader of ['www.example.com', 'shop.example.com'])
      await expect(ask({ protocol, hostHeader })).rejects.toMatchObject({ failure: 'unreachable' });
  expect(asked).toHaveLength(1);
  await expect(ask({ port: 8443 })).rejects.toMatchObject({ failure: 'unreachable' });
  await expect(ask({ account_id: 'account-2' })).rejects.toMatchObject({ failure: 'unreachable' });
  expect(asked).toHaveLength(3);
});

it.each([
  ['one that answers', answered, 'fulfilled'],
  [
    'one that fails after it was connected, as for a name that it has no certificate of',
    () => fails('unreachable', true),
    'rejected',
  ],
])('asks %s once for each name', async (_, answer, status) => {
  const { asked, shared } = recorded(answer);
  const names = ['www.example.com', 'shop.example.com', 'www.example.com', 'shop.example.com'];
  const settled = await Promise.allSettled(names.map((hostHeader) => shared.request(request({ hostHeader }))));
  expect(settled.map((one) => one.status)).toEqual(names.map(() => status));
  expect(asked.sort()).toEqual(
    ['shop.example.com', 'www.example.com'].map((name) => `account-1 https origin.example.com:443 ${name}`),
  );
});

it('leaves an account its own checks: beyond its rate nothing is asked', async () => {
  const { asked, shared } = recorded(answered, {
    of: () => ({ take: async (account) => account === 'account-2', require: async () => undefined }),
  });
  await expect(shared.request(request())).rejects.toMatchObject({ failure: 'rate_limited' });
  await expect(shared.request(request({ account_id: 'account-2' }))).resolves.toMatchObject({ status: 200 });
  expect(asked).toHaveLength(1);
});

it.each<[string, Partial<EgressRequest>]>([
  ['account', { account_id: 'account-2' }],
  ['protocol', { protocol: 'http' }],
  ['host', { host: 'other.example.com' }],
  ['port', { port: 8443 }],
  ['name', { hostHeader: 'shop.example.com' }],
  ['set of CA certificates', { trusted: 'other' }],
])('asks an origin that answers anew for another %s, and once for each', async (_, change) => {
  const { asked, shared } = recorded(answered);
  for (const one of [{}, change, {}, change]) await shared.request(request({ trusted: 'one', ...one }));
  expect(asked).toHaveLength(2);
});
