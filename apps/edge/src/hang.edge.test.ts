import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { workersOf } from './agent/processes.ts';
import { startOrigin, type TestOrigin } from './testing/origin.ts';
import { testRoute, testTarget, testUpstream } from './testing/routes.ts';
import { startEdge, type TestEdge } from './testing/start-edge.ts';

let edge: TestEdge;
let origin: TestOrigin;

beforeAll(async () => {
  origin = await startOrigin((_, response) => response.end('origin'));
  edge = await startEdge({
    routes: [testRoute({ hosts: ['hang.test'], upstream: testUpstream([testTarget(origin.port)]) })],
    workers: 2,
  });
});
afterAll(async () => {
  await edge?.stop();
  await origin?.stop();
});

const workers = () => workersOf(edge.nginxPid);
const nginxPart = async () => {
  const { parts } = (await (await fetch(`http://127.0.0.1:${edge.agentPort}/readyz`)).json()) as {
    parts: { name: string; isReady: boolean; detail: string }[];
  };
  return parts.find(({ name }) => name === 'nginx');
};
/** Beside another that is slow, where the machine is. */
const reported = (hung: number) =>
  vi.waitFor(
    async () =>
      expect(await nginxPart(), edge.stderr).toMatchObject({
        isReady: false,
        detail: expect.stringMatching(new RegExp(`^running; .*worker ${hung} does not answer`)),
      }),
    HANG,
  );
const HANG = { timeout: 30_000, interval: 50 };

describe('nginx that hangs is ended and replaced', () => {
  it('one of its workers, which is reported before', async () => {
    await vi.waitFor(() => expect(workers()).toHaveLength(2), HANG);
    const [hung, other] = workers() as [number, number];
    process.kill(hung, 'SIGSTOP');
    await reported(hung);
    await vi.waitFor(() => expect(workers()).not.toContain(hung), HANG);
    await edge.ready();
    // A new one has its name only when it is through with its start.
    await vi.waitFor(() => expect(workers()).toHaveLength(2), HANG);
    expect(workers(), edge.stderr).toContain(other);
    expect(await edge.metrics(), edge.stderr).toContain('cordon_edge_nginx_hung 1');
    expect(edge.stderr).toContain(`"workers of nginx hang and are ended","pids":[${hung}]`);
    expect((await edge.request('hang.test')).status).toBe(200);
  });

  it('its master, which only looks after the workers, and once each of them that it does not see end', async () => {
    const master = edge.nginxPid;
    const [hung] = workers() as [number];
    process.kill(hung, 'SIGSTOP');
    await reported(hung);
    process.kill(master, 'SIGSTOP');
    expect((await edge.request('hang.test')).status).toBe(200);
    await vi.waitFor(() => expect(edge.nginxPid).not.toBe(master), HANG);
    expect(edge.stderr.split(`"workers of nginx hang and are ended","pids":[${hung}]`)).toHaveLength(2);
    await edge.ready();
    expect((await edge.request('hang.test')).status).toBe(200);
  });

  it('all of its workers', async () => {
    const before = workers();
    for (const pid of before) process.kill(pid, 'SIGSTOP');
    await vi.waitFor(() => expect(workers().filter((pid) => before.includes(pid))).toEqual([]), HANG);
    await vi.waitFor(async () => expect((await edge.request('hang.test')).status).toBe(200), HANG);
  });
});
