import { describe, expect, it } from 'vitest';
import { startEdgeApi } from '../../testing/edge-api.ts';
import { type Customer, createCustomer, createDomain, uniqueName, upstreamsTo } from '../../testing/fixtures.ts';

const { test } = await startEdgeApi();
const customer = await createCustomer(test, { plan: 'vip' });

const restriction = (deny: string[]) => [
  { name: 'ip-restriction', enabled: true, config: { deny, blacklistMode: true } },
];
/** Version 1 refuses 198.41.128.7, the draft 8.8.8.8; the name is proved. */
async function twoVersions(name = uniqueName()) {
  const { result: made } = await customer.client.createRoute({
    body: {
      cname: customer.cname,
      domain_name: name,
      upstreams: upstreamsTo(),
      plugins: restriction(['198.41.128.0/24']),
      deploy: true,
    },
  });
  test.dns.setCname(name, made.cname);
  await customer.client.verifyOwnership({ params: { id: made.id } });
  const { result } = await customer.client.updateRoute({
    params: { id: made.id },
    ifMatch: made.draft_revision,
    body: { plugins: restriction(['8.8.8.8']) },
  });
  return result;
}
type Body = Parameters<Customer['client']['traceRequest']>[0]['body'];
const trace = async (id: string, body: Body, who = customer) =>
  (await who.client.traceRequest({ params: { id }, body })).result;
const endOf = (result: Awaited<ReturnType<typeof trace>>) =>
  result.steps.find(({ outcome }) => outcome === 'block' || outcome === 'redirect');

describe('a trace', () => {
  it('says what the connection to the origin is subject to', async () => {
    const route = await twoVersions();
    const { result } = await customer.client.updateRoute({
      params: { id: route.id },
      ifMatch: route.draft_revision,
      body: { upstreams: { ...upstreamsTo(), protocol: 'https', connection_limit: 25, tls_verification: 'strict' } },
    });
    const ends = async (version: 'live' | 'draft') =>
      (await trace(result.id, { url: '/', client_address: '198.41.129.1', version })).steps
        .slice(-2)
        .map(({ step, outcome, detail }) => `${step} ${outcome} ${detail}`);
    expect(await ends('live')).toEqual(['origin_limit pass ', 'origin_tls pass ']);
    expect(await ends('draft')).toEqual(['origin_limit pass 25', 'origin_tls pass strict']);
  });

  it('judges by the live version, the draft or any version, and names the entry', async () => {
    const route = await twoVersions();
    const body = { url: '/', client_address: '198.41.128.7' };
    const live = await trace(route.id, body);
    expect(live).toMatchObject({ version: 1, answer: { kind: 'block', status: 403 }, upstream: null });
    expect(endOf(live)).toMatchObject({
      plugin: 'ip-restriction',
      reason: 'in_deny_list',
      rule: '198.41.128.0/24',
    });
    expect(await trace(route.id, { ...body, version: 'draft' })).toMatchObject({
      version: null,
      answer: { kind: 'origin' },
    });
    expect(await trace(route.id, { ...body, version: 1 })).toMatchObject({ answer: { kind: 'block' } });
    const unknown = await test.call('POST', `domain/routes/${route.id}/trace/`, {
      token: customer.token,
      body: { ...body, version: 7 },
    });
    expect(unknown.status).toBe(404);
  });

  it('has a visitor of a logged signed link wait as he did, though the log left its signature out', async () => {
    const route = await twoVersions();
    const config = { path: '^/files/', api_secret: 'a-secret-of-the-tests', sleep_seconds: 20, expire_seconds: 3600 };
    const { result } = await customer.client.updateRoute({
      params: { id: route.id },
      ifMatch: route.draft_revision,
      body: { plugins: [{ name: 'seclink', enabled: true, config }] },
    });
    const signedAt = Math.floor(Date.now() / 1000);
    const of = (signature: string) =>
      trace(result.id, { url: `/files/a?link_ts=${signedAt}&link_sig=${signature}`, version: 'draft' });
    const { answer, steps } = await of('REDACTED');
    expect(answer).toEqual({ kind: 'challenge', status: 403 });
    const step = { plugin: 'seclink', outcome: 'challenge', reason: 'wait_required', signature_taken: true };
    expect(steps.find(({ plugin }) => plugin === 'seclink')).toMatchObject(step);
    expect(endOf(await of('0'.repeat(64)))).toMatchObject({ plugin: 'seclink', reason: 'link_invalid' });
  });

  it('names the conditions of a custom rule that matched, each with the value that did', async () => {
    const route = await twoVersions();
    const when = {
      match: 'any',
      conditions: [
        { field: 'path', test: 'contains', values: ['/wp-login', '/.env', '/xmlrpc'] },
        { field: 'country', values: ['CN', 'DE', 'RU'] },
      ],
    };
    const rules = { name: 'blackrules', enabled: true, config: { black_rules: [{ name: 'Bad traffic', when }] } };
    await customer.client.updateRoute({
      params: { id: route.id },
      ifMatch: route.draft_revision,
      body: { plugins: [rules] },
    });
    const body = { url: '/.env', client_address: '198.41.129.1', country: 'DE', version: 'draft' } as const;
    expect(endOf(await trace(route.id, body))).toMatchObject({
      plugin: 'blackrules',
      rule: 'Bad traffic',
      matched: [
        { field: 'path', values: ['/.env'] },
        { field: 'country', values: ['DE'] },
      ],
    });
  });

  it('shows where a request goes and what the origin gets', async () => {
    const route = await twoVersions();
    test.dns.setAddresses('origin.example.net', ['8.8.4.4']);
    const result = await trace(route.id, {
      method: 'POST',
      url: `http://${route.domain_name}/a%20b?x=1`,
      headers: [{ name: 'X-Forwarded-For', value: '10.0.0.1' }],
      client_address: '9.9.9.9',
    });
    expect(result.request).toMatchObject({ method: 'POST', scheme: 'http', path: '/a%20b', query: 'x=1' });
    expect(result.upstream).toMatchObject({ protocol: 'http', host_header: route.domain_name });
    expect(result.upstream?.targets[0]).toMatchObject({ host: '8.8.4.4', port: 80, share: 1, addresses: ['8.8.4.4'] });
    expect(result.sent).toContainEqual({ name: 'X-Forwarded-For', value: '9.9.9.9', by: 'edge' });
    expect(result.dropped).toEqual([{ name: 'X-Forwarded-For', why: 'forwarding' }]);
  });

  it('stops where the edge stops: not proved, off the edge, a name of another domain', async () => {
    const fresh = await createDomain(customer);
    const early = await test.call('POST', `domain/routes/${fresh.id}/trace/`, {
      token: customer.token,
      body: { url: '/' },
    });
    expect(early.body).toMatchObject({ code: 'DOMAIN_NOT_DEPLOYED' });
    expect(endOf(await trace(fresh.id, { url: '/', version: 'draft' }))).toMatchObject({ reason: 'not_verified' });
    expect((await trace(fresh.id, { url: '/', version: 'draft', preview: true })).answer.kind).toBe('origin');

    const route = await twoVersions();
    const other = await twoVersions();
    expect(endOf(await trace(route.id, { url: `https://${other.domain_name}/` }))).toMatchObject({
      step: 'host',
      reason: 'other_domain',
      detail: other.domain_name,
    });
    await customer.client.deactivateRoute({ params: { id: route.id } });
    expect(endOf(await trace(route.id, { url: '/' }))).toMatchObject({ step: 'host', reason: 'deactivated' });
  });

  it('finds names below a wildcard as the edge does: one level, or all where the configuration says so', async () => {
    const parent = uniqueName();
    const { id } = await createDomain(customer, `*.${parent}`);
    const hostOf = async (label: string, version: 'live' | 'draft') => {
      const { steps } = await trace(id, { url: `https://${label}.${parent}/`, version, preview: true });
      return steps.find(({ step }) => step === 'host')?.outcome;
    };
    await customer.client.deployRoute({ params: { id }, ifMatch: 1, body: {} });
    expect([await hostOf('a', 'live'), await hostOf('b.a', 'live')]).toEqual(['pass', 'block']);
    const { result } = await customer.client.updateRoute({
      params: { id },
      ifMatch: 1,
      body: { wildcard_levels: 'all', deploy: true },
    });
    expect(result.pending_changes).toBe(0);
    expect([await hostOf('a', 'live'), await hostOf('b.a', 'live')]).toEqual(['pass', 'pass']);
    // Said once more, or taken back, it is what it was: no way to say it twice.
    const again = { params: { id }, ifMatch: result.draft_revision };
    const same = await customer.client.updateRoute({ ...again, body: { wildcard_levels: 'all' } });
    expect(same.result.draft_revision).toBe(result.draft_revision);
    const back = await customer.client.updateRoute({ ...again, body: { wildcard_levels: 'one' } });
    expect(back.result).toMatchObject({ pending_changes: 1 });
    expect(back.result.draft).not.toHaveProperty('wildcard_levels');
    expect([await hostOf('b.a', 'live'), await hostOf('b.a', 'draft')]).toEqual(['pass', 'block']);
    // Another domain of the account, whose wildcard takes all levels, is said to answer.
    const other = await twoVersions();
    const { steps } = await trace(other.id, { url: `https://b.a.${parent}/` });
    expect(steps.find(({ step }) => step === 'host')).toMatchObject({ reason: 'other_domain', detail: `*.${parent}` });
  });

  it.each([
    ['a method that is not in capitals', { method: 'get' }, 400, 'method', ''],
    ['TRACE', { method: 'TRACE' }, 405, 'method_refused', ''],
    ['a path of 17 kB', { url: `/${'a'.repeat(17_000)}` }, 414, 'line_too_long', ''],
    ['a field of 17 kB', { headers: [{ name: 'X-A', value: 'a'.repeat(17_000) }] }, 431, 'fields_too_large', ''],
    ['Host twice', { headers: Array(2).fill({ name: 'Host', value: 'a.example' }) }, 400, 'repeated_field', 'Host'],
  ])('says why the edge takes a request of nobody: %s', async (_, request, status, detail, rule) => {
    const route = await twoVersions();
    const { answer, steps } = await trace(route.id, { url: '/', ...request });
    expect(answer).toEqual({ kind: 'block', status });
    expect(steps[0]).toMatchObject({ step: 'request', outcome: 'block', reason: 'bad_request', detail, rule });
  });

  it('says nothing about whether another account has a name', async () => {
    const route = await twoVersions();
    const otherCustomer = await createCustomer(test);
    const { result: foreign } = await otherCustomer.client.createRoute({
      body: { cname: otherCustomer.cname, domain_name: uniqueName(), upstreams: upstreamsTo(), deploy: true },
    });
    const answerFor = async (host: string) => {
      const { steps, answer } = await trace(route.id, { url: `https://${host}/` });
      return JSON.stringify({ steps, answer }).replaceAll(host, 'host');
    };
    expect(await answerFor(foreign.domain_name)).toBe(await answerFor(uniqueName()));
  });

  it.each([
    [{ url: 'ftp://example.com/' }, { url: 'URL_INVALID' }],
    [{ url: 'no slash' }, { url: 'URL_INVALID' }],
    [{ url: 'https:///x' }, { url: 'URL_INVALID' }],
    [{ url: 'https://me:secret@example.com/' }, { url: 'URL_CREDENTIALS' }],
    [{ url: '/', client_address: 'nobody' }, { client_address: 'ADDRESS_INVALID' }],
    [{ url: '/', headers: [{ name: 'bad name', value: '' }] }, { 'headers.0.name': 'INVALID' }],
    [{ url: '/', headers: [{ name: 'X-A', value: 'a\nX-B: b' }] }, { 'headers.0.value': 'INVALID' }],
    [{ url: '/', country: 'de' }, { country: 'INVALID' }],
    [{ url: '/', version: 0 }, { version: 'TOO_SMALL' }],
  ])('refuses %j at its field', async (body, fields) => {
    const route = await createDomain(customer);
    const answer = await test.call('POST', `domain/routes/${route.id}/trace/`, { token: customer.token, body });
    expect(answer.status).toBe(422);
    expect(answer.body).toMatchObject(fields);
  });
});
