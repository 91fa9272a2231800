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

const { test } = await startEdgeApi();
afterEach(() => expectConsistentNames(test.api.platform.pool));

const ROUNDS = 3;
const deployed = async (customer: Customer, name?: string) => {
  const route = await createDomain(customer, name);
  await customer.client.deployRoute({ params: { id: route.id }, ifMatch: 1, body: {} });
  return route;
};
const path = (id: string, rest = '') => `domain/routes/${id}/shadow-domains/${rest}`;
const addShadowDomain = (customer: Customer, id: string, ...names: string[]) =>
  test.call('POST', path(id), { token: customer.token, body: { names } });
const removeShadowDomain = (customer: Customer, id: string, ...names: string[]) =>
  test.call('DELETE', path(id), { token: customer.token, body: { names } });
const promote = (customer: Customer, id: string, name: string) =>
  test.call('POST', path(id, 'promote/'), { token: customer.token, body: { name } });
const addMain = (customer: Customer, name: string) =>
  test.call('POST', 'domain/routes/', {
    token: customer.token,
    body: { cname: customer.cname, domain_name: name, upstreams: upstreamsTo() },
  });
const remove = (customer: Customer, id: string) =>
  test.call('DELETE', `domain/routes/${id}/`, { token: customer.token, body: { cname: customer.cname } });
const statuses = (answers: readonly { status: number }[]) => answers.map(({ status }) => status).sort();
/** Makes the account's TXT proof for a name appear. */
async function prove(customer: Customer, refusal: { body: { params: Record<string, Record<string, string>> } }) {
  const [params] = Object.values(refusal.body.params);
  test.dns.setTexts(params?.txt_name ?? '', [params?.txt_value ?? '']);
  return customer;
}
const holdersOf = async (name: string) =>
  (
    await test.api.platform.pool.query<{ route_id: string; kind: string; account_id: string }>(
      'SELECT route_id, kind, account_id FROM names WHERE name = $1',
      [name],
    )
  ).rows;
const verifiedShadowDomain = async (customer: Customer, route: { id: string; cname: string }) => {
  const shadow = uniqueName();
  expect((await addShadowDomain(customer, route.id, shadow)).status).toBe(202);
  test.dns.setCname(shadow, route.cname);
  await customer.client.verifyShadowDomains({ params: { id: route.id }, body: { names: [shadow] } });
  return shadow;
};

describe('at the same moment', { timeout: 120_000 }, () => {
  it('one name as a main name and as a shadow domain, by two accounts: one has it', async () => {
    const [first, second] = [await createCustomer(test, { plan: 'vip' }), await createCustomer(test, { plan: 'vip' })];
    const route = await deployed(second);
    for (let round = 0; round < ROUNDS; round++) {
      const name = uniqueName();
      const [main, shadow] = await Promise.all([addMain(first, name), addShadowDomain(second, route.id, name)]);
      expect([main.status === 201, shadow.status === 202].filter(Boolean)).toHaveLength(1);
      const [refused, field] = main.status === 201 ? [shadow, 'names.0'] : [main, 'domain_name'];
      expect(refused.body).toMatchObject({ [field]: 'DOMAIN_NAME_TAKEN' });
    }
  });

  it('many names in opposite orders, by two accounts: each name has one holder, and there is no deadlock', async () => {
    const [first, second] = [await createCustomer(test, { plan: 'vip' }), await createCustomer(test, { plan: 'vip' })];
    const [one, two] = [await deployed(first), await deployed(second)];
    for (let round = 0; round < ROUNDS; round++) {
      const names = Array.from({ length: 4 }, (_, n) => uniqueName(`zone${n}.org`));
      const answers = await Promise.all([
        addShadowDomain(first, one.id, ...names),
        addShadowDomain(second, two.id, ...[...names].reverse()),
      ]);
      expect(statuses(answers)).toEqual([202, 422]);
    }
  });

  it('a wildcard shadow domain and a name below it, by two accounts: only one is added', async () => {
    const [first, second] = [await createCustomer(test, { plan: 'vip' }), await createCustomer(test, { plan: 'vip' })];
    const [one, two] = [await deployed(first), await deployed(second)];
    for (let round = 0; round < ROUNDS; round++) {
      const parent = uniqueName('example.org');
      const answers = await Promise.all([
        addShadowDomain(first, one.id, `*.${parent}`),
        addShadowDomain(second, two.id, `www.${parent}`),
      ]);
      expect(statuses(answers)).toEqual([202, 422]);
    }
  });

  it('one shadow domain for two domains of one account: one has it', async () => {
    const customer = await createCustomer(test, { plan: 'vip' });
    const [one, two] = [await deployed(customer), await deployed(customer)];
    for (let round = 0; round < ROUNDS; round++) {
      const name = uniqueName();
      const answers = await Promise.all([
        addShadowDomain(customer, one.id, name),
        addShadowDomain(customer, two.id, name),
      ]);
      expect(statuses(answers)).toEqual([202, 422]);
      expect(answers.find(({ status }) => status === 422)?.body).toMatchObject({ 'names.0': 'DOMAIN_NAME_YOURS' });
    }
  });

  it('no more names are taken than the plan has, main or shadow domain', async () => {
    const customer = await createCustomer(test);
    const route = await deployed(customer);
    const answers = await Promise.all([
      ...Array.from({ length: 5 }, () => addShadowDomain(customer, route.id, uniqueName())),
      ...Array.from({ length: 5 }, () => addMain(customer, uniqueName())),
    ]);
    expect(answers.filter(({ status }) => status < 300)).toHaveLength(2);
    expect(answers.filter(({ body }) => body.code === 'QUOTA_REACHED')).toHaveLength(8);
  });

  it('a promotion and a removal of one shadow domain: never a domain without a main name', async () => {
    const customer = await createCustomer(test, { plan: 'vip' });
    for (let round = 0; round < ROUNDS; round++) {
      const route = await deployed(customer);
      const shadow = await verifiedShadowDomain(customer, route);
      const answers = await Promise.all([
        promote(customer, route.id, shadow),
        removeShadowDomain(customer, route.id, shadow),
      ]);
      // The second of the two finds no such shadow domain.
      expect(statuses(answers)).toEqual([202, 404]);
      await expectConsistentNames(test.api.platform.pool);
    }
  });

  it('two promotions of one domain: both names stay, one is the main one', async () => {
    const customer = await createCustomer(test, { plan: 'vip' });
    const route = await deployed(customer);
    const shadowDomains = [await verifiedShadowDomain(customer, route), await verifiedShadowDomain(customer, route)];
    const answers = await Promise.all(shadowDomains.map((shadow) => promote(customer, route.id, shadow)));
    expect(statuses(answers)).toEqual([202, 202]);
    const { result } = await customer.client.getRoute({ params: { id: route.id } });
    expect([result.domain_name, ...result.shadow_domains].sort()).toEqual([route.domain_name, ...shadowDomains].sort());
    expect(result.ownership.state).toBe('verified');
  });

  it('a promotion, and its owner proving the name by TXT: the owner has it in the end', async () => {
    const [squatter, owner] = [
      await createCustomer(test, { plan: 'vip' }),
      await createCustomer(test, { plan: 'vip' }),
    ];
    for (let round = 0; round < ROUNDS; round++) {
      const route = await deployed(squatter);
      const shadow = await verifiedShadowDomain(squatter, route);
      await prove(owner, await addMain(owner, shadow));
      const [promotion, taking] = await Promise.all([promote(squatter, route.id, shadow), addMain(owner, shadow)]);
      expect(taking.status).toBe(201);
      expect([202, 404]).toContain(promotion.status);
      expect(await holdersOf(shadow)).toMatchObject([{ kind: 'main', account_id: owner.accountId }]);
    }
  });

  it('a shadow domain is proved by TXT elsewhere, and removed by its holder: it has one holder in the end', async () => {
    const [squatter, owner] = [
      await createCustomer(test, { plan: 'vip' }),
      await createCustomer(test, { plan: 'vip' }),
    ];
    const [held, mine] = [await deployed(squatter), await deployed(owner)];
    for (let round = 0; round < ROUNDS; round++) {
      const shadow = uniqueName();
      await addShadowDomain(squatter, held.id, shadow);
      await prove(owner, await addShadowDomain(owner, mine.id, shadow));
      const [removal, taking] = await Promise.all([
        removeShadowDomain(squatter, held.id, shadow),
        addShadowDomain(owner, mine.id, shadow),
      ]);
      expect(taking.status).toBe(202);
      expect([202, 404]).toContain(removal.status);
      expect(await holdersOf(shadow)).toMatchObject([{ route_id: mine.id, kind: 'shadow' }]);
    }
  });

  it('two accounts take a shadow domain from each other by TXT: one has it, nothing is left over', async () => {
    const [first, second] = [await createCustomer(test, { plan: 'vip' }), await createCustomer(test, { plan: 'vip' })];
    const [one, two] = [await deployed(first), await deployed(second)];
    for (let round = 0; round < ROUNDS; round++) {
      const [x, y] = [uniqueName(), uniqueName()];
      await Promise.all([addShadowDomain(first, one.id, x), addShadowDomain(second, two.id, y)]);
      await prove(first, await addShadowDomain(first, one.id, y));
      await prove(second, await addShadowDomain(second, two.id, x));
      await Promise.all([addShadowDomain(first, one.id, y), addShadowDomain(second, two.id, x)]);
      expect(await holdersOf(x)).toMatchObject([{ route_id: two.id }]);
      expect(await holdersOf(y)).toMatchObject([{ route_id: one.id }]);
    }
  });

  it('a domain is deleted, and another account adds its shadow domain: it gets it only once it is free', async () => {
    const [customer, other] = [
      await createCustomer(test, { plan: 'vip' }),
      await createCustomer(test, { plan: 'vip' }),
    ];
    const theirs = await deployed(other);
    for (let round = 0; round < ROUNDS; round++) {
      const route = await deployed(customer);
      const shadow = uniqueName();
      await addShadowDomain(customer, route.id, shadow);
      const [deletion, taking] = await Promise.all([
        remove(customer, route.id),
        addShadowDomain(other, theirs.id, shadow),
      ]);
      expect(deletion.status).toBe(202);
      expect([202, 422]).toContain(taking.status);
      await eventually(
        async () => (await test.call('GET', `domain/routes/${route.id}/`, { token: customer.token })).status === 404,
      );
      const taken = taking.status === 422 ? await addShadowDomain(other, theirs.id, shadow) : taking;
      expect(taken.status).toBe(202);
      expect(await holdersOf(shadow)).toMatchObject([{ route_id: theirs.id }]);
    }
  });

  it('a shadow domain is added while its domain is deactivated, resumed and deployed: the edge has what is true', async () => {
    const customer = await createCustomer(test, { plan: 'vip' });
    const route = await deployed(customer);
    const call = (action: string) =>
      test.call('POST', `domain/routes/${route.id}/${action}/`, {
        token: customer.token,
        headers: { 'if-match': '"1"' },
        body: action === 'deploy' ? {} : undefined,
      });
    for (let round = 0; round < ROUNDS; round++) {
      await Promise.all([
        addShadowDomain(customer, route.id, uniqueName()),
        call('deactivate'),
        call('resume'),
        addShadowDomain(customer, route.id, uniqueName()),
        call('deploy'),
      ]);
      await expectConsistentNames(test.api.platform.pool);
    }
  });
});
