import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { Upstreams } from '@cordon/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeCertificate, type TestCertificate } from '../../testing/certificates.ts';
import {
  type Customer,
  createCustomer,
  createDomain,
  eventually,
  type FakeNode,
  startFakeNode,
  upstreamsTo,
} from '../../testing/fixtures.ts';
import { startApi, type TestApi } from '../../testing/start-api.ts';

let test: TestApi;
let customer: Customer;
let node: FakeNode;
let authority: TestCertificate;
const servers: Server[] = [];

/** An https server that shows the certificate; answers its port. */
async function serve({ key, certificate }: TestCertificate): Promise<number> {
  const server = createServer({ key, cert: certificate }, (_, res) => res.end('ok'));
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}
let selfSigned: TestCertificate;
let ports: { expired: number; selfSigned: number; incomplete: number };

beforeAll(async () => {
  authority = makeCertificate('Own Authority', { isCa: true });
  selfSigned = makeCertificate('www.example.org');
  ports = {
    expired: await serve(makeCertificate('www.example.org', { days: -1 })),
    selfSigned: await serve(selfSigned),
    incomplete: await serve(makeCertificate('www.example.org', { issuer: authority })),
  };
  const allow = Object.values(ports).map((port) => `127.0.0.1:${port}`);
  test = await startApi({ CORDON_UPSTREAM_ALLOW: allow.join(',') });
  customer = await createCustomer(test, { plan: 'vip' });
  node = await startFakeNode(test);
});
afterAll(async () => {
  node?.stop();
  await test?.stop();
  for (const server of servers) server.close();
});

const save = async (id: string, revision: number, upstreams: object, deploy = false) =>
  test.call('PATCH', `domain/routes/${id}/`, {
    token: customer.token,
    headers: { 'if-match': `"${revision}"` },
    body: { upstreams: { ...upstreamsTo(), ...upstreams }, deploy },
  });
const refusedAt = async (upstreams: object) => {
  const { id } = await createDomain(customer);
  return (await save(id, 1, upstreams)).body;
};

describe('settings of the connection to origins', () => {
  it('are strict and unlimited for a new domain, and reach the nodes', async () => {
    const route = await createDomain(customer);
    expect(route.draft.upstreams).toMatchObject({ connection_limit: 0, tls_verification: 'strict', tls_ca: null });
    await save(route.id, 1, { protocol: 'https', connection_limit: 250 }, true);
    const pushed = await eventually(() => node.routes.get(route.id));
    expect(pushed.upstream).toMatchObject({ connection_limit: 250, tls_verification: 'strict' });
    expect(pushed.upstream).not.toHaveProperty('tls_ca');
  });

  it('stay as they are where a change leaves them out, and are told as changes where it does not', async () => {
    const { id } = await createDomain(customer);
    const own = { connection_limit: 7, tls_verification: 'custom', tls_ca: authority.certificate };
    expect((await save(id, 1, own)).body.result.draft.upstreams).toMatchObject(own);
    const targets = [{ host: '8.8.8.8', port: null, weight: 1, backup: false }];
    const { result } = (await save(id, 2, { targets })).body;
    expect(result.draft.upstreams).toMatchObject({ ...own, targets });
    const stale = await save(id, 1, { connection_limit: 8 });
    expect(stale.body.params.STALE_REVISION.changed.split(', ').sort()).toEqual([
      'upstreams.connection_limit',
      'upstreams.targets',
      'upstreams.tls_ca',
      'upstreams.tls_verification',
    ]);
  });

  it.each([-1, 5001, 1.5, '5', null])('refuse a limit of %j in words of its own', async (connection_limit) => {
    expect(await refusedAt({ connection_limit })).toMatchObject({ 'upstreams.connection_limit': 'ORIGIN_LIMIT_RANGE' });
  });
  it.each([0, 5000])('take a limit of %d', async (connection_limit) => {
    const { id } = await createDomain(customer);
    expect((await save(id, 1, { connection_limit })).status).toBe(200);
  });
  it('know three ways to verify', async () => {
    expect(await refusedAt({ tls_verification: 'maybe' })).toMatchObject({
      'upstreams.tls_verification': 'NOT_ALLOWED',
    });
  });
});

describe('different authorities of a subscription', () => {
  const withAuthority = (name: string) => ({
    tls_verification: 'custom',
    tls_ca: makeCertificate(name, { isCa: true }).certificate,
  });
  const refusal = { success: false, 'upstreams.tls_ca': 'TLS_CA_LIMIT' };
  const ofFreePlan = async () => {
    const owner = await createCustomer(test);
    const ids = [await createDomain(owner), await createDomain(owner)].map(({ id }) => id) as [string, string];
    return {
      owner,
      ids,
      deploy: (id: string, revision: number, upstreams: object) =>
        test.call('PATCH', `domain/routes/${id}/`, {
          token: owner.token,
          headers: { 'if-match': `"${revision}"` },
          body: { upstreams: { ...upstreamsTo(), ...upstreams }, deploy: true },
        }),
    };
  };

  it('are as many as its plan allows: one that is live already, or replaces the only one, is always taken', async () => {
    const { ids, deploy } = await ofFreePlan();
    const [one, two] = [withAuthority('One'), withAuthority('Two')];
    expect((await deploy(ids[0], 1, one)).status).toBe(200);
    const refused = await deploy(ids[1], 1, two);
    expect(refused.status).toBe(422);
    expect(refused.body).toMatchObject({ ...refusal, params: { 'upstreams.tls_ca': { limit: 1 } } });
    expect((await deploy(ids[1], 1, one)).status).toBe(200);
    expect((await deploy(ids[1], 2, two)).body).toMatchObject(refusal);
    expect((await deploy(ids[1], 2, { tls_verification: 'strict' })).status).toBe(200);
    expect((await deploy(ids[0], 2, two)).status).toBe(200);
  });

  it('are not passed by deploys at the same moment, nor by deploying many', async () => {
    const { owner, ids, deploy } = await ofFreePlan();
    const [one, two, three] = [withAuthority('One'), withAuthority('Two'), withAuthority('Three')];
    const answers = await Promise.all([deploy(ids[0], 1, one), deploy(ids[1], 1, two)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 422]);
    const drafted = ids[answers[0]?.status === 200 ? 1 : 0] as string;
    const ifMatch = (await owner.client.getRoute({ params: { id: drafted } })).result.draft_revision;
    const { result } = await owner.client.updateRoute({
      params: { id: drafted },
      ifMatch,
      body: { upstreams: { ...upstreamsTo(), ...three } as never },
    });
    const { result: batch } = await owner.client.bulkRoutes({
      body: { action: 'deploy', selection: { names: [result.domain_name] } },
    });
    const ended = await eventually(async () => {
      const found = (await owner.client.getBatch({ params: { id: batch.id } })).result;
      return found.state !== 'running' && found;
    });
    expect(ended).toMatchObject({ state: 'failed', failed: 1 });
    const { results } = await owner.client.listBatchItems({ params: { id: batch.id }, query: {} });
    expect(results[0]?.error).toMatchObject({ fields: { 'upstreams.tls_ca': 'TLS_CA_LIMIT' } });
  });
});

describe('authorities of a domain', () => {
  const custom = (tls_ca: string | null) => refusedAt({ tls_verification: 'custom', tls_ca });

  it('are needed, and refused in words where they cannot be used', async () => {
    const refusal = (code: string) => ({ success: false, 'upstreams.tls_ca': code });
    const { key, certificate } = makeCertificate('leaf.example.org', { issuer: authority });
    expect(await custom(null)).toMatchObject(refusal('TLS_CA_REQUIRED'));
    expect(await custom('certificate')).toMatchObject(refusal('CERTIFICATE_MARKERS'));
    expect(await custom('-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----')).toMatchObject(
      refusal('TLS_CA_UNREADABLE'),
    );
    expect(await custom(`${authority.certificate}${key}`)).toMatchObject(refusal('TLS_CA_IS_KEY'));
    expect(await custom(certificate)).toMatchObject(refusal('TLS_CA_NOT_ROOT'));
    expect(await custom(makeCertificate('Old', { isCa: true, days: -1 }).certificate)).toMatchObject(
      refusal('TLS_CA_EXPIRED'),
    );
    const intermediate = makeCertificate('Intermediate', { isCa: true, issuer: authority });
    expect(await custom(intermediate.certificate)).toMatchObject(refusal('TLS_CA_NOT_ROOT'));
    expect(await custom(authority.certificate.repeat(11))).toMatchObject(refusal('TOO_MANY'));
    expect(await custom('x'.repeat(32_769))).toMatchObject(refusal('TOO_LONG'));
  });

  it('are kept as certificates alone, and told to the nodes only while they are used', async () => {
    const { id } = await createDomain(customer);
    const itself = makeCertificate('server.example.org').certificate;
    const typed = `My company\n${authority.certificate}\r\n# and\n${itself}`;
    const saved = await save(id, 1, { protocol: 'https', tls_verification: 'custom', tls_ca: typed }, true);
    const { tls_ca } = saved.body.result.draft.upstreams as Upstreams;
    expect(tls_ca).toBe(authority.certificate + itself);
    expect((await eventually(() => node.routes.get(id))).upstream?.tls_ca).toBe(tls_ca);
    await save(id, 2, { protocol: 'https', tls_verification: 'off' }, true);
    await eventually(() => node.routes.get(id)?.upstream?.tls_verification === 'off');
    expect(node.routes.get(id)?.upstream).not.toHaveProperty('tls_ca');
  });

  it('are read back with subject and expiry', async () => {
    const { result } = await customer.client.readCertificates({ body: { pem: authority.certificate } });
    expect(result).toMatchObject([{ subject: 'CN=Own Authority', is_ca: true, self_signed: true }]);
    expect(Date.parse(result[0]?.expires_at ?? '')).toBeGreaterThan(Date.now());
    const { body } = await test.call('POST', 'domain/read-certificates/', {
      token: customer.token,
      body: { pem: 'nothing' },
    });
    expect(body).toMatchObject({ pem: 'CERTIFICATE_MARKERS' });
  });
});

describe('verifying upstreams', () => {
  it('tells whether the certificate would pass, for the name that the edge will ask for', async () => {
    const verify = async (port: number, server_name: string) => {
      const query = { upstreams: [`127.0.0.1:${port}`], server_name };
      const [answer] = (await customer.client.verifyUpstreamProtocol({ query })).result;
      return answer?.protocols.find(({ protocol }) => protocol === 'https')?.certificate;
    };
    expect(await verify(ports.expired, 'www.example.org')).toMatchObject({ problem: 'expired' });
    expect(await verify(ports.selfSigned, 'www.example.org')).toMatchObject({
      problem: 'self_signed',
      subject: 'www.example.org',
    });
    expect(await verify(ports.incomplete, '*.example.org')).toMatchObject({
      problem: 'incomplete',
      issuer: 'Own Authority',
    });
  });
});

it('a diagnosis judges certificates as the edge does', async () => {
  const targets = [{ host: '127.0.0.1', port: ports.selfSigned, weight: 1, backup: false }];
  const { id } = await createDomain(customer, 'www.example.org');
  const diagnosed = async (revision: number, settings: object) => {
    await save(id, revision, { protocol: 'https', targets, ...settings }, true);
    await node.heartbeat();
    const { result } = await customer.client.checkDomain({ body: { route_id: id } });
    return result.checks.find(({ check }) => check === 'upstream')?.items[0];
  };
  const foundOfDomain = async () => (await customer.client.getRoute({ params: { id } })).result.health.findings;
  expect(await diagnosed(1, {})).toMatchObject({
    state: 'error',
    finding: 'certificate_refused',
    params: { problem: 'self_signed' },
  });
  // The health of the domain has the reason as well.
  expect(await foundOfDomain()).toContainEqual(
    expect.objectContaining({
      finding: 'none_answers',
      advice: 'fix_origin_certificate',
      params: expect.objectContaining({ problem: 'self_signed' }),
    }),
  );
  const tls_ca = selfSigned.certificate;
  expect(await diagnosed(2, { tls_verification: 'custom', tls_ca })).toMatchObject({ finding: 'answers' });
  const other = { tls_verification: 'custom', tls_ca: authority.certificate };
  expect(await diagnosed(3, other)).toMatchObject({ finding: 'certificate_refused' });
  expect(await diagnosed(4, { tls_verification: 'off' })).toMatchObject({ finding: 'answers' });
});
