import { afterAll } from 'vitest';
import { type FakeNode, startFakeNode } from './fixtures.ts';
import { startApi, type TestApi } from './start-api.ts';

/**
 * The API and a node of its edge, for a file of tests: awaited at its top, ended when the file ends. What a file needs
 * otherwise (settings, other czones, several nodes) it starts by `startApi` and `startFakeNode`.
 */
export async function startEdgeApi(node: { addresses?: string[] } = {}): Promise<{ test: TestApi; node: FakeNode }> {
  const test = await startApi();
  const fake = await startFakeNode(test, undefined, node);
  afterAll(async () => {
    fake.stop();
    await test.stop();
  });
  return { test, node: fake };
}
