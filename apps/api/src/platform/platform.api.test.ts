import { tmpdir } from 'node:os';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startApi, type TestApi } from '../testing/start-api.ts';

let test: TestApi;
beforeAll(async () => {
  test = await startApi();
});
afterAll(() => test.stop());

describe('the server', () => {
  it('tells each part and its state', async () => {
    const response = await fetch(`${test.url}/readyz`);
    expect(response.status).toBe(200);
    const { parts } = (await response.json()) as { parts: { name: string; ok: boolean }[] };
    expect(parts.map((part) => part.name)).toEqual(
      expect.arrayContaining(['postgresql', 'queue', 'notifications', 'clickhouse']),
    );
  });
  it('tells how much room the disk of its data has', async () => {
    const here = await startApi({ CORDON_DATA_DIR: tmpdir() });
    try {
      const { parts } = (await (await fetch(`${here.url}/readyz`)).json()) as {
        parts: { name: string; state: string }[];
      };
      expect(parts.find(({ name }) => name === 'disk')?.state).toMatch(/^\d+ MB left$/);
    } finally {
      await here.stop();
    }
  });
  it('names a part that is not installed, and is ready without it', async () => {
    const without = await startApi({ CORDON_ABSENT_PARTS: 'edge' });
    try {
      const response = await fetch(`${without.url}/readyz`);
      expect(response.status).toBe(200);
      const { parts } = (await response.json()) as { parts: { name: string }[] };
      expect(parts.find(({ name }) => name === 'edge')).toEqual({
        name: 'edge',
        ok: false,
        essential: false,
        state: 'absent',
      });
    } finally {
      await without.stop();
    }
  });
  it('describes itself as OpenAPI 3.1', async () => {
    const { body } = await test.call('GET', 'openapi.json');
    expect(body.openapi).toBe('3.1.0');
    expect(body.paths['/domain/routes/'].post.requestBody).toBeDefined();
    expect(Object.keys(body.paths).some((path) => path.startsWith('/edge/'))).toBe(false);
  });
});
