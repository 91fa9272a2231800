import { type AddressInfo, createServer } from 'node:net';
import { expect, it } from 'vitest';
import { createEgress } from './egress.ts';
import type { RateLimits } from './rate-limit.ts';
import type { DnsResolver } from './resolver.ts';

const nothing: DnsResolver = {
  addresses: async () => [],
  cnames: async () => [],
  texts: async () => [],
  nameServers: async () => [],
  servers: [],
  at: () => nothing,
};
const ACCOUNT = 'account-1';

/** Buckets of this process, which nothing refills. */
const rates = (): RateLimits => ({
  of({ burst }) {
    const spent = new Map<string, number>();
    return {
      take: async (caller) => {
        spent.set(caller, (spent.get(caller) ?? 0) + 1);
        return (spent.get(caller) ?? 0) <= burst;
      },
      require: async () => undefined,
    };
  },
});

const noOwnAddresses = async () => new Set<string>();

it('refuses the port of another service also while the name has no address: it may get one later', async () => {
  const egress = createEgress({ upstreamAllow: [] }, nothing, noOwnAddresses, rates());
  await expect(egress.resolve(ACCOUNT, 'mail.example.com', 25)).rejects.toMatchObject({ failure: 'forbidden' });
  await expect(egress.resolve(ACCOUNT, 'www.example.com', 443)).rejects.toMatchObject({ failure: 'unresolved' });
});

it('excepts exactly the address and port that are allowed', async () => {
  const egress = createEgress(
    { upstreamAllow: [{ address: '127.0.0.1', port: 25 }] },
    nothing,
    noOwnAddresses,
    rates(),
  );
  await expect(egress.resolve(ACCOUNT, '127.0.0.1', 25)).resolves.toEqual(['127.0.0.1']);
  await expect(egress.resolve(ACCOUNT, '8.8.8.8', 25)).rejects.toMatchObject({ failure: 'forbidden' });
  await expect(egress.resolve(ACCOUNT, '127.0.0.1', 80)).rejects.toMatchObject({ failure: 'forbidden' });
});

const known = (addresses: readonly string[]): DnsResolver => ({ ...nothing, addresses: async () => [...addresses] });

it('asks DNS for so many names of an account only, and leaves the others theirs', async () => {
  const egress = createEgress({ upstreamAllow: [] }, known(['8.8.8.8']), noOwnAddresses, rates());
  const ask = (account: string, index: number) => egress.resolve(account, `host-${index}.example.com`, 443);
  const settled = await Promise.allSettled(Array.from({ length: 4_000 }, (_, index) => ask(ACCOUNT, index)));
  const refused = settled.filter((one) => one.status === 'rejected');
  expect(refused.length).toBeGreaterThan(500);
  expect(new Set(refused.map((one) => (one.reason as { failure: string }).failure))).toEqual(new Set(['rate_limited']));
  // Nor by asking once more.
  const again = await Promise.allSettled(Array.from({ length: 4_000 }, (_, index) => ask(ACCOUNT, index)));
  expect(again.filter((one) => one.status === 'rejected').length).toBeGreaterThan(500);
  await expect(ask('account-2', 1)).resolves.toEqual(['8.8.8.8']);
  // Addresses need no DNS.
  await expect(egress.resolve(ACCOUNT, '8.8.8.8', 443)).resolves.toEqual(['8.8.8.8']);
});

it('takes the same name of an account as one', async () => {
  const egress = createEgress({ upstreamAllow: [] }, known(['8.8.8.8']), noOwnAddresses, rates());
  const settled = await Promise.allSettled(
    Array.from({ length: 5_000 }, () => egress.resolve(ACCOUNT, 'origin.example.com', 443)),
  );
  expect(settled.filter((one) => one.status === 'rejected')).toEqual([]);
});

it('finds a name server on its own port, but none that is inside', async () => {
  const resolve = (address: string) =>
    createEgress({ upstreamAllow: [] }, known([address]), noOwnAddresses, rates()).resolveNameServer(
      ACCOUNT,
      'ns1.example.com',
    );
  await expect(resolve('8.8.8.8')).resolves.toEqual(['8.8.8.8']);
  for (const address of ['127.0.0.1', '10.0.0.53', '169.254.169.254', '::1'])
    await expect(resolve(address)).rejects.toMatchObject({ failure: 'unresolved' });
});

it('asks DNS for a few names of an account at a time, and no account waits for another', async () => {
  let open = 0;
  let most = 0;
  const release: (() => void)[] = [];
  const slow: DnsResolver = {
    ...nothing,
    async addresses(name) {
      if (name === 'neighbour.example.com') return ['8.8.4.4'];
      open += 1;
      most = Math.max(most, open);
      await new Promise<void>((resolve) => release.push(resolve));
      open -= 1;
      return ['8.8.8.8'];
    },
  };
  const egress = createEgress({ upstreamAllow: [] }, slow, noOwnAddresses, rates());
  const asked = Promise.all(
    Array.from({ length: 500 }, (_, index) => egress.resolve(ACCOUNT, `host-${index}.example.com`, 443)),
  );
  await expect(egress.resolve('account-2', 'neighbour.example.com', 443)).resolves.toEqual(['8.8.4.4']);
  let answered = 0;
  while (answered < 500) {
    for (const one of release.splice(0)) {
      one();
      answered += 1;
    }
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect(await asked).toHaveLength(500);
  expect(most).toBe(25);
});

it.each([
  ['an address inside', ['10.0.0.5']],
  ['metadata', ['169.254.169.254']],
  ['loopback', ['::1']],
  ['one address inside of two', ['8.8.8.8', '127.0.0.1']],
  ['our own edge', ['203.0.113.10']],
  ['nothing', []],
])(
  'a name that leads to %s is refused as one that does not exist: nobody learns of names inside',
  async (_, addresses) => {
    const own = async () => new Set(['203.0.113.10']);
    const egress = createEgress(
      { upstreamAllow: [{ address: '127.0.0.1', port: 25 }] },
      known(addresses),
      own,
      rates(),
    );
    const same = { failure: 'unresolved', message: 'unresolved' };
    for (const port of [443, 25])
      await expect(egress.resolve(ACCOUNT, 'intranet.example', port)).rejects.toMatchObject(same);
    await expect(egress.resolveNameServer(ACCOUNT, 'ns.intranet.example')).rejects.toMatchObject(same);
    const request = { account_id: ACCOUNT, protocol: 'http', host: 'intranet.example', port: 80 } as const;
    await expect(egress.request(request)).rejects.toMatchObject(same);
  },
);

it('knows whether an unreachable host took the connection', async () => {
  const server = createServer((socket) => socket.destroy());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const egress = createEgress({ upstreamAllow: [{ address: '127.0.0.1', port }] }, nothing, noOwnAddresses, rates());
  const ask = () => egress.request({ account_id: ACCOUNT, protocol: 'http', host: '127.0.0.1', port });
  await expect(ask()).rejects.toMatchObject({ failure: 'unreachable', isConnected: true });
  await new Promise((resolve) => server.close(resolve));
  await expect(ask()).rejects.toMatchObject({ failure: 'unreachable', isConnected: false });
});
