import type { Batch, BatchItem, PluginEntry, PluginPreview, RuleLists } from '@cordon/contract';
import { beforeEach, describe, expect, it } from 'vitest';
import { startEdgeApi } from '../../testing/edge-api.ts';
import {
  type Customer,
  configuredPlugins,
  createCustomer,
  createDomain,
  eventually,
  uniqueName,
} from '../../testing/fixtures.ts';

const { test, node } = await startEdgeApi();
let customer: Customer;
beforeEach(async () => {
  await node.heartbeat();
  customer = await createCustomer(test, { plan: 'vip' });
});

const refusing = (...deny: string[]): PluginEntry => ({
  name: 'ip-restriction',
  enabled: true,
  config: { allow: [], deny, whitelistMode: false, blacklistMode: true, allow_spiders: true },
});
const host = (hostname: string): PluginEntry => ({ name: 'upstream-host', enabled: true, config: { hostname } });

const create = async (plugins: PluginEntry[], lists?: RuleLists, name = 'Template') =>
  (await customer.client.createRule({ body: { cname: customer.cname, name, plugins, lists } })).result;
const send = (path: string, body: unknown, revision?: number) =>
  test.call('POST', path, {
    token: customer.token,
    body,
    headers: revision === undefined ? {} : { 'if-match': `"${revision}"` },
  });
const get = async (id: string) => (await customer.client.getRoute({ params: { id } })).result;
const change = async (id: string, plugins: PluginEntry[]) =>
  (
    await customer.client.updateRoute({
      params: { id },
      ifMatch: (await get(id)).draft_revision,
      body: { plugins },
    })
  ).result;
async function live(name?: string) {
  const { id } = await createDomain(customer, name);
  await customer.client.deployRoute({ params: { id }, ifMatch: 1, body: {} });
  return eventually(async () => {
    const route = await get(id);
    return route.operation?.state === 'successful' && route;
  });
}
async function ended({ id }: Batch): Promise<{ batch: Batch; items: BatchItem[] }> {
  const batch = await eventually(async () => {
    const { result } = await customer.client.getBatch({ params: { id } });
    return result.state !== 'running' && result;
  });
  return { batch, items: (await customer.client.listBatchItems({ params: { id } })).results };
}
async function apply(ruleId: string, body: object, revision = 1) {
  const { status, body: answer } = await send(`domain/rules/${ruleId}/apply/`, body, revision);
  expect(status, JSON.stringify(answer)).toBe(202);
  return ended(answer.result);
}
const preview = async (ruleId: string, selection: object) =>
  (await send(`domain/rules/${ruleId}/preview/`, { selection })).body.results;
const domainsOf = async (ruleId: string) => {
  const { results } = await customer.client.listRuleDomains({ params: { id: ruleId } });
  return new Map(results.map((one) => [one.route_id, one]));
};

describe('applying a rule', () => {
  it.each(['replace', 'merge'] as const)(
    'that only switches a setting off keeps what each domain has configured, with %s',
    async (lists) => {
      const [on, off, without] = [await live(), await createDomain(customer), await createDomain(customer)];
      await change(on.id, [refusing('198.41.128.7'), host('origin.example.net')]);
      await change(off.id, [{ ...refusing('104.16.0.9'), enabled: false }]);
      const rule = await create([{ name: 'ip-restriction', enabled: false, config: {} }], lists);
      const selection = { names: [on.domain_name, off.domain_name, without.domain_name] };
      const previewed = new Map<string, PluginPreview>(
        (await preview(rule.id, selection)).map((one: PluginPreview) => [one.route_id, one]),
      );
      expect(previewed.get(on.id)).toMatchObject({
        changed: ['ip-restriction'],
        after: { plugins: [{ ...refusing('198.41.128.7'), enabled: false }] },
      });
      for (const { id } of [off, without]) expect(previewed.get(id)).toMatchObject({ changed: [], error: null });
      const { batch } = await apply(rule.id, { selection });
      expect(batch).toMatchObject({ state: 'successful', succeeded: 3 });
      const pluginsOf = async ({ id }: { id: string }) => (await get(id)).draft.plugins;
      expect(await pluginsOf(on)).toEqual([
        { ...refusing('198.41.128.7'), enabled: false },
        host('origin.example.net'),
      ]);
      expect(await pluginsOf(off)).toEqual([{ ...refusing('104.16.0.9'), enabled: false }]);
      expect(await pluginsOf(without)).toEqual([]);
      // What the domain has configured may change; switched on again, it differs.
      await change(on.id, [{ ...refusing('198.41.128.8'), enabled: false }]);
      await change(off.id, [refusing('104.16.0.9')]);
      const applied = await domainsOf(rule.id);
      expect([on, off, without].map(({ id }) => applied.get(id)?.state)).toEqual(['same', 'drifted', 'same']);
      expect((await customer.client.getRule({ params: { id: rule.id } })).result.differing).toBe(1);
    },
  );

  it.each([false, true])(
    'is undone where nothing came after it: draft and version are those of before (deploy: %s)',
    async (deploy) => {
      const [waiting, same, edited] = [await live(), await live(), await live()];
      await change(waiting.id, [host('origin.example.net')]);
      await change(same.id, [refusing('104.16.0.9')]);
      const rule = await create([refusing('104.16.0.9')]);
      const selection = { names: [waiting, same, edited].map(({ domain_name }) => domain_name) };
      const { batch } = await apply(rule.id, { selection, deploy });
      expect(batch).toMatchObject({ succeeded: 3, is_undoable: true });
      await change(edited.id, [host('other.example.net')]);
      const undone = await ended((await customer.client.undoBatch({ params: { id: batch.id } })).result);
      expect(new Map(undone.items.map(({ name, error }) => [name, error?.code ?? null]))).toEqual(
        new Map(
          [waiting, ...(deploy ? [same] : []), edited].map(
            (route) => [route.domain_name, route === edited ? 'CHANGED_SINCE' : null] as const,
          ),
        ),
      );
      expect(await get(waiting.id)).toMatchObject({
        draft: { plugins: [host('origin.example.net')] },
        live: waiting.live,
        version_live: deploy ? 3 : 1,
        pending_changes: 1,
        status: 'running',
      });
      expect((await get(same.id)).draft.plugins).toEqual([refusing('104.16.0.9')]);
      expect((await get(same.id)).live).toEqual(same.live);
      expect((await get(edited.id)).draft.plugins).toContainEqual(host('other.example.net'));
      expect((await customer.client.getBatch({ params: { id: batch.id } })).result.is_undoable).toBe(false);
      // The template says so: what was not undone alone has got it.
      const got = [...(deploy ? [] : [same.id]), edited.id];
      expect([...(await domainsOf(rule.id)).keys()].sort()).toEqual(got.sort());
    },
  );

  it('that is undone leaves what the domain had got before, unless it or the rule is another by then', async () => {
    const { id, domain_name } = await live();
    const rule = await create([refusing('104.16.0.9')]);
    const selection = { names: [domain_name] };
    await apply(rule.id, { selection });
    const first = (await domainsOf(rule.id)).get(id);
    await customer.client.updateRule({
      params: { id: rule.id },
      ifMatch: 1,
      body: { plugins: [refusing('198.41.128.8')] },
    });
    const { batch } = await apply(rule.id, { selection }, 2);
    expect((await domainsOf(rule.id)).get(id)).toMatchObject({ applied_revision: 2, state: 'same' });
    await ended((await customer.client.undoBatch({ params: { id: batch.id } })).result);
    expect((await domainsOf(rule.id)).get(id)).toEqual({
      ...first,
      state: 'rule_changed',
      differing: ['ip-restriction'],
    });
    const again = await apply(rule.id, { selection }, 2);
    await customer.client.deleteRule({ params: { id: rule.id }, body: { cname: customer.cname } });
    const { items } = await ended((await customer.client.undoBatch({ params: { id: again.batch.id } })).result);
    expect(items.map(({ error }) => error)).toEqual([null]);
    expect((await get(id)).draft.plugins).toEqual([refusing('104.16.0.9')]);
  });

  it('that switches off what is on unless a domain says otherwise writes that down', async () => {
    const { id, domain_name } = await createDomain(customer);
    const rule = await create([{ name: 'ban', enabled: false, config: {} }]);
    await apply(rule.id, { selection: { names: [domain_name] } });
    expect((await get(id)).draft.plugins).toMatchObject([{ name: 'ban', enabled: false }]);
    expect((await domainsOf(rule.id)).get(id)?.state).toBe('same');
  });

  it('that only switches off is live once visitors meet it so', async () => {
    const { id, domain_name } = await createDomain(customer);
    await change(id, [refusing('198.41.128.7')]);
    await customer.client.deployRoute({ params: { id }, ifMatch: (await get(id)).draft_revision, body: {} });
    await eventually(async () => (await get(id)).operation?.state === 'successful');
    // Gone from the draft, on for visitors.
    await change(id, [{ name: 'ip-restriction', enabled: false, config: {} }]);
    const rule = await create([{ name: 'ip-restriction', enabled: false, config: {} }]);
    await apply(rule.id, { selection: { names: [domain_name] } });
    expect((await domainsOf(rule.id)).get(id)).toMatchObject({ state: 'same', is_live: false });
    await apply(rule.id, { selection: { names: [domain_name] }, deploy: true });
    expect((await domainsOf(rule.id)).get(id)).toMatchObject({ state: 'same', is_live: true });
  });

  it('does what the preview said: replaces its plugins, keeps the others, as drafts', async () => {
    const [plain, set] = [await createDomain(customer), await live()];
    await change(set.id, [refusing('198.41.128.7'), host('origin.example.net')]);
    const before = await get(set.id);
    const rule = await create([refusing('104.16.0.0/13')]);
    const selection = { names: [plain.domain_name, set.domain_name] };
    const previewed = await preview(rule.id, selection);
    const { batch, items } = await apply(rule.id, { selection, note: 'Scrapers' });
    expect(batch).toMatchObject({ kind: 'apply-rule', state: 'successful', total: 2, succeeded: 2, failed: 0 });
    expect(items.map(({ result }) => result)).toEqual(Array(2).fill({ changed: true, deployed: false }));
    expect(previewed).toHaveLength(2);
    for (const one of previewed) {
      const after = await get(one.route_id);
      expect(one.after).toEqual({
        traffic_action: after.draft.traffic_action,
        plugins: after.draft.plugins.filter(({ name }) => name === 'ip-restriction'),
      });
      expect(one.after.plugins).toEqual([refusing('104.16.0.0/13')]);
    }
    const after = await get(set.id);
    expect(after.draft.plugins).toContainEqual(host('origin.example.net'));
    expect(after.draft.upstreams).toEqual(before.draft.upstreams);
    expect(after).toMatchObject({ version_live: 1, draft_revision: before.draft_revision + 1 });
    expect(after.draft_updated_by).toBe(customer.email);
  });

  it('deploys where a domain is running, with the note, and leaves off what is off', async () => {
    const [on, never, off] = [await live(), await createDomain(customer), await live()];
    await customer.client.deactivateRoute({ params: { id: off.id } });
    await eventually(async () => (await get(off.id)).operation?.state === 'successful');
    const rule = await create([refusing('104.16.0.0/13')]);
    const { batch, items } = await apply(rule.id, { selection: { filter: {} }, deploy: true, note: 'Scrapers' });
    expect(batch).toMatchObject({ state: 'successful', total: 3 });
    const results = new Map(items.map((item) => [item.route_id, item.result]));
    expect(results.get(on.id)).toEqual({ changed: true, deployed: true });
    for (const one of [never, off]) expect(results.get(one.id)).toEqual({ changed: true, deployed: false });
    expect(await get(on.id)).toMatchObject({ version_live: 2, pending_changes: 0, operation: { state: 'successful' } });
    expect((await customer.client.listVersions({ params: { id: on.id } })).results[0]).toMatchObject({
      note: 'Scrapers',
    });
    expect(configuredPlugins(node.routes.get(on.id))).toEqual([
      { name: 'ip-restriction', config: refusing('104.16.0.0/13').config },
    ]);
    expect(await get(never.id)).toMatchObject({ status: 'deactivated', last_deployed: null });
    expect(await get(off.id)).toMatchObject({ status: 'deactivated', version_live: 1 });
    const again = await apply(rule.id, { selection: { names: [on.domain_name] }, deploy: true });
    expect(again.items[0]?.result).toEqual({ changed: false, deployed: false });
    expect(await get(on.id)).toMatchObject({ version_live: 2 });
  });

  it('is found by its batch: what it has changed, in the own account only, until that is live', async () => {
    const [one, same] = [await live(), await live()];
    await change(same.id, [refusing('104.16.0.0/13')]);
    const rule = await create([refusing('104.16.0.0/13')]);
    const { batch } = await apply(rule.id, { selection: { names: [one.domain_name, same.domain_name] } });
    const filter = { batch: batch.id, changes: 'pending' as const };
    const found = async (who = customer) =>
      (await who.client.listRoutes({ query: filter })).results.map(({ domain_name }) => domain_name);
    expect(await found()).toEqual([one.domain_name]);
    expect(await found(await createCustomer(test))).toEqual([]);
    await customer.client.bulkRoutes({ body: { action: 'deploy', selection: { filter } } });
    await eventually(async () => (await get(one.id)).version_live === 2);
    expect(await found()).toEqual([]);
    expect(await get(same.id)).toMatchObject({ version_live: 1, pending_changes: 1 });
  });

  it('fails where an edit would, says why, and goes on with the others', async () => {
    const name = uniqueName();
    const [looping, fine] = [await createDomain(customer, name), await createDomain(customer)];
    const to = { name: 'redirect', enabled: true, config: { redirect_url: `https://${name}/new` } };
    const rule = await create([to]);
    const selection = { names: [name, fine.domain_name] };
    const previewed = await preview(rule.id, selection);
    const { batch, items } = await apply(rule.id, { selection });
    expect(batch).toMatchObject({ state: 'failed', succeeded: 1, failed: 1 });
    const failed = items.find(({ route_id }) => route_id === looping.id);
    expect(failed).toMatchObject({
      state: 'failed',
      error: { fields: { 'plugins.0.config.redirect_url': 'REDIRECT_LOOP' } },
    });
    expect(failed?.error).toEqual(previewed.find((one: { route_id: string }) => one.route_id === looping.id).error);
    expect(await get(looping.id)).toMatchObject({ draft_revision: 1 });
    expect(await get(fine.id)).toMatchObject({ draft_revision: 2, traffic_action: 'redirect' });
    expect([...(await domainsOf(rule.id)).keys()]).toEqual([fine.id]);
  });

  it('says what was previewed: a rule changed since is refused', async () => {
    const { domain_name } = await createDomain(customer);
    const rule = await create([refusing('104.16.0.0/13')]);
    await customer.client.updateRule({ params: { id: rule.id }, ifMatch: 1, body: { description: 'Other' } });
    const body = { selection: { names: [domain_name] } };
    const stale = await send(`domain/rules/${rule.id}/apply/`, body, 1);
    expect([stale.status, stale.body.code]).toEqual([409, 'STALE_REVISION']);
    expect((await send(`domain/rules/${rule.id}/apply/`, body)).status).toBe(428);
    const empty = await send(`domain/rules/${rule.id}/apply/`, { selection: { filter: { q: 'no such' } } }, 2);
    expect(empty.body).toMatchObject({ selection: 'SELECTION_REQUIRED' });
    expect((await customer.client.listBatches()).count).toBe(0);
  });
});

describe('a rule that merges lists', () => {
  it('adds what a domain has not, leaves it as strict as it was, and says so before', async () => {
    const [set, plain] = [await createDomain(customer), await createDomain(customer)];
    const own = { ...refusing('9.9.9.9', '198.41.128.7').config, allow: ['1.1.1.1'], whitelistMode: true };
    await change(set.id, [{ name: 'ip-restriction', enabled: true, config: own }]);
    const rule = await create([refusing('198.41.128.7', '8.8.8.8')], 'merge');
    expect(rule.lists).toBe('merge');
    const selection = { names: [set.domain_name, plain.domain_name] };
    const previewed = await preview(rule.id, selection);
    expect((await apply(rule.id, { selection })).batch).toMatchObject({ state: 'successful', succeeded: 2 });
    const merged = refusing('9.9.9.9', '198.41.128.7', '8.8.8.8');
    expect((await get(set.id)).draft.plugins).toEqual([
      { ...merged, config: { ...merged.config, allow: ['1.1.1.1'], whitelistMode: true } },
    ]);
    expect((await get(plain.id)).draft.plugins).toEqual([refusing('198.41.128.7', '8.8.8.8')]);
    for (const one of previewed) expect(one.after.plugins).toEqual((await get(one.route_id)).draft.plugins);
    const [again] = (await apply(rule.id, { selection })).items;
    expect(again?.result).toEqual({ changed: false, deployed: false });
  });

  it('brings nothing back that a domain has switched off, and keeps the lists of what it switches off', async () => {
    const { id, domain_name } = await createDomain(customer);
    await change(id, [{ ...refusing('9.9.9.9'), enabled: false }]);
    const selection = { names: [domain_name] };
    await apply((await create([refusing('8.8.8.8')], 'merge')).id, { selection });
    expect((await get(id)).draft.plugins).toEqual([refusing('8.8.8.8')]);
    const off = await create([{ ...refusing('198.41.128.7'), enabled: false }], 'merge', 'Off');
    await apply(off.id, { selection });
    expect((await get(id)).draft.plugins).toEqual([{ ...refusing('8.8.8.8'), enabled: false }]);
    expect((await domainsOf(off.id)).get(id)).toMatchObject({ state: 'same', differing: [] });
  });

  it('is refused for a domain whose lists mean the opposite', async () => {
    const geoip = (config: Record<string, unknown>) => ({ name: 'geoip', enabled: true, config });
    const { id, domain_name } = await createDomain(customer);
    await change(id, [geoip({ mode: 'Whitelist', whitelist_countries: ['DE'] })]);
    const rule = await create([geoip({ mode: 'Blacklist', blacklist_countries: ['CN'] })], 'merge');
    const selection = { names: [domain_name] };
    const error = { fields: { 'plugins.0.config.mode': 'GEOIP_MODES_DIFFER' } };
    expect(await preview(rule.id, selection)).toMatchObject([{ error, changed: [], deploys: false }]);
    expect((await apply(rule.id, { selection })).items).toMatchObject([{ state: 'failed', error }]);
    expect((await get(id)).draft.plugins).toMatchObject([{ config: { mode: 'Whitelist' } }]);
  });

  it('is matched by a domain that has all of its entries and more', async () => {
    const { id } = await createDomain(customer);
    await change(id, [refusing('9.9.9.9')]);
    const rule = await create([refusing('198.41.128.7')], 'merge');
    await apply(rule.id, { selection: { filter: {} } });
    const state = async () => (await domainsOf(rule.id)).get(id);
    const differing = async () => (await customer.client.getRule({ params: { id: rule.id } })).result.differing;
    await change(id, [refusing('1.1.1.1', '198.41.128.0/24', '9.9.9.9')]);
    expect(await state()).toMatchObject({ state: 'same', drifted: [], differing: [] });
    expect(await differing()).toBe(0);
    await change(id, [refusing('1.1.1.1', '9.9.9.9')]);
    expect(await state()).toMatchObject({ state: 'drifted', drifted: ['ip-restriction'] });
    expect(await differing()).toBe(1);
    await change(id, [refusing('198.41.128.7', '9.9.9.9')]);
    const replacing = { params: { id: rule.id }, ifMatch: 1, body: { lists: 'replace' as const } };
    expect((await customer.client.updateRule(replacing)).result).toMatchObject({ lists: 'replace', differing: 1 });
    // By what was applied nothing is missing: only the rule is another now.
    expect(await state()).toMatchObject({ state: 'rule_changed', drifted: [], differing: ['ip-restriction'] });
  });

  it('is refused, with the counts, where a list would be too long; the domain stays as it is', async () => {
    const [full, fine] = [await createDomain(customer), await createDomain(customer)];
    const many = Array.from({ length: 9_999 }, (_, index) => `45.${index >> 8}.${index & 255}.1`);
    await change(full.id, [refusing(...many)]);
    const rule = await create([refusing(many[0] ?? '', '8.8.8.8', '9.9.9.9')], 'merge');
    const selection = { names: [full.domain_name, fine.domain_name] };
    const path = 'plugins.0.config.deny';
    const error = {
      fields: { [path]: 'MERGED_LIST_FULL' },
      params: { [path]: { count: 10_001, maximum: 10_000 } },
    };
    const previewed = await preview(rule.id, selection);
    expect(previewed.find((one: { route_id: string }) => one.route_id === full.id)).toMatchObject({
      error,
      changed: [],
    });
    const { batch, items } = await apply(rule.id, { selection });
    expect(batch).toMatchObject({ state: 'failed', succeeded: 1, failed: 1 });
    expect(items.find(({ route_id }) => route_id === full.id)?.error).toMatchObject(error);
    expect((await get(full.id)).draft_revision).toBe(2);
    expect([...(await domainsOf(rule.id)).keys()]).toEqual([fine.id]);
  });
});

describe('where a rule was applied', () => {
  it('is told with what changed since, on the domain or in the rule', async () => {
    const [same, drifted, gone] = [await createDomain(customer), await live(), await createDomain(customer)];
    const rule = await create([refusing('104.16.0.0/13'), host('origin.example.net')]);
    await apply(rule.id, { selection: { filter: {} }, deploy: true });
    await customer.client.deleteRoute({ params: { id: gone.id }, body: { cname: customer.cname } });
    await change(drifted.id, [host('elsewhere.example.net')]);
    const found = await domainsOf(rule.id);
    expect([...found.keys()].sort()).toEqual([same.id, drifted.id].sort());
    expect(found.get(same.id)).toMatchObject({
      state: 'same',
      applied_revision: 1,
      applied_by: customer.email,
      drifted: [],
      differing: [],
      is_live: false,
    });
    expect(found.get(drifted.id)).toMatchObject({
      state: 'drifted',
      drifted: ['upstream-host'],
      differing: ['upstream-host'],
      is_live: false,
    });
    const shown = await customer.client.getRule({ params: { id: rule.id } });
    expect(shown.result).toMatchObject({ domains: 2, differing: 1 });
    const listed = await customer.client.listRules({ query: { q: rule.name } });
    expect(listed.results).toEqual([expect.objectContaining({ id: rule.id, domains: 2, differing: 1 })]);
    const { result } = await customer.client.updateRule({
      params: { id: rule.id },
      ifMatch: 1,
      body: { plugins: [refusing('8.8.8.8'), host('origin.example.net')] },
    });
    expect(result).toMatchObject({ revision: 2, differing: 2 });
    expect((await domainsOf(rule.id)).get(same.id)).toMatchObject({
      state: 'rule_changed',
      drifted: [],
      differing: ['ip-restriction'],
    });
    const { batch } = await apply(rule.id, { selection: { applied: 'differing' }, deploy: true }, 2);
    expect(batch).toMatchObject({ total: 2, succeeded: 2 });
    const again = await domainsOf(rule.id);
    expect(again.get(drifted.id)).toMatchObject({ state: 'same', applied_revision: 2, is_live: true });
    expect((await customer.client.getRule({ params: { id: rule.id } })).result.differing).toBe(0);
    const [q] = drifted.domain_name.split('.');
    expect((await customer.client.listRuleDomains({ params: { id: rule.id }, query: { q } })).count).toBe(1);
  });

  it('does not take a default that a plugin gained for a change', async () => {
    const { id } = await createDomain(customer);
    const rule = await create([refusing('104.16.0.0/13')]);
    await apply(rule.id, { selection: { filter: {} } });
    const forget = (column: string, table: string, where: string) =>
      test.api.platform.pool.query(
        `UPDATE ${table} SET ${column} = replace(${column}::text, '"allow_spiders": true, ', '')::jsonb
        WHERE ${where} = $1`,
        [table === 'routes' ? id : rule.id],
      );
    await forget('draft', 'routes', 'id');
    expect((await domainsOf(rule.id)).get(id)).toMatchObject({ state: 'same', drifted: [] });
    await change(id, [host('origin.example.net')]);
    await forget('plugins', 'rules', 'id');
    await forget('plugins', 'rule_revisions', 'rule_id');
    const { rows } = await test.api.platform.pool.query('SELECT plugins FROM rules WHERE id = $1', [rule.id]);
    expect(rows[0].plugins[0].config).not.toHaveProperty('allow_spiders');
    expect((await domainsOf(rule.id)).get(id)).toMatchObject({ state: 'same', drifted: [] });
    expect((await customer.client.getRule({ params: { id: rule.id } })).result.differing).toBe(0);
  });

  it('is forgotten with the rule; the domains stay as they are', async () => {
    const { id } = await createDomain(customer);
    const rule = await create([refusing('104.16.0.0/13')]);
    await apply(rule.id, { selection: { filter: {} } });
    await customer.client.deleteRule({ params: { id: rule.id }, body: { cname: customer.cname } });
    expect((await get(id)).draft.plugins).toEqual([refusing('104.16.0.0/13')]);
    const { rows } = await test.api.platform.pool.query('SELECT 1 FROM rule_applications WHERE rule_id = $1', [
      rule.id,
    ]);
    expect(rows).toEqual([]);
  });
});

describe('copying plugins of a domain', () => {
  it('shows what changes on the others, then changes exactly that', async () => {
    const [source, other] = [await createDomain(customer), await live()];
    const { draft_revision } = await change(source.id, [refusing('104.16.0.0/13'), host('origin.example.net')]);
    const copy = { plugins: ['ip-restriction'], selection: { filter: {} } };
    const previewed = (await send(`domain/routes/${source.id}/copy/preview/`, copy)).body;
    expect(previewed).toMatchObject({ count: 1, results: [{ route_id: other.id, changed: ['ip-restriction'] }] });
    const started = await send(`domain/routes/${source.id}/copy/`, { ...copy, deploy: true }, draft_revision);
    expect(started.status, started.text).toBe(202);
    const { batch, items } = await ended(started.body.result);
    expect(batch).toMatchObject({ kind: 'copy-plugins', state: 'successful', total: 1 });
    expect(items[0]?.result).toEqual({ changed: true, deployed: true });
    const after = await get(other.id);
    expect(after.draft.plugins).toEqual([refusing('104.16.0.0/13')]);
    expect(after.draft.plugins).toEqual(previewed.results[0].after.plugins);
    expect(after).toMatchObject({ version_live: 2 });
    expect((await get(source.id)).draft_revision).toBe(draft_revision);
  });

  it('is refused for a plugin that is not set up, for a changed draft and for an empty selection', async () => {
    const source = await createDomain(customer);
    const path = `domain/routes/${source.id}/copy/`;
    const copy = { plugins: ['ip-restriction'], selection: { filter: {} } };
    expect((await send(path, copy, 1)).body).toMatchObject({ 'plugins.0': 'RULE_SOURCE_EMPTY' });
    await change(source.id, [refusing('104.16.0.0/13')]);
    expect((await send(path, copy, 1)).body).toMatchObject({ code: 'STALE_REVISION' });
    expect((await send(path, copy, 2)).body).toMatchObject({ selection: 'SELECTION_REQUIRED' });
    const otherCustomer = await createCustomer(test, { plan: 'vip' });
    const theirs = await createDomain(otherCustomer);
    const named = { ...copy, selection: { names: [theirs.domain_name] } };
    expect((await send(path, named, 2)).body).toMatchObject({ 'selection.names.0': 'DOMAIN_UNKNOWN' });
  });
});
