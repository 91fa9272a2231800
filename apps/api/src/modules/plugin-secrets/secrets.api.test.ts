import { createHmac } from 'node:crypto';
import { operations, SECRETS_MAX } from '@cordon/contract';
import { openSecret } from '@cordon/plugin-kit/sealed-secret';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { runOperator } from '../../operator/run.ts';
import { startEdgeApi } from '../../testing/edge-api.ts';
import {
  type Customer,
  createCustomer,
  createDomain,
  eventually,
  uniqueName,
  upstreamsTo,
} from '../../testing/fixtures.ts';
import { createPluginSecrets } from './service.ts';

const { test, node } = await startEdgeApi();
const customer = await createCustomer(test, { plan: 'vip' });
const other = await createCustomer(test, { plan: 'vip' });

const HANDLE = /^secret_[\w-]{22}$/;
const SECRET = 'the-secret-of-these-tests';
const seclink = (api_secret: string, more: object = {}) => ({
  name: 'seclink',
  enabled: true,
  config: { api_secret, path: '^/files/', ...more },
});

async function domainWith(api_secret: string, who: Customer = customer, deploy = false) {
  const { result } = await who.client.createRoute({
    body: {
      cname: who.cname,
      domain_name: uniqueName(),
      upstreams: upstreamsTo(),
      plugins: [seclink(api_secret)],
      deploy,
    },
  });
  return result;
}
const handleIn = ({ plugins }: { plugins: readonly { name: string; config: Record<string, unknown> }[] }): string =>
  String(plugins.find(({ name }) => name === 'seclink')?.config.api_secret);
const patch = (id: string, revision: number, api_secret: string, who = customer) =>
  test.call('PATCH', `domain/routes/${id}/`, {
    token: who.token,
    headers: { 'if-match': String(revision) },
    body: { plugins: [seclink(api_secret)] },
  });
const secretsOf = async (accountId: string) =>
  (await test.api.platform.pool.query('SELECT handle FROM plugin_secrets WHERE account_id = $1', [accountId])).rows;

describe('a secret in a configuration', () => {
  it('is answered as a handle, the same for the same secret of one account only', async () => {
    const one = handleIn((await domainWith(SECRET)).draft);
    expect(one).toMatch(HANDLE);
    expect(handleIn((await domainWith(SECRET)).draft)).toBe(one);
    expect(handleIn((await domainWith('another-secret-of-theirs')).draft)).not.toBe(one);
    expect(handleIn((await domainWith(SECRET, other)).draft)).not.toBe(one);
  });

  it('makes no change where it stays as it is, sent as a handle or anew', async () => {
    const { id, draft_revision: revision, draft } = await domainWith(SECRET);
    for (const sent of [handleIn(draft), SECRET]) {
      const answer = await patch(id, revision, sent);
      expect(answer.status).toBe(200);
      expect(answer.body.result.draft_revision).toBe(revision);
    }
    const changed = await patch(id, revision, 'another-secret-of-theirs');
    expect(changed.body.result.draft_revision).toBe(revision + 1);
    expect(handleIn(changed.body.result.draft)).not.toBe(handleIn(draft));
  });

  it('is refused at its field where the plugin refuses it, and not kept', async () => {
    const { id, draft_revision: revision } = await createDomain(customer);
    const before = await secretsOf(customer.accountId);
    const answer = await patch(id, revision, 'short');
    expect(answer.status).toBe(422);
    expect(answer.body['plugins.0.config.api_secret']).toBe('TOO_SHORT');
    expect(await secretsOf(customer.accountId)).toEqual(before);
  });

  it("is refused where its handle is another account's, or of no account", async () => {
    const theirs = handleIn((await domainWith('a-secret-that-is-theirs', other)).draft);
    const { id, draft_revision: revision } = await createDomain(customer);
    for (const handle of [theirs, `secret_${'a'.repeat(22)}`]) {
      const answer = await patch(id, revision, handle);
      expect(answer.status).toBe(422);
      expect(answer.body['plugins.0.config.api_secret']).toBe('SECRET_UNKNOWN');
      const rule = { cname: customer.cname, name: `Links ${handle}`, plugins: [seclink(handle)] };
      const asRule = await test.call('POST', 'domain/rules/', { token: customer.token, body: rule });
      expect(asRule.body['plugins.0.config.api_secret']).toBe('SECRET_UNKNOWN');
    }
  });

  it('goes with rules and copies as its handle', async () => {
    const source = await domainWith(SECRET);
    const handle = handleIn(source.draft);
    const { result: rule } = await customer.client.createRule({
      body: { cname: customer.cname, name: uniqueName(), from_route: source.id },
    });
    expect(handleIn(rule)).toBe(handle);
    const { result: typed } = await customer.client.createRule({
      body: { cname: customer.cname, name: uniqueName(), plugins: [seclink(SECRET)] },
    });
    expect(handleIn(typed)).toBe(handle);
    const { result: changed } = await customer.client.updateRule({
      params: { id: typed.id },
      ifMatch: typed.revision,
      body: { plugins: [seclink('a-third-secret-of-them')] },
    });
    expect(handleIn(changed)).toMatch(HANDLE);
    const target = await createDomain(customer);
    await customer.client.copyPlugins({
      params: { id: source.id },
      ifMatch: source.draft_revision,
      body: { plugins: ['seclink'], selection: { names: [target.domain_name] }, deploy: false, note: '' },
    });
    await eventually(async () => {
      const { result } = await customer.client.getRoute({ params: { id: target.id } });
      return result.draft.plugins.length > 0 && handleIn(result.draft) === handle;
    });
  });

  it('is kept a bounded number of times', async () => {
    const full = await createCustomer(test, { plan: 'vip' });
    await test.api.platform.pool.query(
      `INSERT INTO plugin_secrets (account_id, handle, sealed) SELECT $1, 'h' || n, '' FROM generate_series(1, $2) n`,
      [full.accountId, SECRETS_MAX],
    );
    const { id, draft_revision: revision } = await createDomain(full);
    const answer = await patch(id, revision, SECRET, full);
    expect(answer.status).toBe(422);
    expect(answer.body['plugins.0.config.api_secret']).toBe('SECRETS_FULL');
    expect(await secretsOf(full.accountId)).toHaveLength(SECRETS_MAX);
  });
});

describe('a secret that nothing has any more', () => {
  const { pool, db, secrets } = test.api.platform;
  const purge = () => createPluginSecrets(secrets).removeUnused(db);
  const handlesOf = async (who: Customer) => (await secretsOf(who.accountId)).map(({ handle }) => handle);
  /** As if this many days had passed since it was found unused. */
  const age = (who: Customer, days = 8) =>
    pool.query(
      'UPDATE plugin_secrets SET unused_since = unused_since - make_interval(days => $2) WHERE account_id = $1',
      [who.accountId, days],
    );
  /** Found unused, and looked at again after a week. */
  async function purgeInAWeek(who: Customer) {
    await purge();
    await age(who);
    await purge();
  }
  /** A new account with a domain whose draft alone has had `SECRET`. */
  async function withSecret(deploy = false) {
    const who = await createCustomer(test, { plan: 'vip' });
    const { id, draft, draft_revision: revision } = await domainWith(SECRET, who, deploy);
    return { who, id, revision, handle: handleIn(draft) };
  }
  /** Others in its place, until none of the drafts that are kept has it. */
  const forgetDrafts = (id: string) =>
    pool.query(
      'DELETE FROM route_drafts d USING routes r WHERE r.id = d.route_id AND r.id = $1 AND d.revision < r.draft_revision',
      [id],
    );
  async function drop({ who, id, revision }: { who: Customer; id: string; revision: number }) {
    expect((await patch(id, revision, 'another-secret-of-theirs', who)).status).toBe(200);
    await forgetDrafts(id);
  }
  const isLocking = (of: string) =>
    eventually(async () => {
      const { rows } = await pool.query(
        `SELECT count(*)::int AS n FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE $1`,
        [`%${of}%`],
      );
      return rows[0].n > 0;
    });

  it('is removed a week after it was found so, and not before', async () => {
    const one = await withSecret();
    await drop(one);
    await purge();
    expect(await handlesOf(one.who)).toContain(one.handle);
    await age(one.who, 6);
    await purge();
    expect(await handlesOf(one.who)).toContain(one.handle);
    await age(one.who, 2);
    await purge();
    expect(await handlesOf(one.who)).not.toContain(one.handle);
    expect(await handlesOf(one.who)).toHaveLength(1);
    const refused = await patch(one.id, one.revision + 1, one.handle, one.who);
    expect(refused.body['plugins.0.config.api_secret']).toBe('SECRET_UNKNOWN');
  });

  it('stays while a draft, a draft of before, a version, a rule or a batch has it', async () => {
    const drafted = await withSecret();
    await purgeInAWeek(drafted.who);
    expect(await handlesOf(drafted.who)).toEqual([drafted.handle]);
    expect((await patch(drafted.id, drafted.revision, 'another-secret-of-theirs', drafted.who)).status).toBe(200);
    await purgeInAWeek(drafted.who);
    expect(await handlesOf(drafted.who)).toContain(drafted.handle);

    const versioned = await withSecret(true);
    await drop(versioned);
    await versioned.who.client.deployRoute({
      params: { id: versioned.id },
      ifMatch: versioned.revision + 1,
      body: {},
    });
    await purgeInAWeek(versioned.who);
    expect(await handlesOf(versioned.who)).toContain(versioned.handle);
    await pool.query('DELETE FROM route_versions WHERE route_id = $1 AND version = 1', [versioned.id]);
    await purgeInAWeek(versioned.who);
    expect(await handlesOf(versioned.who)).not.toContain(versioned.handle);

    const ruled = await withSecret();
    const { result: rule } = await ruled.who.client.createRule({
      body: { cname: ruled.who.cname, name: uniqueName(), from_route: ruled.id },
    });
    await drop(ruled);
    await purgeInAWeek(ruled.who);
    expect(await handlesOf(ruled.who)).toContain(ruled.handle);
    const batch = (params: object) =>
      pool.query(
        `INSERT INTO batches (account_id, kind, total, params, created_by, created_by_kind) VALUES ($1, 'of-tests', 1, $2, '', 'user')`,
        [ruled.who.accountId, params],
      );
    const { plugins } = rule;
    await ruled.who.client.deleteRule({ params: { id: rule.id }, body: { cname: ruled.who.cname } });
    for (const params of [{ plugins }, { config: { plugins } }]) {
      await batch(params);
      await purgeInAWeek(ruled.who);
      expect(await handlesOf(ruled.who)).toContain(ruled.handle);
      // It may be resumed.
      await pool.query(`UPDATE batches SET state = 'failed' WHERE account_id = $1`, [ruled.who.accountId]);
      await purgeInAWeek(ruled.who);
      expect(await handlesOf(ruled.who)).toContain(ruled.handle);
      await pool.query('DELETE FROM batches WHERE account_id = $1', [ruled.who.accountId]);
    }
    await purgeInAWeek(ruled.who);
    expect(await handlesOf(ruled.who)).not.toContain(ruled.handle);
  });

  it('goes with the domain that had it', async () => {
    const { who, id } = await withSecret();
    await who.client.deleteRoute({ params: { id }, body: { cname: who.cname } });
    await purgeInAWeek(who);
    expect(await handlesOf(who)).toEqual([]);
  });

  it('counts as used from a save on, by its handle or anew', async () => {
    for (const sent of ['handle', 'secret'] as const) {
      const one = await withSecret();
      await drop(one);
      await purge();
      await age(one.who);
      const again = sent === 'handle' ? one.handle : SECRET;
      expect((await patch(one.id, one.revision + 1, again, one.who)).status).toBe(200);
      await purge();
      expect(await handlesOf(one.who)).toContain(one.handle);
    }
  });

  it('is not removed under a save that is under way', async () => {
    const one = await withSecret();
    await drop(one);
    await purge();
    await age(one.who);
    // The save has the secret, and waits for its domain.
    const holder = await pool.connect();
    try {
      await holder.query('BEGIN');
      await holder.query('LOCK TABLE route_drafts IN EXCLUSIVE MODE');
      const saving = patch(one.id, one.revision + 1, one.handle, one.who);
      await isLocking('route_drafts');
      await purge();
      await holder.query('COMMIT');
      expect((await saving).status).toBe(200);
    } finally {
      holder.release();
    }
    expect(await handlesOf(one.who)).toContain(one.handle);
  });

  it.each([
    ['handle', 'SECRET_UNKNOWN', false],
    ['secret', undefined, true],
  ] as const)(
    'that is sent as its %s while it is removed is never left out of what is saved',
    async (sent, code, isKept) => {
      const one = await withSecret();
      await drop(one);
      const remover = await pool.connect();
      try {
        await remover.query('BEGIN');
        await remover.query('SELECT FROM plugin_secrets WHERE account_id = $1 AND handle = $2 FOR UPDATE', [
          one.who.accountId,
          one.handle,
        ]);
        const saving = patch(one.id, one.revision + 1, sent === 'handle' ? one.handle : SECRET, one.who);
        await isLocking('plugin_secrets');
        await remover.query('DELETE FROM plugin_secrets WHERE account_id = $1 AND handle = $2', [
          one.who.accountId,
          one.handle,
        ]);
        await remover.query('COMMIT');
        const { body } = await saving;
        const known = await handlesOf(one.who);
        expect(body['plugins.0.config.api_secret']).toBe(code);
        expect(known.includes(one.handle)).toBe(isKept);
        const { result } = await one.who.client.getRoute({ params: { id: one.id } });
        expect(known).toContain(handleIn(result.draft));
      } finally {
        remover.release();
      }
    },
  );
});

describe('what is left of a secret', () => {
  it('is in no table, no answer, no line of the log and nothing that nodes are sent', async () => {
    const secret = 'a-secret-that-is-nowhere-to-be-found';
    const token = customer.token;
    const headers = { 'idempotency-key': 'made-once-with-a-secret' };
    const body = { cname: customer.cname, domain_name: uniqueName(), upstreams: upstreamsTo(), deploy: true };
    const made = await test.call('POST', 'domain/routes/', {
      token,
      headers,
      body: { ...body, plugins: [seclink(secret)] },
    });
    expect(made.status).toBe(201);
    const { id } = made.body.result;
    const refused = await test.call('POST', `domain/routes/${id}/replay/`, {
      token,
      body: { plugin: { ...seclink(secret), config: { api_secret: secret, path: '(' } } },
    });
    expect(refused.status).toBe(422);
    await eventually(() => node.routes.get(id));
    const answers = [made, refused, await test.call('GET', `domain/routes/${id}/`, { token })];
    for (const { text } of answers) expect(text).not.toContain(secret);
    for (const line of test.logLines) expect(line).not.toContain(secret);
    expect(JSON.stringify([...node.routes.values()])).not.toContain(secret);

    const { pool } = test.api.platform;
    const { rows: tables } = await pool.query(
      `SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables WHERE schemaname NOT IN ('pg_catalog', 'information_schema')`,
    );
    const texts = [secret, Buffer.from(secret).toString('hex'), Buffer.from(secret).toString('base64')];
    const found: string[] = [];
    for (const { name } of tables) {
      const { rows } = await pool.query(
        `SELECT count(*)::int AS n FROM ${name} t WHERE t::text LIKE ANY (SELECT '%' || s || '%' FROM unnest($1::text[]) s)`,
        [texts],
      );
      if (rows[0].n > 0) found.push(name);
    }
    expect(tables.length).toBeGreaterThan(30);
    expect(found).toEqual([]);
    // The same look finds what is there.
    const handle = handleIn(made.body.result.draft);
    const { rows } = await pool.query('SELECT count(*)::int AS n FROM routes t WHERE t::text LIKE $1', [`%${handle}%`]);
    expect(rows[0].n).toBe(1);
  });
});

describe('nodes', () => {
  const openOn = (id: string) => {
    const route = node.routes.get(id);
    const plugin = route?.plugins.find(({ name }) => name === 'seclink');
    const { api_secret: handle } = (plugin?.config ?? {}) as { api_secret?: string };
    const key = Buffer.from(node.settings?.secret_keys?.[route?.czone ?? ''] ?? '', 'base64url');
    if (!route || handle === undefined) return undefined;
    return openSecret(key, plugin?.secrets?.api_secret ?? '', { accountId: route.account_id, handle });
  };

  it('open it with the key of their czone, which they get with their settings', async () => {
    const { id } = await domainWith(SECRET, customer, true);
    await eventually(() => openOn(id) === SECRET);
    expect(Object.keys(node.settings?.secret_keys ?? {}).sort()).toEqual(['free01', 'free02', 'vip01', 'vip02']);
    expect(new Set(Object.values(node.settings?.secret_keys ?? {})).size).toBe(4);
  });

  it('get it again after the operator has resumed the domain, whose command holds no key', async () => {
    const { id, domain_name } = await domainWith(SECRET, customer, true);
    await eventually(() => openOn(id) === SECRET);
    const operator = (command: string) => {
      const { env, db } = test.api.platform;
      const context = { env, db, print: () => undefined, readStdin: async () => '' };
      return runOperator(context, [command, 'route', domain_name, '--reason', 'test']);
    };
    await operator('suspend');
    await eventually(() => node.routes.get(id)?.off === 'suspended');
    await operator('unsuspend');
    await eventually(() => openOn(id) === SECRET);
  });
});

describe('the trace', () => {
  it('judges links by it, and does not tell it', async () => {
    const { id, domain_name, cname } = await domainWith(SECRET, customer, true);
    test.dns.setCname(domain_name, cname);
    await customer.client.verifyOwnership({ params: { id } });
    const ts = Math.floor(Date.now() / 1000);
    const trace = async (secret: string) => {
      const sig = createHmac('sha256', secret).update(`/files/a.zip\n${ts}`).digest('hex');
      const url = `https://${domain_name}/files/a.zip?link_ts=${ts}&link_sig=${sig}`;
      const { result } = await customer.client.traceRequest({ params: { id }, body: { version: 'draft', url } });
      expect(JSON.stringify(result)).not.toContain(SECRET);
      const { outcome = '', reason = '' } = result.steps.find(({ plugin }) => plugin === 'seclink') ?? {};
      return { outcome, reason };
    };
    expect(await trace(SECRET)).toEqual({ outcome: 'challenge', reason: 'wait_required' });
    expect(await trace('another-secret-of-theirs')).toEqual({ outcome: 'block', reason: 'link_invalid' });
    // What is stored in its place signs nothing.
    expect(await trace(handleIn((await domainWith(SECRET)).draft))).toEqual({
      outcome: 'block',
      reason: 'link_invalid',
    });
  });
});

it('is taken out of every configuration of a plugin that an operation takes', () => {
  const taking = Object.entries(operations)
    .filter(([, operation]) => {
      const body = 'body' in operation ? (operation.body as z.ZodType | undefined) : undefined;
      const described = body && JSON.stringify(z.toJSONSchema(body, { unrepresentable: 'any', io: 'input' }));
      return described?.includes('Checked by the schema of the plugin.') === true;
    })
    .map(([name]) => name);
  // Whatever comes here calls `PluginSecrets.take` first.
  expect(taking.sort()).toEqual(['createRoute', 'createRule', 'replayRequests', 'updateRoute', 'updateRule']);
});
