import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Customer, createCustomer, createDomain, uniqueName } from '../../testing/fixtures.ts';
import { startApi, type TestApi } from '../../testing/start-api.ts';

let test: TestApi;
let customer: Customer;
beforeAll(async () => {
  test = await startApi();
  customer = await createCustomer(test, { plan: 'vip' });
});
afterAll(() => test.stop());

const find = async (who: Customer, names: string[], query: object = {}) =>
  (await who.client.findDomains({ query, body: { names } })).result;

it('finds names as main name, as shadow domain and below a wildcard, however they are written', async () => {
  const main = await createDomain(customer);
  const parent = uniqueName();
  const wildcard = await createDomain(customer, `*.${parent}`);
  const shadow = uniqueName();
  await test.api.platform.pool.query(
    `INSERT INTO names (name, account_id, route_id, subscription_id, kind)
     SELECT $1, account_id, id, subscription_id, 'shadow' FROM routes WHERE id = $2`,
    [shadow, main.id],
  );
  const absent = uniqueName();
  const result = await find(customer, [
    ` ${main.domain_name.toUpperCase()}. `,
    shadow,
    `shop.${parent}`,
    `deep.shop.${parent}`,
    `*.${parent}`,
    absent,
    'not a name',
    shadow,
    '',
  ]);
  expect(result.domains.map(({ found, route, error }) => [found, route?.id ?? null, error])).toEqual([
    ['main', main.id, null],
    ['shadow_domain', main.id, null],
    ['wildcard', wildcard.id, null],
    ['not_found', null, null],
    ['main', wildcard.id, null],
    ['not_found', null, null],
    ['invalid', null, 'DOMAIN_NAME_INVALID'],
  ]);
  expect(result).toMatchObject({ found: 4, not_found: 2, invalid: 1 });
  expect(result.domains[0]?.route).toMatchObject({
    domain_name: main.domain_name,
    status: 'deactivated',
    subscription_cname: customer.cname,
    ownership_state: 'pending',
  });
});

it('looks in one subscription or status when asked to', async () => {
  const route = await createDomain(customer);
  await expect(find(customer, [route.domain_name], { cname: 'another.example' })).rejects.toMatchObject({
    code: 'SUBSCRIPTION_NOT_FOUND',
  });
  expect((await find(customer, [route.domain_name], { status: 'running' })).found).toBe(0);
  expect((await find(customer, [route.domain_name], { status: 'deactivated', cname: customer.cname })).found).toBe(1);
});

it("does not disclose another account's names: they are answered like names that no account has", async () => {
  const owner = await createCustomer(test, { plan: 'vip' });
  const parent = uniqueName();
  const taken = [(await createDomain(owner)).domain_name, (await createDomain(owner, `*.${parent}`)).domain_name];
  const free = [uniqueName(), `*.${uniqueName()}`];
  const ask = async (names: string[]) => {
    const { domains } = await find(customer, names);
    return domains.map(({ input: _input, name: _name, ...rest }) => rest);
  };
  expect(await ask([...taken, `shop.${parent}`])).toEqual(await ask([...free, uniqueName()]));
});

it('takes a thousand names, not more, and has a rate', async () => {
  const names = Array.from({ length: 1000 }, (_, index) => `name-${index}.example.org`);
  expect((await find(customer, names)).not_found).toBe(1000);
  const call = (body: object) => test.call('POST', 'domain/find-domain/', { token: customer.token, body });
  expect((await call({ names: [...names, 'one-more.example.org'] })).body).toMatchObject({ names: 'TOO_MANY' });
  expect((await call({ names: [] })).status).toBe(422);
  const busy = await createCustomer(test);
  const answers = await Promise.all(
    Array.from({ length: 70 }, () =>
      test.call('POST', 'domain/find-domain/', { token: busy.token, body: { names: ['a.example.org'] } }),
    ),
  );
  expect(answers.some(({ status }) => status === 429)).toBe(true);
});
