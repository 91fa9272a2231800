import { tmpdir } from 'node:os';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { createCustomer, eventually } from '../testing/fixtures.ts';
import { startApi, type TestApi } from '../testing/start-api.ts';
import { takeUnhandledRejections } from '../testing/unhandled-rejections.ts';

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
  it.each(['/%00', '/api/v1/%00', '/api/v1/%zz'])('answers 400 for an address that is none: %s', async (path) => {
    const response = await fetch(test.url + path);
    expect([response.status, (await response.json()) as object]).toMatchObject([400, { code: 'BAD_REQUEST' }]);
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
  it('answers GATEWAY_CONNECTION_ERROR while PostgreSQL cannot be reached, and goes on by itself when it can', async () => {
    const apart = await startApi();
    const { token } = await createCustomer(apart);
    const name = new URL(apart.databaseUrl).pathname.slice(1);
    const admin = new pg.Client({ connectionString: inject('postgresUrl') });
    await admin.connect();
    // A job may be at work then, whose end cannot be written.
    const stopTaking = takeUnhandledRejections(() => undefined);
    try {
      const list = () => apart.call('GET', 'domain/routes/', { token });
      expect((await list()).status).toBe(200);
      await admin.query(`ALTER DATABASE ${name} ALLOW_CONNECTIONS false`);
      await admin.query('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1', [name]);
      expect(await list()).toMatchObject({ status: 502, body: { success: false, code: 'GATEWAY_CONNECTION_ERROR' } });
      const save = apart.call('POST', 'domain/groups/', { token, body: { name: 'x' } });
      expect(await save).toMatchObject({ status: 502, body: { success: false, code: 'GATEWAY_CONNECTION_ERROR' } });
      await admin.query(`ALTER DATABASE ${name} ALLOW_CONNECTIONS true`);
      await eventually(async () => (await list()).status === 200);
    } finally {
      await admin.end();
      await apart.stop();
      stopTaking();
    }
  });
  it('describes itself as OpenAPI 3.1', async () => {
    const { body } = await test.call('GET', 'openapi.json');
    expect(body.openapi).toBe('3.1.0');
    expect(body.paths['/domain/routes/'].post.requestBody).toBeDefined();
    expect(Object.keys(body.paths).some((path) => path.startsWith('/edge/'))).toBe(false);
    expect(body.paths['/domain/routes/{id}/'].get.description).toBe('API tokens need the scope `domains:read`.');
    expect(body.paths['/domain/routes/{id}/replay/'].post.description).toMatch(
      /^API tokens need the scopes `domains:read` and `traffic:read`\./,
    );
    expect(body.paths['/domain/routes/'].get.description).toBe(
      'API tokens need the scope `domains:read`. With `requests`, `-requests`, `blocked`, `-blocked`, `hit_ratio`, or `-hit_ratio` as `sort` they need `traffic:read` too.',
    );
  });
});
