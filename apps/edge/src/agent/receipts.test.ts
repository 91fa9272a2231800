import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { testRoute } from '../testing/routes.ts';
import { ControlError } from './control-client.ts';
import { EdgeState } from './edge-state.ts';
import { log } from './log.ts';
import { Receipts } from './receipts.ts';

interface SentReceipt {
  readonly route_id: string;
  readonly probe: { readonly ok: boolean; readonly version: number | null } | null;
}

let nginx: Server;
/** What nginx, or whoever answers in its place, says of a host. */
let answerOf: (host: string) => unknown;
let state: EdgeState;
let receipts: Receipts;
let sent: SentReceipt[];
/** Hosts that nginx was asked for. */
let asked: string[];
let refused: string;
/** How long a call takes. */
let sending: () => Promise<void>;

beforeEach(async () => {
  nginx = createServer(({ headers: { host = '' } }, response) => {
    response.end(JSON.stringify(answerOf(host)), () => asked.push(host));
  });
  await new Promise<void>((resolve) => nginx.listen(0, '127.0.0.1', resolve));
  [state, sent, asked, refused] = [new EdgeState(), [], [], ''];
  sending = async () => {};
  answerOf = (host) => {
    const { id, version } = [...state.routes.values()].find(({ route }) => route.hosts[0]?.name === host)?.route ?? {};
    return { route_id: id, version };
  };
  receipts = new Receipts(state, '127.0.0.1', (nginx.address() as AddressInfo).port, async (body) => {
    await sending();
    const given = (JSON.parse(body) as { receipts: SentReceipt[] }).receipts;
    if (given.some(({ route_id: id }) => id === refused)) throw new ControlError(422, 'no');
    sent.push(...given);
  });
});
afterEach(() => {
  vi.restoreAllMocks();
  receipts.close();
  nginx.close();
});

function publish(host: string): string {
  const route = testRoute({ hosts: [host], version: 7 });
  state.apply({ route_id: route.id, revision: 1, route });
  receipts.expect(route.id);
  receipts.published(route.id);
  return route.id;
}
/** The control plane takes nothing until `take`. */
function holdCalls() {
  let take = () => {};
  const isTaken = new Promise<void>((resolve) => {
    take = resolve;
  });
  const sends = vi.fn(() => isTaken);
  sending = sends;
  return { take: () => take(), sends };
}
const answered = () => vi.waitFor(() => expect(asked).toEqual(['a.test']), { timeout: 5_000 });
const receiptOf = (id: string) =>
  vi.waitFor(
    () => {
      const found = sent.find(({ route_id }) => route_id === id);
      if (!found) throw new Error('no receipt yet');
      return found;
    },
    { timeout: 5_000 },
  );

it('prove a version by what nginx answers', async () => {
  receipts.open();
  expect(await receiptOf(publish('a.test'))).toMatchObject({ probe: { ok: true, version: 7 } });
});

it.each([
  ['nothing', null],
  ['another shape', { version: '7' }],
  ['the version of something else', { version: 7 }],
  ['another route', { route_id: '00000000-0000-4000-8000-0000000000ff', version: 7 }],
])('prove nothing by %s, which an origin might answer', async (_, answer) => {
  answerOf = () => answer;
  receipts.open();
  expect(await receiptOf(publish('a.test'))).toMatchObject({ probe: { ok: false, version: null } });
});

it('say that a version is not live where this node has no way to its origins', async () => {
  receipts.faultOf = (route) => (route.hosts[0]?.name === 'a.test' ? 'no room' : undefined);
  receipts.open();
  const [refusedId, served] = [publish('a.test'), publish('b.test')];
  expect(await receiptOf(refusedId)).toMatchObject({ version: 7, probe: { ok: false, status: 502, error: 'no room' } });
  expect(await receiptOf(served)).toMatchObject({ probe: { ok: true, version: 7 } });
});

it('are owed until the control plane has them, also where a newer change comes while one is on its way', async () => {
  const told: string[] = [];
  receipts.onTold = (ids) => told.push(...ids);
  const { take } = holdCalls();
  receipts.open();
  const [id, other] = [publish('a.test'), publish('b.test')];
  await vi.waitFor(() => expect(asked.sort()).toEqual(['a.test', 'b.test']), { timeout: 5_000 });
  receipts.expect(id);
  take();
  await receiptOf(other);
  await vi.waitFor(() => expect(told).toEqual([other]), { timeout: 5_000 });
  expect([...state.owed]).toEqual([id]);
  receipts.published(id);
  await vi.waitFor(() => expect(told).toEqual([other, id]), { timeout: 5_000 });
  expect([...state.owed]).toEqual([]);
});

it('of refusals stand, also where a probe of the revision before it ends later', async () => {
  const warn = vi.spyOn(log, 'warn');
  const { take, sends } = holdCalls();
  receipts.open();
  publish('b.test');
  await vi.waitFor(() => expect(sends).toHaveBeenCalled(), { timeout: 5_000 });
  answerOf = () => 'not yet';
  const id = publish('a.test');
  await vi.waitFor(() => expect(asked).toContain('a.test'), { timeout: 5_000 });
  receipts.expect(id);
  receipts.refused(id, 2, 7, 'no');
  await vi.waitFor(() => expect(warn).toHaveBeenCalledWith('a probe failed', expect.anything()), { timeout: 5_000 });
  take();
  expect(await receiptOf(id)).toMatchObject({ revision: 2, refusal: 'no' });
});

it('of others get to the control plane when it refuses one', async () => {
  const ids = ['a.test', 'b.test', 'c.test'].map(publish);
  refused = ids[1] ?? '';
  receipts.open();
  await receiptOf(ids[0] ?? '');
  await receiptOf(ids[2] ?? '');
  expect(sent.map(({ route_id: id }) => id)).not.toContain(refused);
});

it('are taken again after a restart of nginx that was over soon', async () => {
  answerOf = () => 'not ours';
  receipts.open();
  const id = publish('a.test');
  await answered();
  receipts.suspend();
  answerOf = () => ({ route_id: id, version: 7 });
  receipts.open();
  expect(await receiptOf(id)).toMatchObject({ probe: { ok: true, version: 7 } });
});

it('wait for an nginx that is started anew, instead of saying that it does not serve', async () => {
  answerOf = () => 'not ours';
  receipts.open();
  const id = publish('a.test');
  receipts.suspend();
  await answered();
  answerOf = () => ({ route_id: id, version: 7 });
  receipts.open();
  await receiptOf(id);
  expect(sent).toMatchObject([{ probe: { ok: true, version: 7 } }]);
});
