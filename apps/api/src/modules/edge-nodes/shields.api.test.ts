import { afterAll, expect, it } from 'vitest';
import { runOperator } from '../../operator/run.ts';
import { eventually, startFakeNode } from '../../testing/fixtures.ts';
import { startApi } from '../../testing/start-api.ts';

/** Origin shields: nodes of a czone that its other nodes fetch through. */

const test = await startApi();
const shield = await startFakeNode(test, ['vip01', 'free01'], { addresses: ['203.0.113.31', '203.0.113.32'] });
const other = await startFakeNode(test, ['vip01'], { addresses: ['203.0.113.33'] });
const elsewhere = await startFakeNode(test, ['vip02', 'free01'], { addresses: ['203.0.113.34'] });
const nodes = [shield, other, elsewhere];
afterAll(async () => {
  for (const node of nodes) node.stop();
  await test.stop();
});

async function operator(...args: string[]): Promise<string[]> {
  const lines: string[] = [];
  const { env, db } = test.api.platform;
  await runOperator({ env, db, print: (line) => lines.push(line), readStdin: async () => '' }, args);
  return lines;
}
const setShields = (names: string, czone = 'vip01') =>
  operator('czone', 'shield', '--czone', czone, '--nodes', names, '--reason', 'far origins');

it('tells the nodes of a czone, within seconds and them alone, which of them are its shields, where, and whether they live', async () => {
  await test.api.platform.pool.query('UPDATE edge_nodes SET down_since = now() WHERE name = $1', [shield.name]);
  expect(await setShields(shield.name)).toEqual([`nodes of vip01 fetch through ${shield.name}`]);
  await eventually(() => other.settings?.shields?.length === 1, 3_000);
  expect(other.settings?.shields).toEqual([
    {
      czone: 'vip01',
      key: expect.stringMatching(/^[\w-]{43}$/),
      nodes: [{ address: '203.0.113.31', port: 443, is_live: false, is_self: false }],
    },
  ]);
  await fetch(`${test.url}/api/v1/edge/heartbeat/`, {
    method: 'POST',
    headers: { authorization: `Bearer ${shield.credential}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      agent_version: 'test',
      cursor: shield.cursor,
      nginx: 'running',
      routes: 0,
      targets_down: [],
      log_backlog_bytes: 0,
      log_rows_dropped: 0,
      https_port: 8443,
    }),
  });
  const own = () => shield.settings?.shields?.[0]?.nodes[0];
  await eventually(() => own()?.is_live === true, 3_000);
  expect(own()).toEqual({ address: '203.0.113.31', port: 8443, is_live: true, is_self: true });
  await eventually(() => other.settings?.shields?.[0]?.nodes[0]?.is_live === true, 3_000);
  expect(other.settings?.shields?.[0]?.key).toBe(shield.settings?.shields?.[0]?.key);
  expect(elsewhere.settings?.shields).toEqual([]);
  await test.api.platform.pool.query('UPDATE edge_nodes SET down_since = now() WHERE name = $1', [shield.name]);
  await eventually(() => other.settings?.shields?.[0]?.nodes[0]?.is_live === false, 3_000);
});

it('has a key for each czone, and forgets shields that are taken back or cut off', async () => {
  await setShields(`${shield.name}, ${other.name}`);
  await setShields(shield.name, 'free01');
  await eventually(() => elsewhere.settings?.shields?.length === 1 && shield.settings?.shields?.length === 2, 3_000);
  const keys = shield.settings?.shields?.map(({ key }) => key) ?? [];
  expect(new Set(keys).size).toBe(2);
  expect(elsewhere.settings?.shields?.[0]).toMatchObject({ czone: 'free01', key: keys[0] });
  expect((await operator('czone', 'list')).slice(0, 3)).toEqual([
    `free01\tshields ${shield.name}`,
    'free02\tno shields',
    `vip01\tshields ${[shield.name, other.name].sort().join(',')}`,
  ]);
  expect(await operator('czone', 'unshield', '--czone', 'free01', '--reason', 'near origins')).toEqual([
    'nodes of free01 ask origins themselves',
  ]);
  await eventually(() => elsewhere.settings?.shields?.length === 0, 3_000);
  await test.api.platform.pool.query('UPDATE edge_nodes SET revoked_at = now() WHERE name = $1', [other.name]);
  await eventually(() => shield.settings?.shields?.[0]?.nodes.length === 1, 3_000);
  const { rows } = await test.api.platform.pool.query(
    `SELECT subject, reason, details FROM audit_log WHERE action = 'operator.czone_shield' ORDER BY id DESC LIMIT 1`,
  );
  expect(rows).toEqual([{ subject: 'czone free01', reason: 'near origins', details: { nodes: [] } }]);
});

it('takes nodes of the czone only, and leaves nothing behind where it refuses', async () => {
  const before = await operator('czone', 'list');
  await expect(setShields(`${shield.name},${elsewhere.name}`)).rejects.toThrow(
    `There is no node "${elsewhere.name}" of vip01 that has an address.`,
  );
  await expect(setShields(shield.name, 'moon')).rejects.toThrow('There is no czone "moon"');
  await expect(setShields(' , ')).rejects.toThrow('--nodes');
  await expect(operator('czone', 'shield', '--nodes', shield.name, '--reason', 'x')).rejects.toThrow('--czone');
  await expect(operator('czone', 'shield', '--czone', 'vip01', '--nodes', shield.name)).rejects.toThrow('--reason');
  expect(await operator('czone', 'list')).toEqual(before);
});
