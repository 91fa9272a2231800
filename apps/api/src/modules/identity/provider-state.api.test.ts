import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { createProviderAdapter } from './provider-adapter.ts';
import * as repository from './provider-repository.ts';
import { TestBrowser } from './testing/browser.ts';
import { startIdentity } from './testing/start-identity.ts';

const EMAIL = 'jane@example.com';
const PASSWORD = 'tundra-violin-87-kestrel';

const callApi = (origin: string, token: string) =>
  fetch(`${origin}/api/v1/user/info/`, { headers: { authorization: `Bearer ${token}`, realm: 'cordon' } });

describe('what the provider keeps', () => {
  it('lets one of many use the same code or refresh token, whatever their order', async () => {
    const store = (await startIdentity()).api.platform;
    await repository.save(store, 'RefreshToken', 'the-token', { grantId: 'grant' }, 60);
    const used = await Promise.all(
      Array.from({ length: 8 }, () => repository.consume(store.db, 'RefreshToken', 'the-token')),
    );
    expect(used.filter((isFirst) => isFirst).length).toBe(1);
    const adapter = createProviderAdapter(store)('RefreshToken');
    await expect(adapter.consume('the-token')).rejects.toMatchObject({ error: 'invalid_grant' });
    expect(await adapter.find('the-token')).toMatchObject({ grantId: 'grant', consumed: expect.any(Number) });
    await adapter.revokeByGrantId('grant');
    expect(await adapter.find('the-token')).toBeUndefined();
  });

  it('survives a restart: keys, session and refresh token', async () => {
    const before = await startIdentity();
    const browser = new TestBrowser(before.origin);
    const tokens = await browser.register(EMAIL, PASSWORD);
    const after = await before.restart();
    expect((await callApi(after.origin, tokens.access_token)).status).toBe(200);
    expect((await browser.authorize({ prompt: 'none' })).searchParams.get('error')).toBeNull();
    expect((await browser.refresh(tokens.refresh_token)).status).toBe(200);
  });

  it('keeps no bearer secret, key or password readable in the database, nor in the log', async () => {
    const server = await startIdentity();
    const browser = new TestBrowser(server.origin);
    const tokens = await browser.register(EMAIL, PASSWORD);
    const dump = await sql<{ row: string }>`
      SELECT t::text AS row FROM oidc_state t UNION ALL SELECT encode(payload, 'escape') FROM oidc_state
      UNION ALL SELECT encode(value, 'escape') FROM deployment UNION ALL SELECT t::text FROM users t
      UNION ALL SELECT t::text FROM sign_in_attempts t`.execute(server.api.platform.db);
    const kept = dump.rows.map(({ row }) => row).join('\n');
    expect(dump.rows.length).toBeGreaterThan(5);
    const session = [...browser.cookies.values()].find(
      (cookie) => cookie.name.startsWith('cordon_session') && !cookie.name.endsWith('.sig'),
    );
    expect(session?.value.length).toBeGreaterThan(20);
    const secrets = [tokens.refresh_token, session?.value ?? '', PASSWORD];
    for (const secret of [...secrets, 'refresh_token', '"d":']) expect(kept).not.toContain(secret);
    for (const secret of secrets) expect(server.logLines.join('\n')).not.toContain(secret);
    expect(kept).toContain('$argon2id$');
  });

  it('forgets what is over', async () => {
    const server = await startIdentity();
    const { db } = server.api.platform;
    await new TestBrowser(server.origin).register(EMAIL, PASSWORD);
    const count = async () =>
      (await sql<{ rows: number }>`SELECT count(*)::int AS rows FROM oidc_state`.execute(db)).rows[0]?.rows;
    const kept = await count();
    await sql`UPDATE oidc_state SET expires_at = now() - interval '2 minutes' WHERE model IN ('AuthorizationCode', 'RefreshToken')`.execute(
      db,
    );
    await server.purge();
    expect(await count()).toBe((kept ?? 0) - 2);
  });
});
