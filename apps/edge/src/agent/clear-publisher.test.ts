import type { EdgeClear } from '@cordon/contract/edge-config';
import { beforeEach, expect, it, vi } from 'vitest';
import type { RunnerClear } from './admin-client.ts';
import { type ClearDone, ClearPublisher } from './clear-publisher.ts';
import { log } from './log.ts';

let calls: RunnerClear[][];
let answer: () => Promise<{ boot_id: string; error: string }>;
/** Lines that a call takes. */
let takenMax: number;
let done: { cursor: string | undefined; ids: string[]; clears: readonly ClearDone[] }[];
let publisher: ClearPublisher;
/** Of routes, where it is not one of their own. */
const accounts = new Map<string, string>();

beforeEach(() => {
  calls = [];
  done = [];
  takenMax = Number.POSITIVE_INFINITY;
  answer = async () => ({ boot_id: '', error: '' });
  accounts.clear();
  publisher = new ClearPublisher(
    {
      postClears: (lines) => {
        calls.push([...lines]);
        const taken = Math.min(lines.length, takenMax);
        return answer().then((result) => ({ ...result, taken }));
      },
    },
    (routeId) => accounts.get(routeId),
  );
  publisher.onDone = (cursor, clears) => done.push({ cursor, ids: clears.map(({ id }) => id), clears });
});

const clear = (id: string, values: Partial<EdgeClear> = {}): EdgeClear => ({
  id,
  route_id: 'route',
  kind: 'all',
  values: [],
  soft: false,
  ...values,
});
const finished = () => vi.waitFor(() => expect(publisher.waiting).toBe(0));

it('names what is cleared as nginx does: paths as bytes, queries as they are, with the clear and its end', async () => {
  publisher.add({
    cursor: '7',
    clears: [
      clear('a', { kind: 'urls', values: ['www.test/a%20b/%C3%BC?x=%20', 'www.test/%FF'], soft: true }),
      clear('b', { kind: 'prefixes', values: ['/%E4/'] }),
      clear('c', { kind: 'tags', values: ['50%25'] }),
    ],
  });
  await finished();
  expect(calls.flat()).toEqual([
    { route_id: 'route', kind: 'url', value: 'www.test/a b/\u00c3\u00bc?x=%20', soft: true, id: 'a' },
    { route_id: 'route', kind: 'url', value: 'www.test/\u00ff', soft: true, id: 'a', last: true },
    { route_id: 'route', kind: 'prefix', value: '/\u00e4/', soft: false, id: 'b', last: true },
    { route_id: 'route', kind: 'tag', value: '50%25', soft: false, id: 'c', last: true },
  ]);
  expect(done.map(({ cursor, ids }) => [cursor, ids])).toEqual([['7', ['a', 'b', 'c']]]);
});

it('has one call under way, and one for all that comes meanwhile', async () => {
  let release = () => {};
  answer = () =>
    new Promise((resolve) => {
      release = () => resolve({ boot_id: '', error: '' });
    });
  publisher.add({ cursor: '1', clears: [clear('a')] });
  publisher.add({ cursor: '2', clears: [clear('b', { kind: 'tags', values: ['x'] })] });
  publisher.add({ clears: [], routeIds: ['other'] });
  publisher.add({ cursor: '3', clears: [], isAll: true });
  expect([calls.length, done]).toEqual([1, []]);
  release();
  await vi.waitFor(() => expect(calls.length).toBe(2));
  expect(done.map(({ cursor }) => cursor)).toEqual(['1']);
  release();
  await finished();
  expect(calls.map((lines) => lines.map((line) => `${line.route_id} ${line.kind}`))).toEqual([
    ['route all'],
    // Those who have not had a turn come first.
    ['other all', '* all', 'route tag'],
  ]);
  expect(done.map(({ cursor, ids }) => [cursor, ids])).toEqual([
    ['1', ['a']],
    ['3', ['b']],
  ]);
});

const tags = (count: number) => Array.from({ length: count }, (_, at) => `t${at}`);

it('reports a clear only when all of its lines have been taken, by calls that are short', async () => {
  const values = tags(50);
  publisher.add({ cursor: '1', clears: [clear('a', { kind: 'tags', values })] });
  publisher.add({ cursor: '2', clears: [clear('b')] });
  const counts: number[] = [];
  answer = async () => {
    counts.push(done.length);
    return { boot_id: '', error: '' };
  };
  await finished();
  expect(calls.map(({ length }) => length)).toEqual([20, 20, 11]);
  expect(counts).toEqual([0, 0]);
  expect(calls.flat().map(({ value }) => value)).toEqual([...values, '']);
  expect(done.map(({ cursor, ids }) => [cursor, ids])).toEqual([['2', ['a', 'b']]]);
});

it('lets domains take turns: what one has cleared delays what another has by one short call', async () => {
  publisher.add({ cursor: '1', clears: [clear('many', { kind: 'tags', values: tags(500) })] });
  publisher.add({ cursor: '2', clears: [clear('one', { route_id: 'other', kind: 'tags', values: ['x'] })] });
  publisher.add({
    cursor: '3',
    clears: ['c', 'd'].map((id) => clear(id, { route_id: 'third', kind: 'tags', values: tags(30) })),
  });
  await finished();
  const turns = calls.map((lines) => [...new Set(lines.map((line) => line.route_id))]);
  expect(turns.slice(0, 5)).toEqual([
    ['route'],
    ['other', 'third', 'route'],
    ['third', 'route'],
    ['third', 'route'],
    ['route'],
  ]);
  expect(Math.max(...calls.map(({ length }) => length))).toBeLessThanOrEqual(100);
  expect(done[0]).toMatchObject({ cursor: undefined, ids: ['one'] });
  // Where the stream goes on is behind nothing that waits.
  expect(done.filter(({ cursor }) => cursor !== undefined).map(({ cursor, ids }) => [cursor, ids])).toEqual([
    ['3', ['many']],
  ]);
});

it('lets accounts take turns: an account that clears many domains delays what another clears by one short call', async () => {
  const many = Array.from({ length: 20 }, (_, at) => `of-many-${at}`);
  for (const route of many) accounts.set(route, 'many');
  takenMax = 20;
  publisher.add({
    cursor: '1',
    clears: many.map((route_id) => clear(route_id, { route_id, kind: 'tags', values: tags(30) })),
  });
  publisher.add({ cursor: '2', clears: [clear('one', { route_id: 'other' })] });
  await finished();
  expect(calls.findIndex((lines) => lines.some((line) => line.route_id === 'other'))).toBe(1);
  expect(calls[1]?.[0]).toMatchObject({ route_id: 'other' });
  expect(done[0]?.ids).toEqual(['one']);
  const sent = calls.flatMap((lines) => lines.slice(0, takenMax)).filter((line) => line.route_id !== 'other');
  expect(new Set(sent.map(({ route_id, value }) => `${route_id} ${value}`)).size).toBe(many.length * 30);
  expect(sent).toHaveLength(many.length * 30);
});

it('sends again what a call has not come to', async () => {
  takenMax = 7;
  publisher.add({ cursor: '1', clears: [clear('a', { kind: 'tags', values: tags(20) })] });
  publisher.add({ cursor: '2', clears: [clear('b', { route_id: 'other' })] });
  await finished();
  const places = calls.map((lines) => lines.slice(0, 7).map(({ route_id, value }) => `${route_id} ${value}`));
  expect(places.flat().filter((line) => line.startsWith('route '))).toEqual(tags(20).map((tag) => `route ${tag}`));
  expect(done.map(({ cursor, ids }) => [cursor, ids])).toEqual([
    [undefined, ['b']],
    ['2', ['a']],
  ]);
});

it('gives the same again until nginx has taken it, and tells no one before', async () => {
  vi.spyOn(log, 'warn').mockImplementation(() => {});
  const failures = [new Error('ECONNREFUSED'), 'no memory for what is cleared'];
  const doneBefore: number[] = [];
  answer = async () => {
    doneBefore.push(done.length);
    const failure = failures.shift();
    if (failure instanceof Error) throw failure;
    return { boot_id: '', error: failure ?? '' };
  };
  publisher.add({ cursor: '1', clears: [clear('a')] });
  await finished();
  expect(calls.map((lines) => lines.map(({ kind }) => kind))).toEqual([['all'], ['all'], ['all']]);
  expect(doneBefore).toEqual([0, 0, 0]);
  expect(done.map(({ cursor }) => cursor)).toEqual(['1']);
});

it('carries out once what comes early, and goes on behind it when it comes with its cursor', async () => {
  publisher.add({ clears: [clear('a')] });
  await finished();
  expect(done.map(({ cursor, ids }) => [cursor, ids])).toEqual([[undefined, ['a']]]);
  publisher.add({ cursor: '5', clears: [clear('a'), clear('b')] });
  await finished();
  publisher.add({ cursor: '6', clears: [clear('a')] });
  await finished();
  expect(calls.map((lines) => lines.length)).toEqual([1, 1, 1]);
  expect(done.slice(1).map(({ cursor, ids }) => [cursor, ids])).toEqual([
    ['5', ['b']],
    ['6', ['a']],
  ]);
});

it('counts the milliseconds from the call on', async () => {
  publisher.add({ cursor: '1', clears: [clear('a', { age_ms: 1000 }), clear('b')] });
  await finished();
  const [a, b] = done[0]?.clears ?? [];
  expect(a?.milliseconds).toBeGreaterThanOrEqual(1000);
  expect(b?.milliseconds).toBeLessThan(900);
});
