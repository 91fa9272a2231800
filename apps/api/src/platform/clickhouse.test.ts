import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, it, vi } from 'vitest';
import { slowdown } from '../../../../tests/support/slowness.ts';
import { createClickHouse, insertLines, selectRows, streamRows } from './clickhouse.ts';

it('a reading of a ClickHouse that takes requests and hangs ends as TRAFFIC_UNAVAILABLE', async () => {
  const server = createServer(() => undefined);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const clickhouse = createClickHouse(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  const inTime = AbortSignal.timeout.bind(AbortSignal);
  const timeout = vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => inTime(ms / 300));
  try {
    await expect(selectRows(clickhouse as NonNullable<typeof clickhouse>, 'SELECT 1')).rejects.toMatchObject({
      code: 'TRAFFIC_UNAVAILABLE',
    });
    expect(timeout).toHaveBeenCalledWith(15_000);
  } finally {
    timeout.mockRestore();
    await clickhouse?.close();
    server.closeAllConnections();
    server.close();
  }
});

/** Its state decides what it answers; nothing while it hangs. */
async function startStore() {
  const state = { isHanging: false, isSlow: false, queries: 0 };
  const server = createServer((req, res) => {
    const isPing = req.url?.startsWith('/ping') === true;
    if (!isPing) state.queries += 1;
    if (state.isHanging || (state.isSlow && !isPing)) return;
    res.end(isPing ? 'Ok.' : '{"one":1}\n');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const clickhouse = createClickHouse(`http://user:pass@127.0.0.1:${port}`) as NonNullable<
    ReturnType<typeof createClickHouse>
  >;
  stops.push(async () => {
    server.closeAllConnections();
    server.close();
    await clickhouse.close();
  });
  return { state, clickhouse, read: () => selectRows(clickhouse, 'SELECT 1 AS one') };
}
const stops: (() => Promise<void>)[] = [];
afterEach(async () => {
  vi.restoreAllMocks();
  for (const stop of stops.splice(0)) await stop();
});
/** Seconds of the health take milliseconds. */
function hasten() {
  const inTime = globalThis.setTimeout;
  vi.spyOn(globalThis, 'setTimeout').mockImplementation(((work: () => void, ms = 0) =>
    inTime(work, ms / 20)) as typeof setTimeout);
}

it('once a ClickHouse hangs, what waits ends soon, more is refused at once, and it is read again when it answers', async () => {
  hasten();
  const { state, clickhouse, read } = await startStore();
  expect(await read()).toEqual([{ one: 1 }]);
  state.isHanging = true;
  const startedAt = performance.now();
  const signal = new AbortController().signal;
  const waiting = await Promise.allSettled([read(), read(), streamRows(clickhouse, 'SELECT 1', {}, signal)]);
  expect(waiting).toMatchObject(Array(3).fill({ status: 'rejected', reason: { code: 'TRAFFIC_UNAVAILABLE' } }));
  // Hastened: five seconds. The wait of a reading, of 15, is not.
  expect((performance.now() - startedAt) / slowdown()).toBeLessThan(5_000);
  const { queries } = state;
  const into = { table: 'requests', columns: ['one'], token: 't' };
  const more = [read(), streamRows(clickhouse, 'SELECT 1', {}, signal), insertLines(clickhouse, into, ['[1]'])];
  expect(await Promise.allSettled(more)).toMatchObject(
    Array(3).fill({ status: 'rejected', reason: { code: 'TRAFFIC_UNAVAILABLE' } }),
  );
  expect(state.queries).toBe(queries);
  state.isHanging = false;
  await vi.waitFor(async () => expect(await read()).toEqual([{ one: 1 }]), { timeout: 5_000 });
});

it('a slow reading goes on while pings are answered', async () => {
  hasten();
  const { state, read } = await startStore();
  state.isSlow = true;
  let isOver = false;
  void read()
    .catch(() => undefined)
    .finally(() => {
      isOver = true;
    });
  const fetched = vi.spyOn(globalThis, 'fetch');
  await vi.waitFor(() => expect(fetched).toHaveBeenCalled());
  await fetched.mock.results[0]?.value;
  await new Promise(setImmediate);
  expect(isOver).toBe(false);
  state.isSlow = false;
  expect(await read()).toEqual([{ one: 1 }]);
});
