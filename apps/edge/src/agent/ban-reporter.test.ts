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
let sent: string[][] = [];
let answer: () => Promise<void> = async () => {};
let reporter: BanReporter;

beforeEach(() => {
  vi.useFakeTimers();
  [waiting, sent, answer] = [[], [], async () => {}];
  reporter = new BanReporter(
    { takeBans: async () => waiting.splice(0) },
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
  reporter.onTaken = (entries) => taken.push(...entries.map(({ network, until }) => `${network} ${until}`));
  banned('9.9.9.9');
  await pass(200);
  expect([sent, taken]).toEqual([[['9.9.9.9']], ['9.9.9.9 1790000060']]);
  expect(reporter.waiting).toBe(0);
});

it('takes bans from nginx also while the control plane does not answer', async () => {
  const taken: string[] = [];
  reporter.onTaken = (entries) => taken.push(...entries.map(({ network }) => network));
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
  expect(sent.at(-1)).toEqual(['9.9.9.9', '8.8.8.8']);
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
