import type { ShadowDomain } from '@cordon/contract';
import { afterEach, describe, expect, it } from 'vitest';
import { startEdgeApi } from '../../testing/edge-api.ts';
import {
  type Customer,
  createCustomer,
  createDomain,
  eventually,
  uniqueName,
  upstreamsTo,
} from '../../testing/fixtures.ts';
import { expectConsistentNames } from '../../testing/invariants.ts';

const { test, node } = await startEdgeApi({ addresses: ['198.41.0.4'] });

const deployed = async (customer: Customer, name?: string) => {
  const route = await createDomain(customer, name);
  await customer.client.deployRoute({ params: { id: route.id }, ifMatch: 1, body: {} });
  await settled(customer, route.id);
  return route;
};
const settled = (customer: Customer, id: string) =>
  eventually(async () => {
    const { result } = await customer.client.getRoute({ params: { id } });
    return [result.operation, result.immediate_operation].every((one) => one?.state !== 'running') ? result : undefined;
  });
const path = (id: string, rest = '') => `domain/routes/${id}/shadow-domains/${rest}`;
const add = (customer: Customer, id: string, ...names: string[]) =>
  test.call('POST', path(id), { token: customer.token, body: { names } });
const list = async (customer: Customer, id: string): Promise<ShadowDomain[]> =>
  (await customer.client.listShadowDomains({ params: { id }, query: { perpage: 100 } })).results;
const used = async (customer: Customer) => (await customer.client.listSubscriptions()).results[0]?.usage.domains;
const hostsAt = (id: string) => node.routes.get(id)?.hosts.map(({ name, verified }) => `${name} ${verified}`);
const verify = async (customer: Customer, id: string, name: string) =>
  (await customer.client.verifyShadowDomains({ params: { id }, body: { names: [name] } })).result[0]?.ownership;

/** The watcher's next look, at once instead of at its time; workers that nothing wakes would see it within a second. */
const lookNow = (id: string, name: string) =>
  test.api.platform.pool.query(
    `WITH due AS (UPDATE graphile_worker._private_jobs SET run_at = now() WHERE key = $1 RETURNING id)
      SELECT pg_notify('jobs:insert', '{"count":1}') FROM due`,
    [`watch-shadow/${id}/${name}`],
  );
/** The watcher's looks at once instead of at their time, until it has proved the name: one may have begun before DNS said so. */
const looksUntilProved = (id: string, name: string) =>
  eventually(async () => {
    await lookNow(id, name);
    return hostsAt(id)?.includes(`${name} true`);
  });

afterEach(() => expectConsistentNames(test.api.platform.pool));

describe('aliases', () => {
  it('stay as they were proved, where a look that had begun before ends after', async () => {
    const customer = await createCustomer(test, { plan: 'vip' });
    const route = await deployed(customer);
    const name = uniqueName();
    await add(customer, route.id, name);
    await settled(customer, route.id);
    const { cnames } = test.dns;
    let answer = () => {};
    const isAsked = new Promise<void>((asked) => {
      Object.assign(test.dns, {
        cnames: async (one: string) => {
          if (one !== name) return cnames(one);
          Object.assign(test.dns, { cnames });
          await new Promise<void>((resolve) => {
            answer = resolve;
            asked();
          });
          return [];
        },
      });
    });
    await lookNow(route.id, name);
    await isAsked;
    test.dns.setCname(name, route.cname);
    expect(await verify(customer, route.id, name)).toMatchObject({ state: 'verified', seen: [route.cname] });
    answer();
    const jobs = () =>
      test.api.platform.pool.query(`SELECT FROM graphile_worker._private_jobs WHERE key = $1`, [
        `watch-shadow/${route.id}/${name}`,
      ]);
    await eventually(async () => (await jobs()).rows.length === 0);
    expect((await list(customer, route.id))[0]?.ownership).toMatchObject({ state: 'verified', seen: [route.cname] });
  });

  it('are added many at once, proved one by one, and leave, all without a version', async () => {
    const customer = await createCustomer(test, { plan: 'vip' });
    const route = await deployed(customer);
    const [one, two] = [uniqueName(), uniqueName()].sort() as [string, string];
    const answer = await add(customer, route.id, one, two.toUpperCase());
    expect(answer.status).toBe(202);
    expect(answer.body.result).toMatchObject({
      shadow_domains: [one, two],
      version_live: 1,
      immediate_operation: { action: 'add_shadow' },
      operation: { action: 'deploy' },
    });
    expect(await settled(customer, route.id)).toMatchObject({
      immediate_operation: { action: 'add_shadow', state: 'successful' },
      operation: { action: 'deploy', state: 'successful' },
    });
    expect(hostsAt(route.id)).toEqual([`${route.domain_name} false`, `${one} false`, `${two} false`]);
    expect(await used(customer)).toBe(3);

    const before = await list(customer, route.id);
    expect(before.map(({ name, ownership }) => [name, ownership.state, ownership.record])).toEqual([
      [one, 'pending', { type: 'CNAME', name: one, value: [route.cname] }],
      [two, 'pending', { type: 'CNAME', name: two, value: [route.cname] }],
    ]);
    test.dns.setCname(two, route.cname);
    expect(await verify(customer, route.id, one)).toMatchObject({ state: 'pending', seen: [] });
    expect(await verify(customer, route.id, two)).toMatchObject({ state: 'verified', method: 'cname' });
    await eventually(() => hostsAt(route.id)?.includes(`${two} true`));
    expect(hostsAt(route.id)).toEqual([`${route.domain_name} false`, `${one} false`, `${two} true`]);
    expect((await customer.client.getRoute({ params: { id: route.id } })).result.ownership.state).toBe('pending');

    await customer.client.removeShadowDomains({ params: { id: route.id }, body: { names: [one, two] } });
    expect(await settled(customer, route.id)).toMatchObject({
      shadow_domains: [],
      version_live: 1,
      immediate_operation: { action: 'remove_shadow', state: 'successful' },
    });
    expect(hostsAt(route.id)).toEqual([`${route.domain_name} false`]);
    expect(await used(customer)).toBe(1);
  });

  it('are checked periodically one by one, without a request', async () => {
    const customer = await createCustomer(test);
    const route = await deployed(customer);
    const [one, two] = [uniqueName(), uniqueName()];
    await add(customer, route.id, one, two);
    test.dns.setCname(one, route.cname);
    await lookNow(route.id, two);
    await looksUntilProved(route.id, one);
    expect(hostsAt(route.id)).toContain(`${two} false`);
  });

  it('can be added only once the domain was deployed', async () => {
    const customer = await createCustomer(test);
    const route = await createDomain(customer);
    const answer = await add(customer, route.id, uniqueName());
    expect(answer).toMatchObject({
      status: 409,
      body: {
        code: 'DOMAIN_NOT_DEPLOYED',
        message: 'A domain must be deployed before shadow domains can be added.',
      },
    });
    expect(await used(customer)).toBe(1);
  });

  it('are added all or none, and every wrong one is named', async () => {
    const customer = await createCustomer(test);
    const other = await createDomain(customer);
    const route = await deployed(customer);
    const good = uniqueName();
    const answer = await add(
      customer,
      route.id,
      good,
      route.domain_name,
      good,
      'co.uk',
      `x.${test.env.edgeDomain}`,
      `*.${uniqueName()}`,
    );
    expect(answer.status).toBe(422);
    expect(answer.body).toMatchObject({
      'names.1': 'SHADOW_IS_MAIN',
      'names.2': 'DUPLICATE_ENTRY',
      'names.3': 'PUBLIC_SUFFIX',
      'names.4': 'OWN_HOST',
      'names.5': 'WILDCARD_NEEDS_VIP',
    });
    expect(answer.body).not.toHaveProperty('names.0');
    expect((await add(customer, route.id, good, other.domain_name)).body).toMatchObject({
      'names.1': 'DOMAIN_NAME_YOURS',
    });
    expect((await add(customer, route.id, 'not a name')).body).toMatchObject({ 'names.0': 'DOMAIN_NAME_INVALID' });
    expect(await used(customer)).toBe(2);
    expect(await list(customer, route.id)).toEqual([]);
  });

  it('count against the quota like main names', async () => {
    const customer = await createCustomer(test);
    const route = await deployed(customer);
    const [one, two, three] = [uniqueName(), uniqueName(), uniqueName()];
    expect(await add(customer, route.id, one, two, three)).toMatchObject({
      status: 403,
      body: {
        code: 'QUOTA_REACHED',
        message: 'Shadow domains exceed available domains.',
        params: { QUOTA_REACHED: { asked: 3, available: 2 } },
      },
    });
    expect((await add(customer, route.id, one, two)).status).toBe(202);
    expect(await used(customer)).toBe(3);
    const main = await test.call('POST', 'domain/routes/', {
      token: customer.token,
      body: { cname: customer.cname, domain_name: uniqueName(), upstreams: upstreamsTo() },
    });
    expect(main.body).toMatchObject({ code: 'QUOTA_REACHED' });
  });

  it('may not lead back to where the domain sends its requests', async () => {
    const customer = await createCustomer(test, { plan: 'vip' });
    const target = uniqueName();
    const { result } = await customer.client.createRoute({
      body: { cname: customer.cname, domain_name: uniqueName(), upstreams: upstreamsTo(target), deploy: true },
    });
    expect((await add(customer, result.id, target)).body).toMatchObject({ 'names.0': 'UPSTREAM_LOOP' });
    const elsewhere = uniqueName();
    const { result: redirecting } = await customer.client.createRoute({
      body: {
        cname: customer.cname,
        domain_name: uniqueName(),
        traffic_action: 'redirect',
        plugins: [{ name: 'redirect', enabled: true, config: { redirect_url: `https://www.${elsewhere}/` } }],
        deploy: true,
      },
    });
    const answer = await add(customer, redirecting.id, `www.${elsewhere}`, `*.${elsewhere}`);
    expect(answer.body).toMatchObject({ 'names.0': 'REDIRECT_LOOP', 'names.1': 'REDIRECT_LOOP' });
    // And the other way round: what is a shadow domain already may not become a target.
    const shadow = uniqueName();
    await add(customer, result.id, shadow);
    const saved = await test.call('PATCH', `domain/routes/${result.id}/`, {
      token: customer.token,
      headers: { 'if-match': '"1"' },
      body: { upstreams: upstreamsTo(shadow) },
    });
    expect(saved.body).toMatchObject({ 'upstreams.targets.0.host': 'UPSTREAM_LOOP' });
  });

  it('run beside a deploy without ending it, and a deploy does not end them', async () => {
    const customer = await createCustomer(test, { plan: 'vip' });
    const route = await createDomain(customer);
    const { probe } = node;
    node.probe = () => undefined;
    try {
      await customer.client.deployRoute({ params: { id: route.id }, ifMatch: 1, body: {} });
      await add(customer, route.id, uniqueName());
      const { result } = await customer.client.getRoute({ params: { id: route.id } });
      expect(result.operation).toMatchObject({ action: 'deploy', state: 'running' });
      expect(result.immediate_operation).toMatchObject({ action: 'add_shadow', state: 'running' });
    } finally {
      node.probe = probe;
    }
    await customer.client.deployRoute({ params: { id: route.id }, ifMatch: 1, body: {} });
    expect(await settled(customer, route.id)).toMatchObject({
      version_live: 2,
      operation: { action: 'deploy', state: 'successful' },
      immediate_operation: { action: 'add_shadow', state: 'successful' },
    });
  });

  it('tell their progress on the slot shadow', async () => {
    const customer = await createCustomer(test);
    const route = await deployed(customer);
    await add(customer, route.id, uniqueName());
    await settled(customer, route.id);
    const { rows } = await test.api.platform.pool.query(
      `SELECT payload->'immediate_operation'->>'state' AS state FROM events WHERE subject_id = $1 AND slot = 'shadow' ORDER BY id`,
      [route.id],
    );
    expect(rows.map((row) => row.state)).toEqual(['running', 'successful']);
  });

  it('of a domain that is deactivated wait for it, and stay taken while it is deleted', async () => {
    const [customer, other] = [await createCustomer(test), await createCustomer(test)];
    const route = await deployed(customer);
    await customer.client.deactivateRoute({ params: { id: route.id } });
    await settled(customer, route.id);
    const shadow = uniqueName();
    const { result } = await customer.client.addShadowDomains({ params: { id: route.id }, body: { names: [shadow] } });
    expect(result.immediate_operation).toMatchObject({ state: 'successful' });
    await eventually(() => hostsAt(route.id)?.includes(`${shadow} false`));
    expect(node.routes.get(route.id)?.off).toBe('deactivated');
    await customer.client.resumeRoute({ params: { id: route.id } });
    await settled(customer, route.id);
    expect(hostsAt(route.id)).toContain(`${shadow} false`);

    const { probe } = node;
    node.probe = () => undefined;
    try {
      await customer.client.deleteRoute({ params: { id: route.id }, body: { cname: customer.cname } });
      expect((await add(customer, route.id, uniqueName())).body).toMatchObject({ code: 'DOMAIN_STATE_FORBIDS' });
      expect(
        (await test.call('DELETE', path(route.id), { token: customer.token, body: { names: [shadow] } })).body,
      ).toMatchObject({ code: 'DOMAIN_STATE_FORBIDS' });
      const free = await test.call('POST', 'domain/routes/', {
        token: other.token,
        body: { cname: other.cname, domain_name: shadow, upstreams: upstreamsTo() },
      });
      expect(free.body).toMatchObject({ domain_name: 'DOMAIN_NAME_TAKEN' });
    } finally {
      node.probe = probe;
    }
    const { rows } = await test.api.platform.pool.query<{ id: string }>(
      `SELECT operation_id AS id FROM routes WHERE id = $1`,
      [route.id],
    );
    // The node that kept silent reports now.
    await test.api.platform.pool.query(
      `UPDATE graphile_worker._private_jobs SET run_at = now() WHERE payload->>'operation_id' = $1`,
      [rows[0]?.id],
    );
    await test.api.platform.db
      .updateTable('edge_routes')
      .set({ payload: null })
      .where('route_id', '=', route.id)
      .execute();
    await eventually(
      async () => (await test.call('GET', `domain/routes/${route.id}/`, { token: customer.token })).status === 404,
    );
    await createDomain(other, shadow);
  });

  it('are checked once more whenever they go live, also by a roll-back', async () => {
    const customer = await createCustomer(test, { plan: 'vip' });
    const route = await deployed(customer);
    const shadow = uniqueName();
    await add(customer, route.id, shadow);
    await settled(customer, route.id);
    // The deployment took the name for itself meanwhile.
    const own = `x${Date.now()}.${test.env.edgeDomain}`;
    const rename = (from: string, to: string) =>
      test.api.platform.pool.query('UPDATE names SET name = $2 WHERE name = $1', [from, to]);
    await rename(shadow, own);
    const call = (action: string, body: object) =>
      test.call('POST', `domain/routes/${route.id}/${action}/`, {
        token: customer.token,
        headers: { 'if-match': '"1"' },
        body,
      });
    expect((await call('deploy', {})).body).toMatchObject({ 'shadow_domains.0': 'OWN_HOST' });
    expect((await call('versions/1/rollback', { deploy: true })).body).toMatchObject({
      'shadow_domains.0': 'OWN_HOST',
    });
    await customer.client.deactivateRoute({ params: { id: route.id } });
    expect((await call('resume', {})).body).toMatchObject({ 'shadow_domains.0': 'OWN_HOST' });
    await rename(own, shadow);
    expect((await call('resume', {})).status).toBe(202);
    expect(await settled(customer, route.id)).toMatchObject({ status: 'running', version_live: 1 });
  });

  it('that are gone are told of the versions that had them', async () => {
    const customer = await createCustomer(test);
    const route = await deployed(customer);
    const shadow = uniqueName();
    await add(customer, route.id, shadow);
    await customer.client.deployRoute({ params: { id: route.id }, ifMatch: 1, body: {} });
    const gone = async () =>
      (await customer.client.listVersions({ params: { id: route.id } })).results.map((version) => version.gone_names);
    expect(await gone()).toEqual([[], []]);
    await customer.client.removeShadowDomains({ params: { id: route.id }, body: { names: [shadow] } });
    expect(await gone()).toEqual([[shadow], []]);
    const { result } = await customer.client.getVersion({ params: { id: route.id, version: 2 } });
    expect(result.gone_names).toEqual([shadow]);
  });
});

describe('a promotion', () => {
  const promote = (customer: Customer, id: string, name: string) =>
    test.call('POST', path(id, 'promote/'), { token: customer.token, body: { name } });

  it('swaps main name and shadow domain with what each has proved, without a version', async () => {
    const customer = await createCustomer(test, { plan: 'vip' });
    const route = await deployed(customer);
    const shadow = `b\u00fccher-${uniqueName()}`;
    await add(customer, route.id, shadow);
    const [stored] = await list(customer, route.id);
    const name = stored?.name ?? '';
    expect(name).toMatch(/^xn--/);
    expect((await promote(customer, route.id, name)).body).toMatchObject({ name: 'SHADOW_NOT_VERIFIED' });
    // It looks once more without being asked.
    test.dns.setCname(name, route.cname);
    expect((await promote(customer, route.id, name)).status).toBe(202);
    const promoted = await settled(customer, route.id);
    expect(promoted).toMatchObject({
      domain_name: name,
      domain_name_unicode: shadow,
      cname: route.cname,
      shadow_domains: [route.domain_name],
      version_live: 1,
      ownership: { state: 'verified', method: 'cname', record: { name } },
      immediate_operation: { action: 'promote_shadow', state: 'successful' },
    });
    expect(hostsAt(route.id)).toEqual([`${name} true`, `${route.domain_name} false`]);
    expect(await used(customer)).toBe(2);

    // The name that was the main one is watched as a shadow domain from now on, and can go back.
    test.dns.setCname(route.domain_name, route.cname);
    await looksUntilProved(route.id, route.domain_name);
    expect((await promote(customer, route.id, route.domain_name)).status).toBe(202);
    expect(await settled(customer, route.id)).toMatchObject({
      domain_name: route.domain_name,
      shadow_domains: [name],
    });
  });

  it('is not for wildcards, nor for what is no shadow domain of the domain', async () => {
    const customer = await createCustomer(test, { plan: 'vip' });
    const [route, other] = [await deployed(customer), await deployed(customer)];
    const parent = uniqueName();
    await add(customer, route.id, `*.${parent}`);
    test.dns.setTexts((await list(customer, route.id))[0]?.ownership.txt.name ?? '', []);
    expect((await promote(customer, route.id, `*.${parent}`)).body).toMatchObject({ name: 'SHADOW_IS_WILDCARD' });
    expect((await promote(customer, route.id, route.domain_name)).status).toBe(404);
    expect((await promote(customer, route.id, other.domain_name)).status).toBe(404);
  });

  it('checks once more what a name may be', async () => {
    const customer = await createCustomer(test, { plan: 'vip' });
    const route = await deployed(customer);
    const shadow = uniqueName();
    await add(customer, route.id, shadow);
    await test.api.platform.pool.query(`UPDATE names SET name = $1 WHERE name = $2`, [
      `x.${test.env.edgeDomain}`,
      shadow,
    ]);
    expect((await promote(customer, route.id, `x.${test.env.edgeDomain}`)).body).toMatchObject({ name: 'OWN_HOST' });
    await test.api.platform.pool.query(`DELETE FROM names WHERE name = $1`, [`x.${test.env.edgeDomain}`]);
    await test.api.platform.pool.query(`UPDATE subscriptions SET names_used = names_used - 1 WHERE id = $1`, [
      customer.subscriptionId,
    ]);
    await customer.client.deployRoute({ params: { id: route.id }, ifMatch: 1, body: {} });
  });
});

describe('a shadow domain and other accounts', () => {
  const txtOf = (
    answer: { body: { params: Record<string, { txt_name: string; txt_value: string }> } },
    at = 'names.0',
  ) => {
    const { txt_name = '', txt_value = '' } = answer.body.params[at] ?? {};
    return { name: txt_name, value: txt_value };
  };

  it('leaves its holder for who proves it by TXT, and the rest of the domain stays', async () => {
    const [squatter, owner] = [await createCustomer(test), await createCustomer(test)];
    const [held, mine] = [await deployed(squatter), await deployed(owner)];
    const shadow = uniqueName();
    await add(squatter, held.id, shadow);
    const refused = await add(owner, mine.id, shadow);
    expect(refused.body).toMatchObject({ 'names.0': 'DOMAIN_NAME_TAKEN' });
    const { name, value } = txtOf(refused);
    test.dns.setTexts(name, [value]);
    expect((await add(owner, mine.id, shadow)).status).toBe(202);
    await eventually(() => !hostsAt(held.id)?.some((host) => host.startsWith(shadow)));
    await eventually(() => hostsAt(mine.id)?.includes(`${shadow} false`));
    const left = await settled(squatter, held.id);
    expect(left).toMatchObject({ status: 'running', shadow_domains: [] });
    expect([await used(squatter), await used(owner)]).toEqual([1, 2]);
    const { rows } = await test.api.platform.pool.query(
      `SELECT details->>'name' AS name, details->>'cause' AS cause FROM audit_log
       WHERE account_id = $1 AND action = 'route.shadow_name_moved'`,
      [squatter.accountId],
    );
    expect(rows).toEqual([{ name: shadow, cause: 'name_proved' }]);
  });

  it('takes a main name with its whole route', async () => {
    const [squatter, owner] = [await createCustomer(test), await createCustomer(test)];
    const [held, mine] = [await deployed(squatter), await deployed(owner)];
    const beside = uniqueName();
    await add(squatter, held.id, beside);
    const { name, value } = txtOf(await add(owner, mine.id, held.domain_name));
    test.dns.setTexts(name, [value]);
    expect((await add(owner, mine.id, held.domain_name)).status).toBe(202);
    await eventually(() => !node.routes.has(held.id));
    expect(await used(squatter)).toBe(0);
    await createDomain(owner, beside);
  });

  it('below a wildcard goes to who proves the wildcard, unless it was proved itself', async () => {
    const [squatter, owner] = [await createCustomer(test), await createCustomer(test, { plan: 'vip' })];
    const [held, mine] = [await deployed(squatter), await deployed(owner)];
    const parent = uniqueName();
    await add(squatter, held.id, `shop.${parent}`, `blog.${parent}`);
    test.dns.setCname(`blog.${parent}`, held.cname);
    expect(await verify(squatter, held.id, `blog.${parent}`)).toMatchObject({ state: 'verified' });
    const refused = await add(owner, mine.id, `*.${parent}`);
    expect(refused.body).toMatchObject({ 'names.0': 'WILDCARD_SPANS_OTHERS' });
    const { name, value } = txtOf(refused);
    test.dns.setTexts(name, [value]);
    expect((await add(owner, mine.id, `*.${parent}`)).status).toBe(202);
    expect((await list(squatter, held.id)).map((one) => one.name)).toEqual([`blog.${parent}`]);
    const { results } = await squatter.client.listAuditLines({ query: { action: 'route.shadow_name_moved' } });
    expect(results).toMatchObject([{ details: { name: `shop.${parent}`, cause: 'wildcard_proved' } }]);
    // A name below the wildcard can be added by no other account now, main or shadow domain.
    expect((await add(squatter, held.id, `late.${parent}`)).body).toMatchObject({ 'names.0': 'WILDCARD_SPANS_OTHERS' });
  });

  it('that was proved and given up needs the TXT proof for thirty days', async () => {
    const [before, after] = [await createCustomer(test), await createCustomer(test)];
    const [first, second] = [await deployed(before), await deployed(after)];
    const shadow = uniqueName();
    await add(before, first.id, shadow);
    test.dns.setCname(shadow, first.cname);
    expect(await verify(before, first.id, shadow)).toMatchObject({ state: 'verified' });
    await before.client.removeShadowDomains({ params: { id: first.id }, body: { names: [shadow] } });
    expect((await add(after, second.id, shadow)).status).toBe(202);
    test.dns.setCname(shadow, second.cname);
    const pending = await verify(after, second.id, shadow);
    expect(pending).toMatchObject({ state: 'pending', taken_elsewhere: true });
    test.dns.setTexts(pending?.txt.name ?? '', [pending?.txt.value ?? '']);
    expect(await verify(after, second.id, shadow)).toMatchObject({ state: 'verified' });
  });

  it("is not proved by another route's CNAME", async () => {
    const [customer, other] = [await createCustomer(test), await createCustomer(test)];
    const [route, foreign] = [await deployed(customer), await deployed(other)];
    const shadow = uniqueName();
    await add(customer, route.id, shadow);
    test.dns.setCname(shadow, foreign.cname);
    expect(await verify(customer, route.id, shadow)).toMatchObject({ state: 'pending', seen: [foreign.cname] });
  });

  it('cannot be seen or changed by them', async () => {
    const [customer, otherCustomer] = [await createCustomer(test), await createCustomer(test)];
    const route = await deployed(customer);
    const shadow = uniqueName();
    await add(customer, route.id, shadow);
    const calls: [string, string, unknown][] = [
      ['GET', path(route.id), undefined],
      ['POST', path(route.id), { names: [uniqueName()] }],
      ['DELETE', path(route.id), { names: [shadow] }],
      ['POST', path(route.id, 'promote/'), { name: shadow }],
      ['POST', path(route.id, 'verify/'), { names: [shadow] }],
    ];
    for (const [method, where, body] of calls)
      expect((await test.call(method, where, { token: otherCustomer.token, body })).status, `${method} ${where}`).toBe(
        404,
      );
  });
});
