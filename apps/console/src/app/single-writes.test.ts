import { createClientOf, type Operation, operations } from '@cordon/contract';
import { pluginOperations } from '@cordon/plugins/operations';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createSingleWrites, DOUBLE_PRESS_MS, isWrite, KEY_KEPT_MS } from './single-writes';

const all: Record<string, Operation> = { ...operations, ...pluginOperations };
const writes = Object.keys(all).filter((name) => isWrite(all[name] as Operation) && all[name]?.auth === 'user');

type Calls = Record<string, (input: object) => Promise<unknown>>;
/** Every call of the console, answered by hand. */
function connect(onMended: (error: unknown) => void = () => {}) {
  const sent: { key: string | null; answer: (response: Response | Error) => void }[] = [];
  const client = createClientOf(all, {
    origin: 'http://console.test',
    headers: () => ({}),
    timeoutMs: 60_000,
    around: createSingleWrites(onMended),
    fetch: (url, init) =>
      new Promise((resolve, reject) =>
        sent.push({
          key: new Request(url, { ...init, signal: null }).headers.get('idempotency-key'),
          answer: (response) => (response instanceof Error ? reject(response) : resolve(response)),
        }),
      ),
  });
  return { sent, calls: client as unknown as Calls };
}
const input = { params: { id: 'x', version: 1 }, body: { names: ['a.example'] }, ifMatch: 3 };
const done = (result: string) => Response.json({ success: true, result });
const settled = () => vi.advanceTimersByTimeAsync(0);

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe.each(writes)('%s', (name) => {
  it('pressed twice happens once, with an Idempotency-Key', async () => {
    const { sent, calls } = connect();
    const both = [calls[name]?.(input), calls[name]?.(input)];
    await settled();
    expect(sent).toHaveLength(1);
    expect(sent[0]?.key).toMatch(/^[0-9a-f-]{36}$/);
    sent[0]?.answer(done('once'));
    expect(await Promise.all(both)).toEqual([await both[0], await both[0]]);
    // The dialog is still closing. Not awaited: a third that is sent is never answered here.
    void calls[name]?.(input);
    await settled();
    expect(sent).toHaveLength(1);
  });
});

it('tells the failure of a write that was done when it was tried again, and of no other', async () => {
  const onMended = vi.fn();
  const { sent, calls } = connect(onMended);
  const failed = expect(calls.resumeRoute?.(input)).rejects.toThrow();
  await settled();
  sent[0]?.answer(new Error('Failed to fetch'));
  await failed;
  void calls.resumeRoute?.(input);
  await settled();
  sent[1]?.answer(done('resumed'));
  await settled();
  expect(onMended.mock.calls).toEqual([[expect.objectContaining({ name: 'ApiError' })]]);
  void calls.deployRoute?.(input);
  await settled();
  sent[2]?.answer(done('deployed'));
  await settled();
  expect(onMended.mock.lastCall).toEqual([undefined]);
});

it('looks at every write there is', () => {
  expect(writes).toEqual(
    expect.arrayContaining(['deployRoute', 'bulkRoutes', 'createRoute', 'startImport', 'addBans']),
  );
  expect(writes).not.toContain('listRoutes');
  // Its scopes only read.
  expect(writes).not.toContain('replayRequests');
  // Pressed again, these ask again.
  expect(writes).not.toContain('checkDomain');
  expect(writes).not.toContain('verifyOwnership');
});

it('meant anew is sent anew: after a moment, with other words, or once something else was written', async () => {
  const { sent, calls } = connect();
  const press = async (name: string, what: object) => {
    const before = sent.length;
    const answer = calls[name]?.(what);
    await settled();
    if (sent.length > before) sent.at(-1)?.answer(done('done'));
    await answer;
  };
  await press('pauseRoute', input);
  await press('pauseRoute', { ...input, params: { id: 'y' } });
  await press('pauseRoute', input);
  await press('endPause', input);
  await press('pauseRoute', input);
  vi.setSystemTime(Date.now() + DOUBLE_PRESS_MS);
  await press('pauseRoute', input);
  expect(sent).toHaveLength(6);
  expect(new Set(sent.map(({ key }) => key)).size).toBe(6);
});

/** The keys of the same write that fails, and is tried again. */
async function keysOf(name: string, pauseMs: number): Promise<Set<string | null>> {
  const { sent, calls } = connect();
  for (const answer of [new TypeError('network'), new Response('Bad Gateway', { status: 502 }), done('done')]) {
    const one = calls[name]?.(input).catch(() => 'failed');
    await settled();
    sent.at(-1)?.answer(answer);
    await one;
    vi.setSystemTime(Date.now() + pauseMs);
  }
  expect(sent).toHaveLength(3);
  return new Set(sent.map(({ key }) => key));
}

it.each(['updateRoute', 'discardDraft'])(
  'that nothing answered keeps its key however late it is sent again: of its revision it can be done only once: %s',
  async (name) => {
    expect((await keysOf(name, 100 * KEY_KEPT_MS)).size).toBe(1);
  },
);

it.each([
  'deployRoute',
  'createRoute',
  'bulkRoutes',
  'deleteRoute',
  'deactivateRoute',
  'resumeRoute',
  'addShadowDomains',
  'promoteShadowDomain',
])('that failed keeps its key when it is tried again, in case only the answer was lost: %s', async (name) => {
  expect((await keysOf(name, KEY_KEPT_MS - 1)).size).toBe(1);
});

it.each(['createRoute', 'bulkRoutes'])('long after its failure it is meant anew: %s', async (name) => {
  expect((await keysOf(name, KEY_KEPT_MS)).size).toBe(3);
});

it.each(['startAttackMode', 'endAttackMode', 'pauseRoute', 'endPause', 'addBans', 'liftBans', 'allowNetworks'])(
  'that only sets a state is meant anew when it is tried again: another may have changed it meanwhile: %s',
  async (name) => {
    expect((await keysOf(name, 0)).size).toBe(3);
  },
);
