import type { Batch, BatchItem, Route, RouteSelection } from '@cordon/contract';
import { describe, expect, it } from 'vitest';
import { startEdgeApi } from '../../testing/edge-api.ts';
import {
  type Customer,
  createCustomer,
  createDomain,
  eventually,
  uniqueName,
  upstreamsTo,
} from '../../testing/fixtures.ts';
import { createSubscriptionService } from '../subscriptions/service.ts';

const { test, node } = await startEdgeApi();
const customer = await createCustomer(test, { plan: 'vip' });

type Body = Parameters<Customer['client']['bulkRoutes']>[0]['body'];
const start = async (body: Body, who = customer) => (await who.client.bulkRoutes({ body })).result;
const ended = (batch: Batch, who = customer) =>
  eventually(async () => {
    const { result } = await who.client.getBatch({ params: { id: batch.id } });
    return result.state !== 'running' && result;
  }, 20_000);
const itemsOf = async (batch: Batch): Promise<BatchItem[]> =>
  (await customer.client.listBatchItems({ params: { id: batch.id }, query: { perpage: 100 } })).results;
const domains = (count: number) =>
  Promise.all(Array.from({ length: count }, () => createDomain(customer, uniqueName('bulk.example'))));
const named = (routes: readonly Route[]): RouteSelection => ({ names: routes.map((route) => route.domain_name) });
const read = async (route: Route) => (await customer.client.getRoute({ params: { id: route.id } })).result;

describe('many domains at once', () => {
  it('are deployed, each with a version, a receipt and a line in the audit log', async () => {
    const routes = await domains(5);
    const batch = await start({ action: 'deploy', selection: named(routes), note: 'all of them' });
    expect(batch).toMatchObject({ kind: 'deploy', state: 'running', total: 5, created_by: customer.email });
    expect(await ended(batch)).toMatchObject({ state: 'successful', succeeded: 5, failed: 0 });
    for (const route of routes) {
      expect(await read(route)).toMatchObject({
        status: 'running',
        version_live: 1,
        pending_changes: 0,
        live: route.draft,
        operation: { action: 'deploy', state: 'successful' },
      });
      const { result } = await customer.client.getReceipt({ params: { id: route.id } });
      expect(result).toMatchObject({ version: 1, nodes: [{ node: node.name, state: 'live', version: 1 }] });
      expect(result?.nodes[0]?.live_ms).toBeGreaterThan(0);
      const { results } = await customer.client.listVersions({ params: { id: route.id } });
      expect(results).toMatchObject([{ version: 1, note: 'all of them', created_by: customer.email, live: true }]);
      expect(node.routes.get(route.id)?.hosts.map(({ name }) => name)).toEqual([route.domain_name]);
    }
    const { rows } = await test.api.platform.pool.query(
      `SELECT count(*)::int AS lines FROM audit_log WHERE action = 'route.deploy' AND subject = ANY($1)`,
      [routes.map((route) => `route ${route.id}`)],
    );
    expect(rows[0].lines).toBe(5);
  });

  it('that one deploys and many deploy are the same for the nodes and in every table', async () => {
    const [one, many] = (await domains(2)) as [Route, Route];
    await customer.client.deployRoute({ params: { id: one.id }, ifMatch: 1, body: {} });
    await ended(await start({ action: 'deploy', selection: named([many]) }));
    await eventually(() => node.routes.has(one.id) && node.routes.has(many.id));
    const shapeOf = (route: Route) => {
      const { id, hosts, ...rest } = node.routes.get(route.id) ?? { id: '', hosts: [] };
      return { ...rest, hosts: hosts.map(({ verified }) => verified), isIt: id === route.id };
    };
    expect(shapeOf(many)).toEqual(shapeOf(one));
    const rowsOf = async (route: Route) => {
      const { rows } = await test.api.platform.pool.query(
        `SELECT (SELECT jsonb_agg(to_jsonb(r) - '{cname,updated_at,created_at,draft_updated_at,last_deployed,ownership_pending_since,ownership_checked_at,ownership_seen}'::text[]) FROM routes r WHERE id = $1) AS routes,
           (SELECT jsonb_agg(to_jsonb(v) - 'created_at') FROM route_versions v WHERE route_id = $1) AS versions,
           (SELECT jsonb_agg(to_jsonb(o) - '{started_at,finished_at,revision}'::text[]) FROM operations o WHERE route_id = $1) AS operations,
           (SELECT jsonb_agg(to_jsonb(a) - '{id,at}'::text[]) FROM audit_log a WHERE subject = 'route ' || $1::text AND action = 'route.deploy') AS lines`,
        [route.id],
      );
      // What differs by nature: ids and the name itself.
      return JSON.parse(
        JSON.stringify(rows[0])
          .replaceAll(route.id, 'route')
          .replaceAll(route.domain_name, 'name')
          .replace(/"(operation_id|id)":"[0-9a-f-]{36}"/g, '"$1":"id"'),
      );
    };
    await eventually(async () => (await read(one)).operation?.state === 'successful');
    expect(await rowsOf(many)).toEqual(await rowsOf(one));
  });

  it('fail one by one: what is wrong with one does not hold up the others', async () => {
    const routes = await domains(3);
    const [good, refused, leaving] = routes as [Route, Route, Route];
    // As it is when the operator has narrowed what may be an upstream since the draft was saved.
    await test.api.platform.pool.query(
      `UPDATE routes SET draft = jsonb_set(draft, '{upstreams,targets,0,host}', '"127.0.0.1"') WHERE id = $1`,
      [refused.id],
    );
    await test.api.platform.pool.query(`UPDATE routes SET status = 'deleting' WHERE id = $1`, [leaving.id]);
    const selection = { names: [...(named(routes).names as string[]), 'nobody.bulk.example', 'not a name'] };
    const batch = await start({ action: 'deploy', selection });
    expect(await ended(batch)).toMatchObject({ state: 'failed', total: 5, succeeded: 1, failed: 4 });
    const items = new Map((await itemsOf(batch)).map((item) => [item.name, item]));
    expect(items.get(good.domain_name)).toMatchObject({ state: 'successful', error: null, route_id: good.id });
    expect(items.get(refused.domain_name)?.error).toMatchObject({
      code: null,
      fields: { 'upstreams.targets.0.host': 'UPSTREAM_FORBIDDEN' },
    });
    expect(items.get(leaving.domain_name)?.error).toMatchObject({
      code: 'DOMAIN_STATE_FORBIDS',
      params: { DOMAIN_STATE_FORBIDS: { status: 'deleting' } },
    });
    expect(items.get('nobody.bulk.example')).toMatchObject({ route_id: null, error: { code: 'NOT_FOUND' } });
    expect(items.get('not a name')).toMatchObject({ route_id: null, error: { code: 'NOT_FOUND' } });
    expect(await read(refused)).toMatchObject({ version_live: null });
    const csv = await customer.client.exportBatch({ params: { id: batch.id } });
    expect(csv).toContain(`\r\n${good.domain_name},successful,,,\r\n`);
    expect(csv).toContain(`${refused.domain_name},failed,upstreams.targets.0.host: UPSTREAM_FORBIDDEN,`);
  });

  it('are deactivated and deleted, and their names are free again', async () => {
    const routes = await domains(3);
    const never = await createDomain(customer, uniqueName('bulk.example'));
    await ended(await start({ action: 'deploy', selection: named(routes) }));
    const off = await start({ action: 'deactivate', selection: named([...routes, never]) });
    expect(await ended(off)).toMatchObject({ state: 'successful', total: 3, succeeded: 3 });
    expect(await read(routes[0] as Route)).toMatchObject({ status: 'deactivated' });
    await eventually(() => routes.every(({ id }) => node.routes.get(id)?.off === 'deactivated'));
    const used = async () =>
      (await customer.client.listSubscriptions()).results.find((one) => one.cname === customer.cname)?.usage.domains ??
      0;
    const before = await used();
    const gone = await start({ action: 'delete', selection: named([...routes, never]), cname: customer.cname });
    expect(await ended(gone)).toMatchObject({ state: 'successful', succeeded: 4 });
    expect(await used()).toBe(before - 4);
    await createDomain(await createCustomer(test), never.domain_name);
  });

  it.each([
    ['deactivate', 1],
    ['resume', 1],
    ['delete', 0],
  ] as const)(
    'asked three times at once to %s them, every batch succeeds, and only what one did can be undone',
    async (action, undoable) => {
      const who = await createCustomer(test, { plan: 'vip' });
      const routes = await Promise.all(Array.from({ length: 5 }, () => createDomain(who, uniqueName('bulk.example'))));
      const prepared = { deactivate: ['deploy'], resume: ['deploy', 'deactivate'], delete: ['deploy'] } as const;
      for (const before of prepared[action])
        await ended(await start({ action: before, selection: named(routes) }, who), who);
      const holder = await test.api.platform.pool.connect();
      // None does anything before all have been asked for.
      await holder.query('BEGIN');
      await holder.query('SELECT FROM routes WHERE account_id = $1 FOR NO KEY UPDATE', [who.accountId]);
      const asked = await Promise.all([1, 2, 3].map(() => start({ action, selection: named(routes) }, who)));
      await holder.query('COMMIT');
      holder.release();
      const batches = await Promise.all(asked.map((batch) => ended(batch, who)));
      expect(batches).toMatchObject(Array(3).fill({ state: 'successful', total: 5, succeeded: 5, failed: 0 }));
      const items = await Promise.all(
        batches.map(async ({ id }) => (await who.client.listBatchItems({ params: { id } })).results),
      );
      expect(items.flat().filter(({ operation_id: id }) => id !== null)).toHaveLength(5);
      expect(items.flat().filter(({ result }) => result?.unchanged === true)).toHaveLength(10);
      const now = await Promise.all(batches.map(({ id }) => who.client.getBatch({ params: { id } })));
      expect(now.filter(({ result }) => result.is_undoable)).toHaveLength(undoable);
    },
  );

  it('are resumed with what was live; a draft that waits stays one', async () => {
    const [route, never] = (await domains(2)) as [Route, Route];
    await ended(await start({ action: 'deploy', selection: named([route]) }));
    await ended(await start({ action: 'deactivate', selection: named([route]) }));
    const params = { id: route.id };
    await customer.client.updateRoute({ params, ifMatch: 1, body: { upstreams: upstreamsTo('9.9.9.9') } });
    const batch = await start({ action: 'resume', selection: named([route, never]) });
    expect(await ended(batch)).toMatchObject({ kind: 'resume', state: 'successful', total: 1 });
    expect(await read(route)).toMatchObject({ status: 'running', version_live: 1, pending_changes: 1 });
    await eventually(() => node.routes.get(route.id)?.off === undefined);
    expect(await read(never)).toMatchObject({ status: 'deactivated', version_live: null });
  });

  it('are left out where there is nothing to do, each action told before by a preview', async () => {
    const [fresh, live, changed, off, suspended] = (await domains(5)) as [Route, Route, Route, Route, Route];
    await ended(await start({ action: 'deploy', selection: named([live, changed, off, suspended]) }));
    await ended(await start({ action: 'deactivate', selection: named([off]) }));
    for (const { id } of [changed, suspended])
      await customer.client.updateRoute({
        params: { id },
        ifMatch: 1,
        body: { upstreams: { ...upstreamsTo('9.9.9.9'), connection_limit: 9 } },
      });
    await test.api.platform.pool.query(`UPDATE routes SET suspended_at = now(), suspended_reason = 'x' WHERE id = $1`, [
      suspended.id,
    ]);
    const all = [fresh, live, changed, off, suspended];
    const selection = { names: [...all.map((route) => route.domain_name), 'nobody.bulk.example'] };
    const effectsOf = async (action: 'deploy' | 'resume' | 'deactivate' | 'delete') => {
      const { result } = await customer.client.previewBulk({ body: { action, selection } });
      expect(result.total).toBe(6);
      const effects = new Map(result.items.map(({ name, effect }) => [name, effect]));
      expect(result.included).toBe([...effects.values()].filter((effect) => effect !== 'nothing').length);
      return all.map((route) => effects.get(route.domain_name));
    };
    expect(await effectsOf('deploy')).toEqual(['deploy', 'nothing', 'deploy', 'deploy', 'suspended']);
    expect(await effectsOf('resume')).toEqual(['nothing', 'nothing', 'nothing', 'resume', 'nothing']);
    expect(await effectsOf('deactivate')).toEqual(['nothing', 'deactivate', 'deactivate', 'nothing', 'suspended']);
    expect(await effectsOf('delete')).toEqual(Array.from({ length: 5 }, () => 'delete'));
    const { result } = await customer.client.previewBulk({ body: { action: 'deploy', selection } });
    // What fails first, what is left out last.
    expect(result.items.map(({ name }) => name)).toEqual(
      [suspended, 'nobody', fresh, changed, off, live].map((one) =>
        typeof one === 'string' ? `${one}.bulk.example` : one.domain_name,
      ),
    );
    expect(result.counts).toEqual([
      { effect: 'deploy', count: 3 },
      { effect: 'suspended', count: 1 },
      { effect: 'not_found', count: 1 },
      { effect: 'nothing', count: 1 },
    ]);
    expect(result.items[3]).toMatchObject({ status: 'running', version_live: 1, pending_changes: 2, effect: 'deploy' });
    const batch = await start({ action: 'deploy', selection });
    expect(await ended(batch)).toMatchObject({ total: 5, succeeded: 3, failed: 2 });
    const items = new Map((await itemsOf(batch)).map((item) => [item.name, item]));
    expect(items.get(suspended.domain_name)?.error).toMatchObject({
      code: 'DOMAIN_STATE_FORBIDS',
      params: { DOMAIN_STATE_FORBIDS: { status: 'suspended' } },
    });
    expect(await read(live)).toMatchObject({ version_live: 1 });
    await expect(start({ action: 'deploy', selection: named([live]) })).rejects.toMatchObject({
      status: 422,
      fields: { selection: 'SELECTION_UNCHANGED' },
    });
  });

  it('are those that were previewed, with the drafts that were, or none', async () => {
    // With limits of its own.
    const owner = await createCustomer(test, { plan: 'vip' });
    const [one, other] = [await createDomain(owner), await createDomain(owner)];
    await ended(await start({ action: 'deploy', selection: named([one, other]) }, owner), owner);
    const look = async ({ id }: Route) => (await owner.client.getRoute({ params: { id } })).result;
    const edit = async (route: Route, limit: number) =>
      owner.client.updateRoute({
        params: { id: route.id },
        ifMatch: (await look(route)).draft_revision,
        body: { upstreams: { ...upstreamsTo('9.9.9.9'), connection_limit: limit } },
      });
    const selection = { filter: { changes: 'pending' as const } };
    const preview = async () => (await owner.client.previewBulk({ body: { action: 'deactivate', selection } })).result;
    await edit(one, 9);
    const shown = await preview();
    expect((await preview()).digest).toBe(shown.digest);
    await edit(other, 9);
    const refused = { status: 422, fields: { selection: 'SELECTION_CHANGED' } };
    await expect(start({ action: 'deactivate', selection, digest: shown.digest }, owner)).rejects.toMatchObject(
      refused,
    );
    const again = await preview();
    // The same domains, one with another draft.
    await edit(one, 10);
    await expect(start({ action: 'deactivate', selection, digest: again.digest }, owner)).rejects.toMatchObject(
      refused,
    );
    expect([(await look(one)).status, (await look(other)).status]).toEqual(['running', 'running']);
    const { digest, included } = await preview();
    expect(await ended(await start({ action: 'deactivate', selection, digest }, owner), owner)).toMatchObject({
      total: included,
    });
  });

  it('are brought back to where they were by an undo of the batch, the failed ones left alone', async () => {
    const [one, other] = (await domains(2)) as [Route, Route];
    const undo = async (batch: Batch) => ended((await customer.client.undoBatch({ params: { id: batch.id } })).result);
    await ended(await start({ action: 'deploy', selection: named([one, other]) }));
    const off = await ended(await start({ action: 'deactivate', selection: named([one]) }));
    expect(off.is_undoable).toBe(true);
    expect(await undo(off)).toMatchObject({ kind: 'resume', state: 'successful', total: 1 });
    expect(await read(one)).toMatchObject({ status: 'running', version_live: 1 });

    const groupIds = await Promise.all(
      [1, 2].map(async () => (await customer.client.createGroup({ body: { name: uniqueName() } })).result.id),
    );
    await ended(await start({ action: 'move_group', selection: named([one]), group_id: groupIds[0] }));
    const before = [await read(one), await read(other)].map((route) => route.group_id);
    const selection = named([one, other]);
    // A preview says where each is before it is known where to.
    for (const [group_id, effects] of [
      [undefined, ['move_group', 'move_group']],
      [groupIds[0], ['nothing', 'move_group']],
    ] as const) {
      const { items } = (await customer.client.previewBulk({ body: { action: 'move_group', selection, group_id } }))
        .result;
      const shown = [one, other].map(({ id }) => items.find((item) => item.route_id === id));
      expect(shown.map((item) => item?.effect)).toEqual(effects);
      expect(shown.map((item) => item?.group_id)).toEqual(before);
    }
    const moved = await ended(
      await start({ action: 'move_group', selection: named([one, other]), group_id: groupIds[1] }),
    );
    expect([await read(one), await read(other)].map((route) => route.group_id)).toEqual([groupIds[1], groupIds[1]]);
    expect(await undo(moved)).toMatchObject({ kind: 'move_group', state: 'successful', total: 2 });
    expect([await read(one), await read(other)].map((route) => route.group_id)).toEqual(before);
  });

  it('that were deployed go back to the version of before, what waited waits again, new ones are taken off', async () => {
    const [old, fresh, edited] = (await domains(3)) as [Route, Route, Route];
    await ended(await start({ action: 'deploy', selection: named([old, edited]) }));
    const change = async (route: Route, port: number) =>
      customer.client.updateRoute({
        params: { id: route.id },
        ifMatch: (await read(route)).draft_revision,
        body: { upstreams: { ...upstreamsTo('198.41.128.7'), targets: [target(port)] } },
      });
    const target = (port: number) => ({ host: '198.41.128.7', port, weight: 1, backup: false });
    for (const route of [old, edited]) await change(route, 8081);
    const deployed = await ended(await start({ action: 'deploy', selection: named([old, fresh, edited]) }));
    expect(deployed).toMatchObject({ succeeded: 3, is_undoable: true });
    await change(edited, 8082);
    const undone = await ended((await customer.client.undoBatch({ params: { id: deployed.id } })).result);
    expect(undone).toMatchObject({ kind: 'restore', total: 3, succeeded: 2, failed: 1 });
    const failed = (await itemsOf(undone)).filter(({ error }) => error !== null);
    expect(failed).toMatchObject([{ name: edited.domain_name, error: { code: 'CHANGED_SINCE' } }]);
    expect(await read(old)).toMatchObject({
      status: 'running',
      live: old.draft,
      live_version: { version: 3, rolled_back_to: 1 },
      draft: { upstreams: { targets: [{ port: 8081 }] } },
      pending_changes: 1,
    });
    expect(await read(fresh)).toMatchObject({ status: 'deactivated', draft: fresh.draft });
    expect(await read(edited)).toMatchObject({ version_live: 2, draft: { upstreams: { targets: [{ port: 8082 }] } } });
  });

  it('can be undone only while an undo would do anything to one of them', async () => {
    const routes = await domains(2);
    await ended(await start({ action: 'deploy', selection: named(routes) }));
    const told = async (batch: Batch) =>
      (await customer.client.getBatch({ params: { id: batch.id } })).result.is_undoable;
    const undo = async (batch: Batch) => ended((await customer.client.undoBatch({ params: { id: batch.id } })).result);
    const first = await ended(await start({ action: 'deactivate', selection: named(routes) }));
    expect(await told(first)).toBe(true);
    await undo(first);
    const second = await ended(await start({ action: 'deactivate', selection: named(routes) }));
    const resumed = await ended(await start({ action: 'resume', selection: named(routes) }));
    expect([await told(first), await told(second), await told(resumed)]).toEqual([false, false, true]);
    await undo(resumed);
    // Off again, but not by that batch.
    expect([await told(second), await told(resumed)]).toEqual([false, false]);
    const { results } = await customer.client.listBatches({ query: { perpage: 100 } });
    expect(results.find(({ id }) => id === second.id)?.is_undoable).toBe(false);
  });

  it('go on where one of them is broken, which fails as a fault of ours', async () => {
    const [good, broken] = (await domains(2)) as [Route, Route];
    await test.api.platform.pool.query(`UPDATE routes SET draft = '{}' WHERE id = $1`, [broken.id]);
    const batch = await ended(await start({ action: 'deploy', selection: named([good, broken]) }));
    expect(batch).toMatchObject({ state: 'failed', succeeded: 1, failed: 1 });
    const failed = (await itemsOf(batch)).filter(({ error }) => error !== null);
    expect(failed).toMatchObject([{ name: broken.domain_name, error: { code: 'INTERNAL' } }]);
    await test.api.platform.pool.query('UPDATE routes SET draft = $2 WHERE id = $1', [broken.id, broken.draft]);
  });

  it('that were changed since stay as they are when the batch is undone, and fail as such', async () => {
    const [edited, other] = (await domains(2)) as [Route, Route];
    await ended(await start({ action: 'deploy', selection: named([edited, other]) }));
    await ended(await start({ action: 'deactivate', selection: named([edited, other]) }));
    const resumed = await ended(await start({ action: 'resume', selection: named([edited, other]) }));
    const { draft_revision } = await read(edited);
    await customer.client.deployRoute({ params: { id: edited.id }, ifMatch: draft_revision, body: {} });
    const undone = await ended((await customer.client.undoBatch({ params: { id: resumed.id } })).result);
    expect(undone).toMatchObject({ kind: 'deactivate', total: 2, succeeded: 1, failed: 1 });
    const failed = (await itemsOf(undone)).filter(({ error }) => error !== null);
    expect(failed).toMatchObject([{ name: edited.domain_name, error: { code: 'CHANGED_SINCE' } }]);
    expect(await read(edited)).toMatchObject({ status: 'running', version_live: 2 });
    expect(await read(other)).toMatchObject({ status: 'deactivated' });

    const [first, second] = await Promise.all(
      [1, 2].map(async () => (await customer.client.createGroup({ body: { name: uniqueName() } })).result.id),
    );
    const moved = await ended(
      await start({ action: 'move_group', selection: named([edited, other]), group_id: first }),
    );
    await ended(await start({ action: 'move_group', selection: named([edited]), group_id: second }));
    // As batches were that did not note it.
    await test.api.platform.pool.query(`UPDATE batch_items SET result = result - 'group_id' WHERE batch_id = $1`, [
      moved.id,
    ]);
    const back = await ended((await customer.client.undoBatch({ params: { id: moved.id } })).result);
    expect(back).toMatchObject({ total: 2, succeeded: 1, failed: 1 });
    expect((await read(edited)).group_id).toBe(second);
    expect((await read(other)).group_id).toBe(other.group_id);
  });

  it('are brought back once, however often and by how many it is asked, those that are as before already left out', async () => {
    const [one, two] = (await domains(2)) as [Route, Route];
    await ended(await start({ action: 'deploy', selection: named([one, two]) }));
    const off = await ended(await start({ action: 'deactivate', selection: named([one, two]) }));
    await ended(await start({ action: 'resume', selection: named([two]) }));
    const params = { id: off.id };
    const asked = await Promise.allSettled([1, 2, 3].map(() => customer.client.undoBatch({ params })));
    const taken = asked.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value.result] : []));
    expect(taken).toMatchObject([{ kind: 'resume', total: 1 }]);
    expect(asked.flatMap((answer) => (answer.status === 'rejected' ? [answer.reason] : []))).toMatchObject([
      { status: 409, code: 'BATCH_ALREADY_UNDONE' },
      { status: 409, code: 'BATCH_ALREADY_UNDONE' },
    ]);
    expect((await customer.client.getBatch({ params })).result.is_undoable).toBe(false);
    expect(await ended(taken[0] as Batch)).toMatchObject({ succeeded: 1 });
    await expect(customer.client.undoBatch({ params })).rejects.toMatchObject({ code: 'BATCH_ALREADY_UNDONE' });
    const again = await ended(await start({ action: 'deactivate', selection: named([one]) }));
    await ended(await start({ action: 'resume', selection: named([one]) }));
    await expect(customer.client.undoBatch({ params: { id: again.id } })).rejects.toMatchObject({
      code: 'BATCH_ALREADY_UNDONE',
    });
  });

  it('of a batch whose undo undid nothing can be undone again, and open consoles are told each time', async () => {
    const [one] = (await domains(1)) as [Route];
    await ended(await start({ action: 'deploy', selection: named([one]) }));
    const off = await ended(await start({ action: 'deactivate', selection: named([one]) }));
    const params = { id: off.id };
    const { pool } = test.api.platform;
    const told = async () =>
      (
        await pool.query(
          `SELECT payload->'batch'->'is_undoable' AS told FROM events WHERE payload->'batch'->>'id' = $1 ORDER BY id`,
          [off.id],
        )
      ).rows.map((row: { told: boolean }) => row.told);
    await pool.query(`UPDATE routes SET suspended_at = now(), suspended_reason = 'abuse' WHERE id = $1`, [one.id]);
    const before = (await told()).length;
    const inVain = await ended((await customer.client.undoBatch({ params })).result);
    expect(inVain).toMatchObject({ state: 'failed', succeeded: 0, failed: 1, undoes: off.id });
    expect((await told()).slice(before)).toEqual([false, true]);
    expect((await customer.client.getBatch({ params })).result.is_undoable).toBe(true);
    await pool.query(`UPDATE routes SET suspended_at = NULL, suspended_reason = NULL WHERE id = $1`, [one.id]);
    expect(await ended((await customer.client.undoBatch({ params })).result)).toMatchObject({ succeeded: 1 });
    expect((await customer.client.getBatch({ params })).result.is_undoable).toBe(false);
  });

  it('in a preview are named up to a hundred, the rest is counted', async () => {
    const names = Array.from({ length: 101 }, (_, index) => `n${index}.example`);
    const { result } = await customer.client.previewBulk({ body: { action: 'delete', selection: { names } } });
    expect(result).toMatchObject({ total: 101, counts: [{ effect: 'not_found', count: 101 }] });
    expect(result.items).toHaveLength(100);
  });

  it('are found by names with a dot at the end, each once', async () => {
    const [route] = (await domains(1)) as [Route];
    const names = [`${route.domain_name}.`, route.domain_name];
    const { result } = await customer.client.previewBulk({ body: { action: 'deploy', selection: { names } } });
    expect(result.items).toMatchObject([{ route_id: route.id, name: route.domain_name, effect: 'deploy' }]);
  });

  it('of the wrong subscription fail, and a subscription of another account is not found', async () => {
    const otherCustomer = await createCustomer(test);
    const [route] = (await domains(1)) as [Route];
    const { env, db } = test.api.platform;
    const subscriptions = createSubscriptionService(env, db);
    const id = await subscriptions.add(customer.accountId, 'free');
    const { cname } = await subscriptions.get(customer.accountId, { id });
    expect(cname).not.toBe(customer.cname);
    const batch = await start({ action: 'delete', selection: named([route]), cname });
    expect(await ended(batch)).toMatchObject({ failed: 1 });
    expect((await itemsOf(batch))[0]?.error).toMatchObject({ code: 'SUBSCRIPTION_NOT_FOUND' });
    expect(await read(route)).toMatchObject({ status: 'deactivated' });
    await expect(
      start({ action: 'delete', selection: named([route]), cname: otherCustomer.cname }),
    ).rejects.toMatchObject({
      status: 404,
      code: 'SUBSCRIPTION_NOT_FOUND',
    });
  });

  it('of another account are not found, whether named or matched, and stay as they are', async () => {
    const otherCustomer = await createCustomer(test, { plan: 'vip' });
    const [route] = (await domains(1)) as [Route];
    const batch = await start({ action: 'delete', selection: named([route]) }, otherCustomer);
    expect(await ended(batch, otherCustomer)).toMatchObject({ failed: 1 });
    await expect(start({ action: 'delete', selection: { filter: {} } }, otherCustomer)).rejects.toMatchObject({
      status: 422,
      fields: { selection: 'SELECTION_EMPTY' },
    });
    expect(await read(route)).toMatchObject({ status: 'deactivated' });
    await expect(customer.client.getBatch({ params: { id: batch.id } })).rejects.toMatchObject({ status: 404 });
  });
});

describe('a selection', () => {
  /** Names of 60 characters. */
  const names = (count: number) =>
    Array.from({ length: count }, (_, index) => `${String(index).padStart(48, 'n')}.example.com`);

  it('of names has 1800 characters at most, told at the field with how many there are', async () => {
    expect(names(30).join('')).toHaveLength(1800);
    await ended(await start({ action: 'deploy', selection: { names: names(30) } }));
    const tooLong = await test.call('POST', 'domain/routes/bulk/', {
      token: customer.token,
      body: { action: 'deploy', selection: { names: [...names(30), 'a.b'] } },
    });
    expect(tooLong.status).toBe(422);
    expect(tooLong.body).toMatchObject({
      success: false,
      'selection.names': 'SELECTION_TOO_LONG',
      params: { 'selection.names': { characters: 1803, maximum: 1800 } },
    });
  });

  it('by filter is what the list shows, and not bounded', async () => {
    const owner = await createCustomer(test, { plan: 'vip' });
    const label = uniqueName('x').split('.')[0];
    for (let index = 0; index < 3; index += 1)
      await createDomain(owner, `${'l'.repeat(60)}${index}.${'m'.repeat(60)}.${label}-filter.example`);
    await createDomain(owner, `other-${label}.example`);
    const batch = await start({ action: 'deploy', selection: { filter: { q: `${label}-filter` } } }, owner);
    expect(await ended(batch, owner)).toMatchObject({ total: 3, succeeded: 3 });
    expect((await owner.client.listRoutes({ query: { status: 'running' } })).count).toBe(3);
    const rest = await start({ action: 'deploy', selection: { filter: { status: 'deactivated' } } }, owner);
    expect(rest.total).toBe(1);
    await ended(rest, owner);
  });

  it.each([
    [{ action: 'deploy', selection: {} }, 'selection'],
    [{ action: 'deploy', selection: { names: ['a.example'], filter: {} } }, 'selection'],
    [{ action: 'deploy', selection: { names: [] } }, 'selection.names'],
    [{ action: 'move_group', selection: { filter: {} } }, 'group_id'],
    [{ action: 'melt', selection: { filter: {} } }, 'action'],
    [{ action: 'deploy', selection: { filter: { colour: 'red' } } }, 'selection.filter.colour'],
  ])('%j is refused at %s', async (body, field) => {
    const response = await test.call('POST', 'domain/routes/bulk/', { token: customer.token, body });
    expect(response.status).toBe(422);
    expect(Object.keys(response.body)).toContain(field);
  });

  it('waits for no answer twice: the same key starts one batch', async () => {
    const routes = await domains(1);
    const body = { action: 'deploy' as const, selection: named(routes) };
    const twice = await Promise.allSettled(
      [1, 2].map(() => customer.client.bulkRoutes({ body, idempotencyKey: 'bulk-once' })),
    );
    // One of them may come while the other is still being answered, and is refused with an error that says so.
    const answers = twice.flatMap((one) => (one.status === 'fulfilled' ? [one.value.result] : []));
    expect(new Set(answers.map(({ id }) => id)).size).toBe(1);
    await ended(answers[0] as Batch);
    expect(await read(routes[0] as Route)).toMatchObject({ version_live: 1 });
  });
});

describe('what a deploy checks once more', () => {
  /** Changes a domain while the batch is between its check and its transaction. */
  async function deployWhile(route: Route, change: string) {
    const { pool } = test.api.platform;
    const client = await pool.connect();
    await client.query('BEGIN');
    await client.query('SELECT 1 FROM routes WHERE id = $1 FOR UPDATE', [route.id]);
    const batch = await start({ action: 'deploy', selection: named([route]) });
    await eventually(
      async () =>
        (
          await pool.query(
            `SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query ILIKE '%routes%for update%'`,
          )
        ).rowCount === 1,
    );
    await client.query(`UPDATE routes SET draft_revision = draft_revision + 1, ${change} WHERE id = $1`, [route.id]);
    await client.query('COMMIT');
    client.release();
    return { batch: await ended(batch), items: await itemsOf(batch) };
  }
  const toHost = (host: string) => `draft = jsonb_set(draft, '{upstreams,targets,0,host}', '"${host}"')`;

  it('a draft that was changed after the check is checked again, and deployed as it is now', async () => {
    const [route] = (await domains(1)) as [Route];
    expect((await deployWhile(route, toHost('9.9.9.9'))).batch).toMatchObject({ succeeded: 1, failed: 0 });
    expect(await read(route)).toMatchObject({
      version_live: 1,
      live: { upstreams: { targets: [{ host: '9.9.9.9' }] } },
    });
  });

  it('a draft that was changed after the check to a forbidden upstream is not deployed unchecked', async () => {
    const [route] = (await domains(1)) as [Route];
    const { batch, items } = await deployWhile(route, toHost('127.0.0.1'));
    expect(batch).toMatchObject({ failed: 1 });
    expect(items[0]?.error?.fields).toEqual({ 'upstreams.targets.0.host': 'UPSTREAM_FORBIDDEN' });
    expect(await read(route)).toMatchObject({ version_live: null });
  });

  it('what a name may be: rules and our own hosts change after it was added', async () => {
    const [main, shadow, good] = (await domains(3)) as [Route, Route, Route];
    const { pool } = test.api.platform;
    const own = `${uniqueName('x').split('.')[0]}.${test.env.edgeDomain}`;
    await pool.query(`UPDATE names SET name = $2 WHERE route_id = $1`, [main.id, own]);
    await pool.query(`UPDATE routes SET domain_name = $2, domain_name_unicode = $2 WHERE id = $1`, [main.id, own]);
    await pool.query(
      `INSERT INTO names (name, account_id, route_id, subscription_id, kind)
       SELECT $2, account_id, route_id, subscription_id, 'shadow' FROM names WHERE route_id = $1`,
      [shadow.id, `alias.${own}`],
    );
    const selection = { names: [own, shadow.domain_name, good.domain_name] };
    const batch = await start({ action: 'deploy', selection });
    expect(await ended(batch)).toMatchObject({ succeeded: 1, failed: 2 });
    const [ofMain, ofAlias, ofGood] = await itemsOf(batch);
    expect(ofMain?.error?.fields).toEqual({ domain_name: 'OWN_HOST' });
    expect(ofAlias?.error?.fields).toEqual({ 'shadow_domains.0': 'OWN_HOST' });
    expect(ofGood).toMatchObject({ state: 'successful' });
    expect(await read(main)).toMatchObject({ version_live: null });
  });
});

describe('hundreds of domains with an origin each', () => {
  it('ask DNS for a few names at a time, and none fails because the account has asked for many', async () => {
    const owner = await createCustomer(test, { plan: 'vip-enterprise' });
    const template = await createDomain(owner, uniqueName('many.example'));
    const count = 600;
    await test.api.platform.pool.query(
      `WITH made AS (
         INSERT INTO routes (account_id, subscription_id, czone, domain_name, domain_name_unicode, cname, status, draft)
         SELECT account_id, subscription_id, czone, name, name, n || '.' || cname, 'deactivated',
           jsonb_set(draft, '{upstreams,targets,0,host}', to_jsonb('origin-' || n || '.example.net'))
         FROM routes, generate_series(1, $2::int) n, LATERAL (SELECT 'n' || n || '.' || domain_name AS name) named
         WHERE id = $1 RETURNING *)
       INSERT INTO names (name, account_id, route_id, subscription_id, kind)
       SELECT domain_name, account_id, id, subscription_id, 'main' FROM made`,
      [template.id, count],
    );
    const { addresses } = test.dns;
    let open = 0;
    let most = 0;
    const asked = new Set<string>();
    test.dns.addresses = async (name) => {
      // Others ask as well: what looks after the names of earlier tests.
      if (!/^(origin|other)-\d+\.example\.net$/.test(name)) return addresses(name);
      asked.add(name);
      open += 1;
      most = Math.max(most, open);
      await new Promise((resolve) => setImmediate(resolve));
      open -= 1;
      return ['8.8.8.8'];
    };
    try {
      // Most of what the account may have asked at once (3,000) is spent.
      const { egress } = test.api.platform;
      const others = Array.from({ length: 2_600 }, (_, index) => `other-${index}.example.net`);
      await Promise.all(others.map((host) => egress.resolve(owner.accountId, host, 443)));
      const batch = await start({ action: 'deploy', selection: { filter: { q: '.many.example' } } }, owner);
      const done = await eventually(async () => {
        const { result } = await owner.client.getBatch({ params: { id: batch.id } });
        return result.succeeded + result.failed === count + 1 && result;
      }, 60_000);
      expect(done).toMatchObject({ succeeded: count + 1, failed: 0 });
    } finally {
      test.dns.addresses = addresses;
    }
    expect([...asked].filter((name) => name.startsWith('origin-'))).toHaveLength(count);
    expect(most).toBeLessThanOrEqual(25);
  }, 90_000);
});
