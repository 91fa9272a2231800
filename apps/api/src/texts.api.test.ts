import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Customer, createCustomer, createDomain, uniqueName, upstreamsTo } from './testing/fixtures.ts';
import { startApi, type TestApi } from './testing/start-api.ts';

/**
 * Guarantee: a text that PostgreSQL or JSON cannot hold is refused at its field, wherever it stands. That no operation takes
 * another kind of text is shown by tools/operation-inputs.test.ts; here, that the API refuses what the contract does.
 */
let test: TestApi;
let customer: Customer;
let id: string;
beforeAll(async () => {
  test = await startApi();
  customer = await createCustomer(test, { plan: 'vip' });
  id = (await createDomain(customer)).id;
});
afterAll(() => test.stop());

describe.each([
  ['with NUL', 'a\0b'],
  ['with half of a character', 'a\ud800b'],
])('a text %s is refused at its field', (_, text) => {
  const redirect = { name: 'redirect', enabled: true, config: { redirect_url: `https://a.example/${text}` } };
  const plugins = [redirect];
  it.each<[string, 'POST' | 'PATCH' | 'PUT', string, object, string]>([
    [
      'remarks of a new domain',
      'POST',
      'domain/routes/',
      { domain_name: uniqueName(), upstreams: upstreamsTo(), remarks: text },
      'remarks',
    ],
    ['the note of a deploy', 'POST', 'domain/routes/{id}/deploy/', { note: text }, 'note'],
    ['a group', 'POST', 'domain/groups/', { name: text }, 'name'],
    ['a rule', 'POST', 'domain/rules/', { name: text, plugins: [redirect] }, 'name'],
    ['the description of a rule', 'POST', 'domain/rules/', { name: 'x', description: text, plugins }, 'description'],
    ['a name that is looked for', 'POST', 'domain/find-domain/', { names: [text] }, 'names.0'],
    ['an address to be traced', 'POST', 'domain/routes/{id}/trace/', { url: `/${text}` }, 'url'],
    ['a certificate of a CA', 'POST', 'domain/read-certificates/', { pem: text }, 'pem'],
  ])('%s', async (_name, method, path, body, field) => {
    const needsCname = ['domain/routes/', 'domain/rules/'].includes(path);
    const answer = await test.call(method, path.replace('{id}', id), {
      token: customer.token,
      headers: { 'if-match': '"1"' },
      body: needsCname ? { cname: customer.cname, ...body } : body,
    });
    expect({ status: answer.status, code: answer.body[field] }).toEqual({ status: 422, code: 'TEXT_INVALID' });
  });

  it('a setting of a plugin', async () => {
    const answer = await test.call('POST', 'domain/rules/', {
      token: customer.token,
      body: { cname: customer.cname, name: 'x', plugins },
    });
    expect(answer.status).toBe(422);
    expect(Object.values(answer.body)).toContain('TEXT_INVALID');
  });
});

it.each(['domain/routes/?q=%00', 'domain/rules/?q=a%00', 'domain/routes/?cname=%00', 'domain/routes/?domain_name=%00'])(
  'a query is refused as well: %s',
  async (path) => {
    const { status, body } = await test.call('GET', path, { token: customer.token });
    expect(status).toBe(422);
    expect(Object.values(body)).toContain('TEXT_INVALID');
  },
);

it('texts that look the same are the same', async () => {
  const add = (name: string) => test.call('POST', 'domain/groups/', { token: customer.token, body: { name } });
  expect((await add('Caf\u00e9')).status).toBe(201);
  expect((await add('Cafe\u0301')).body).toMatchObject({ name: 'GROUP_NAME_TAKEN' });
});
