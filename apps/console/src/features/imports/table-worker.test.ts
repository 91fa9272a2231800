// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { startTableWorker } from './table-worker';
import { READY } from './worker-messages';

/** Workers that were started; each does what a test has it do. */
const started: FakeWorker[] = [];
class FakeWorker extends EventTarget {
  asked: { id: number }[] = [];
  constructor() {
    super();
    started.push(this);
  }
  postMessage(question: { id: number }) {
    this.asked.push(question);
  }
  terminate() {}
  say(data: unknown) {
    this.dispatchEvent(new MessageEvent('message', { data }));
  }
}

beforeEach(() => {
  started.length = 0;
  vi.stubGlobal('Worker', FakeWorker);
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

const paste = (worker: ReturnType<typeof startTableWorker>) => worker.call({ kind: 'paste', text: 'a' });

it('says that there is no network where its own file does not come, not that the rows are damaged; and asks again', async () => {
  vi.stubGlobal('fetch', vi.fn().mockRejectedValue(new TypeError('Failed to fetch')));
  const worker = startTableWorker();
  const refused = paste(worker);
  started[0]?.dispatchEvent(new Event('error'));
  await expect(refused).rejects.toMatchObject({ name: 'LoadError', reason: 'network' });
  const again = paste(worker);
  started[1]?.say(READY);
  started[1]?.say({ id: started[1].asked[0]?.id, result: { total: 1 } });
  expect(await again).toEqual({ total: 1 });
});

it('says which part is missing where the service answers without it', async () => {
  vi.stubGlobal('fetch', vi.fn().mockResolvedValue(new Response('<html></html>')));
  const refused = paste(startTableWorker());
  started[0]?.dispatchEvent(new Event('error'));
  await expect(refused).rejects.toMatchObject({ name: 'LoadError', reason: 'part' });
});

it('says of a file that makes it fail that it is damaged', async () => {
  const refused = paste(startTableWorker());
  started[0]?.dispatchEvent(Object.assign(new Event('error'), { message: 'RangeError: out of memory' }));
  await expect(refused).rejects.toMatchObject({ name: 'FileProblem', code: 'DAMAGED' });
});

it.each([
  [true, { name: 'FileProblem', code: 'TOO_SLOW' }],
  [false, { name: 'LoadError', reason: 'network' }],
])('gives up after 20 s; its own file has come: %s', async (isReady, reason) => {
  vi.useFakeTimers();
  vi.stubGlobal('fetch', vi.fn().mockRejectedValue(new TypeError('Failed to fetch')));
  const refused = paste(startTableWorker());
  if (isReady) started[0]?.say(READY);
  const told = expect(refused).rejects.toMatchObject(reason);
  await vi.advanceTimersByTimeAsync(20_000);
  await told;
});
