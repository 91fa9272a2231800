import type { EdgeBan } from '@cordon/contract/edge-config';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { BanReporter } from './ban-reporter.ts';
import { ControlError } from './control-client.ts';

const ban = (network: string): EdgeBan => ({
  route_id: '00000000-0000-4000-8000-000000000001',
  network,
  at: 1_790_000_000,
  seconds: 60,
  plugin: 'request-limit',
  reason: 'too_many_requests',
  request_id: 'id',
});

let waiting: string[] = [];
/** What is given again until its batch is written, as nginx does. */
let given: { batch: number; bans: string[] } = { batch: 0, bans: [] };
let sent: string[][] = [];
let answer: () => Promise<void> = async () => {};
let reporter: BanReporter;

beforeEach(() => {
  vi.useFakeTimers();
  [waiting, sent, answer, given] = [[], [], async () => {}, { batch: 0, bans: [] }];
  reporter = new BanReporter(
    {
      takeBans: async (written) => {
        if (given.bans.length === 0 || written === given.batch)
          given = { batch: given.batch + 1, bans: waiting.splice(0) };
        return given.bans.length > 0 ? given : {};
      },
    },
    {
      post: async (_path, body) => {
        sent.push((JSON.parse(String(body)) as { bans: EdgeBan[] }).bans.map(({ network }) => network));
        await answer();
      },
    },
  );
  reporter.start();
});
afterEach(() => {
  reporter.stop();
  vi.useRealTimers();
});

const banned = (...networks: string[]) => waiting.push(...networks.map((network) => JSON.stringify(ban(network))));
const pass = (milliseconds: number) => vi.advanceTimersByTimeAsync(milliseconds);

it('tells the control plane within a fraction of a second, and the node itself at once', async () => {
  const taken: string[] = [];
  reporter.onTaken = async (entries) => {
    taken.push(...entries.map(({ network, until }) => `${network} ${until}`));
  };
  banned('9.9.9.9');
  await pass(200);
  expect([sent, taken]).toEqual([[['9.9.9.9']], ['9.9.9.9 1790000060']]);
  expect(reporter.waiting).toBe(0);
});

it('takes bans from nginx also while the control plane does not answer', async () => {
  const taken: string[] = [];
  reporter.onTaken = async (entries) => {
    taken.push(...entries.map(({ network }) => network));
  };
  answer = () => new Promise(() => {});
  banned('9.9.9.9');
  await pass(200);
  banned('9.9.9.8');
  await pass(400);
  expect(taken).toEqual(['9.9.9.9', '9.9.9.8']);
  expect(sent).toEqual([['9.9.9.9']]);
});

it('keeps what the control plane could not take, and asks no more than once a second', async () => {
  answer = async () => {
    throw new TypeError('fetch failed');
  };
  banned('9.9.9.9');
  await pass(2000);
  expect(sent.length).toBeGreaterThan(1);
  expect(sent.length).toBeLessThanOrEqual(3);
  answer = async () => {};
  banned('8.8.8.8');
  await pass(2000);
  expect(sent.flat().slice(-2)).toEqual(['9.9.9.9', '8.8.8.8']);
  expect(reporter.waiting).toBe(0);
});

it('gives up what is refused, so that the next ones get through', async () => {
  answer = async () => {
    throw new ControlError(422, 'no');
  };
  banned('9.9.9.9');
  await pass(400);
  expect(reporter.waiting).toBe(0);
  answer = async () => {};
  banned('8.8.8.8');
  await pass(400);
  expect(sent).toEqual([['9.9.9.9'], ['8.8.8.8']]);
});

it('that are refused together are reported without the one that is at fault', async () => {
  answer = async () => {
    if (sent.at(-1)?.includes('9.9.9.6')) throw new ControlError(422, 'no');
  };
  banned('9.9.9.5', '9.9.9.6', '9.9.9.7', '9.9.9.8');
  await pass(400);
  expect(sent.slice(1)).toEqual([['9.9.9.5', '9.9.9.6'], ['9.9.9.5'], ['9.9.9.6'], ['9.9.9.7', '9.9.9.8']]);
  expect(reporter.waiting).toBe(0);
});

it.each([403, 404, 421, 502])('are kept, in one piece, for a control plane that answers %i', async (status) => {
  answer = async () => {
    throw new ControlError(status, 'no');
  };
  banned('9.9.9.5', '9.9.9.6');
  await pass(400);
  expect(sent).toEqual([['9.9.9.5', '9.9.9.6']]);
  answer = async () => {};
  await pass(1000);
  expect(sent.slice(1)).toEqual([['9.9.9.5', '9.9.9.6']]);
  expect(reporter.waiting).toBe(0);
});

it('do not wait for one at which the control plane fails, which is tried again', async () => {
  let fails = true;
  answer = async () => {
    if (fails && sent.at(-1)?.includes('9.9.9.5')) throw new ControlError(500, 'oh');
  };
  banned('9.9.9.5', '9.9.9.6');
  await pass(400);
  expect(sent).toEqual([['9.9.9.5', '9.9.9.6'], ['9.9.9.5'], ['9.9.9.6']]);
  banned('9.9.9.7');
  await pass(1200);
  expect(sent.flat()).toContain('9.9.9.7');
  expect(reporter.waiting).toBe(1);
  fails = false;
  await pass(1200);
  expect(sent.at(-1)).toEqual(['9.9.9.5']);
  expect(reporter.waiting).toBe(0);
});

it('reports once what is given again while it waits, and again what was reported', async () => {
  const bans = [ban('9.9.9.9'), ban('9.9.9.8')];
  reporter.report(bans);
  reporter.report(bans);
  expect(reporter.waiting).toBe(2);
  await pass(200);
  reporter.report(bans);
  await pass(200);
  expect(sent).toEqual([
    ['9.9.9.9', '9.9.9.8'],
    ['9.9.9.9', '9.9.9.8'],
  ]);
});

it('leaves bans inside nginx until they are on disk, and tells the control plane before', async () => {
  let onDisk = () => {};
  reporter.onTaken = () =>
    new Promise((resolve) => {
      onDisk = resolve;
    });
  banned('9.9.9.9');
  await pass(1000);
  expect([sent, given.bans]).toEqual([[['9.9.9.9']], [JSON.stringify(ban('9.9.9.9'))]]);
  onDisk();
  await pass(400);
  expect(given.bans).toEqual([]);
});

it('names a batch as written once: nginx that was started anew has another under the same number', async () => {
  const said: (number | undefined)[] = [];
  const admin = {
    takeBans: async (written: number | undefined) => {
      said.push(written);
      if (said.length === 2) throw new Error('nginx did not answer');
      return said.length === 1 ? { batch: 1, bans: [JSON.stringify(ban('9.9.9.9'))] } : {};
    },
  };
  const other = new BanReporter(admin, { post: async () => {} });
  other.start();
  await pass(800);
  other.stop();
  expect(said).toEqual([undefined, 1, undefined, undefined]);
});

it('holds 20,000 for a control plane that is away: of more, the oldest are not reported', async () => {
  answer = async () => {
    throw new TypeError('fetch failed');
  };
  const network = (at: number) => `10.${at >> 16}.${(at >> 8) & 255}.${at & 255}`;
  const taken: string[] = [];
  reporter.onTaken = async (entries) => {
    taken.push(...entries.map((entry) => entry.network));
  };
  for (const start of [0, 10_250]) {
    banned(...Array.from({ length: 10_250 }, (_, at) => network(start + at)));
    await pass(400);
  }
  expect([taken.length, reporter.waiting]).toEqual([20_500, 20_000]);
  sent = [];
  answer = async () => {};
  await pass(1200);
  expect(reporter.waiting).toBe(0);
  const reported = sent.flat();
  expect([reported.length, reported[0], reported.at(-1)]).toEqual([20_000, network(500), network(20_499)]);
  expect(Math.max(...sent.map(({ length }) => length))).toBe(500);
});
