import { describe, expect, it } from 'vitest';
import { startEdgeApi } from '../../testing/edge-api.ts';
import { createCustomer, createDomain, eventually, upstreamsTo } from '../../testing/fixtures.ts';

const { test, node } = await startEdgeApi();
const customer = await createCustomer(test, { plan: 'vip' });

const get = async (id: string) => (await customer.client.getRoute({ params: { id } })).result;
async function liveDomain() {
  const { id } = await createDomain(customer);
  await customer.client.deployRoute({ params: { id }, ifMatch: 1, body: {} });
  return eventually(async () => {
    const route = await get(id);
    return route.operation?.state === 'successful' && route;
  });
}
const plugins = [{ name: 'ip-restriction', enabled: true, config: { deny: ['198.41.128.7'], blacklistMode: true } }];
const change = (id: string, revision: number) =>
  customer.client.updateRoute({
    params: { id },
    ifMatch: revision,
    body: { upstreams: upstreamsTo('8.8.8.8'), plugins, remarks: 'kept' },
  });

it('a discarded draft is what is live again; nothing is deployed, and a line of the audit log says who did it', async () => {
  const { id, live } = await liveDomain();
  const { result: changed } = await change(id, 1);
  expect(changed.pending_changes).toBeGreaterThan(1);
  const { result } = await customer.client.discardDraft({ params: { id }, ifMatch: changed.draft_revision });
  expect(result).toMatchObject({ pending_changes: 0, version_live: 1, draft: live, live, remarks: 'kept' });
  expect(result.upstream_summary).toBe((await get(id)).upstream_summary);
  expect(result).toMatchObject({ draft_revision: changed.draft_revision + 1, draft_updated_by: customer.email });
  expect(node.routes.get(id)?.version).toBe(1);
  const { results } = await customer.client.listAuditLines({ query: { action: 'route.draft_discard' } });
  expect(results[0]).toMatchObject({ action: 'route.draft_discard', actor: { name: customer.email } });
});

it('a draft that another user has changed meanwhile is not discarded', async () => {
  const { id } = await liveDomain();
  await change(id, 1);
  await expect(customer.client.discardDraft({ params: { id }, ifMatch: 1 })).rejects.toMatchObject({
    code: 'STALE_REVISION',
  });
  expect((await get(id)).pending_changes).toBeGreaterThan(1);
});

it('what was given up comes back by saving it again', async () => {
  const { id } = await liveDomain();
  const { draft } = (await change(id, 1)).result;
  const { result } = await customer.client.discardDraft({ params: { id }, ifMatch: 2 });
  const { traffic_action, wildcard_levels, upstreams, plugins } = draft;
  const back = await customer.client.updateRoute({
    params: { id },
    ifMatch: result.draft_revision,
    body: { traffic_action, wildcard_levels, upstreams, plugins },
  });
  expect(back.result.draft).toEqual(draft);
});

it('the draft of a domain that was never deployed is all there is of it, and stays', async () => {
  const { id } = await createDomain(customer);
  await expect(customer.client.discardDraft({ params: { id }, ifMatch: 1 })).rejects.toMatchObject({
    code: 'DOMAIN_NOT_DEPLOYED',
  });
});

it('a save is answered as the domain is then, whatever of it was read or written', async () => {
  const { id } = await liveDomain();
  const save = async (body: Parameters<typeof customer.client.updateRoute>[0]['body']) => {
    const { draft_revision } = await get(id);
    return (await customer.client.updateRoute({ params: { id }, ifMatch: draft_revision, body })).result;
  };
  const first = await save({ plugins });
  expect(first).toEqual(await get(id));
  const { draft } = first;
  expect(await save({ plugins })).toEqual(await get(id));
  expect(await save({ remarks: 'only these' })).toMatchObject({ draft, draft_revision: 3, remarks: 'only these' });
  const deployed = await save({ upstreams: upstreamsTo('8.8.8.8'), deploy: true });
  expect(deployed).toMatchObject({ version_live: 2, live: deployed.draft, draft: { plugins: draft.plugins } });
});

describe('a save that prefers a minimal answer', () => {
  const minimal = (id: string, revision: number, body: Parameters<typeof customer.client.updateRoute>[0]['body']) =>
    customer.client.updateRoute({ params: { id }, ifMatch: revision, body, prefersMinimal: true });
  const settings = (config: object) => [{ name: 'ip-restriction', enabled: true, config: { ...config } }];

  it('leaves out what is live and settings that are as they were sent, or as they were before', async () => {
    const { id } = await liveDomain();
    const first = await change(id, 1);
    const whole = { ...plugins[0]?.config, allow: [], whitelistMode: false, allow_spiders: true };
    expect(first.result.draft.plugins[0]?.config).toEqual(whole);
    const { result } = await minimal(id, 2, { plugins: settings({ ...whole, deny: ['198.41.128.9'] }) });
    expect(result).not.toHaveProperty('live');
    expect(result.draft.plugins).toEqual([{ name: 'ip-restriction', enabled: true }]);
    const { live, ...kept } = await get(id);
    expect(kept.draft.plugins[0]?.config.deny).toEqual(['198.41.128.9']);
    expect(live?.plugins).toEqual([]);
    // Of another change the settings are as in the revision that it was made upon.
    const { result: other } = await minimal(id, 3, { upstreams: upstreamsTo('8.8.4.4') });
    expect(other.draft.plugins).toEqual([{ name: 'ip-restriction', enabled: true }]);
    expect(other.draft.upstreams).toEqual((await get(id)).draft.upstreams);
  });

  it('has settings that are kept otherwise than they were sent', async () => {
    const { id } = await liveDomain();
    const { result } = await minimal(id, 1, { plugins });
    expect(result.draft.plugins).toEqual((await get(id)).draft.plugins);
  });

  it('is said to be one; without the preference nothing is left out', async () => {
    const { id } = await liveDomain();
    const save = async (prefer: string) => {
      const revision = (await get(id)).draft_revision;
      return test.call('PATCH', `domain/routes/${id}/`, {
        token: customer.token,
        headers: { 'if-match': `"${revision}"`, prefer },
        body: { remarks: `upon ${revision}` },
      });
    };
    for (const prefer of ['return=minimal', 'wait=5, Return="minimal"']) {
      const { headers, body } = await save(prefer);
      expect(headers.get('preference-applied')).toBe('return=minimal');
      expect(body.result).not.toHaveProperty('live');
    }
    for (const prefer of ['', 'return=representation', 'return=minimalist']) {
      const { headers, body } = await save(prefer);
      expect(headers.get('preference-applied')).toBeNull();
      expect(body.result).toHaveProperty('live.plugins', []);
    }
  });
});
