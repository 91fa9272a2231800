import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { startEdge, type TestEdge } from './testing/start-edge.ts';

let edge: TestEdge;

beforeAll(async () => {
  edge = await startEdge();
});
afterAll(() => edge?.stop());

it('counts a node as live with its connection, not only after the first interval', async () => {
  // A beat every two seconds: one that came sooner came with the connection.
  await vi.waitFor(() => expect(edge.control.heartbeats.length).toBeGreaterThan(0), { timeout: 1_500, interval: 20 });
  expect(edge.control.heartbeats[0]).toMatchObject({ nginx: 'running' });
});
