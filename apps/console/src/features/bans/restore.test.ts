import { expect, it, vi } from 'vitest';
import { liftInParts, restoreCalls } from './restore';

const NOW = Date.parse('2026-11-20T10:00:00Z');
const ban = (network: string, endsInSeconds: number | null, routeId: string | null = null) => ({
  network,
  route_id: routeId,
  ends_at: endsInSeconds === null ? null : new Date(NOW + endsInSeconds * 1000).toISOString(),
});
const calls = (...bans: ReturnType<typeof ban>[]) => restoreCalls(bans, () => 'why', NOW);

it('brings bans back for the time that was left, those alike together', () => {
  expect(calls(ban('9.9.9.9', 600), ban('8.8.8.8', 600), ban('7.7.7.7', null), ban('6.6.6.6', 600, 'r1'))).toEqual([
    { networks: ['9.9.9.9', '8.8.8.8'], route_id: null, seconds: 600, note: 'why' },
    { networks: ['7.7.7.7'], route_id: null, seconds: null, note: 'why' },
    { networks: ['6.6.6.6'], route_id: 'r1', seconds: 600, note: 'why' },
  ]);
});

it('keeps what lies in another apart, because one list may not hold both', () => {
  expect(calls(ban('9.9.0.0/16', null), ban('9.9.9.9', null))?.map(({ networks }) => networks)).toEqual([
    ['9.9.0.0/16'],
    ['9.9.9.9'],
  ]);
});

it('leaves out what would have ended anyway', () => {
  expect(calls(ban('9.9.9.9', 5), ban('8.8.8.8', -1))).toEqual([]);
});

it('is not offered where it would take too many calls', () => {
  expect(calls(...Array.from({ length: 20 }, (_, at) => ban(`9.9.9.${at}`, 600 + at)))).toHaveLength(20);
  expect(calls(...Array.from({ length: 21 }, (_, at) => ban(`9.9.9.${at}`, 600 + at)))).toBeUndefined();
});

it('bounds the note', () => {
  expect(restoreCalls([ban('9.9.9.9', null)], () => 'x'.repeat(300), NOW)?.[0]?.note).toHaveLength(200);
});

it('lifts more than one call holds', async () => {
  const lift = vi.fn(async (ids: string[]) => ids.length);
  expect(
    await liftInParts(
      Array.from({ length: 1001 }, (_, at) => String(at)),
      lift,
    ),
  ).toBe(1001);
  expect(lift.mock.calls.map(([ids]) => ids.length)).toEqual([1000, 1]);
});
