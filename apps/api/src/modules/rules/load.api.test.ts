import type { PluginEntry, PluginPreview, RuleLists } from '@cordon/contract';
import { beforeAll, describe, expect, it } from 'vitest';
import { startEdgeApi } from '../../testing/edge-api.ts';
import { HELD_MS_MAX, heldMs } from '../../testing/event-loop.ts';
import { type Customer, createCustomer, createDomain, eventually } from '../../testing/fixtures.ts';

const DOMAINS = 4;
const ENTRIES = 10_000;
const ANSWER_BYTES_MAX = 64 * 1024;

const { test, node } = await startEdgeApi();
let customer: Customer;

const network = (at: number) => `2606:4700:${(at >> 8).toString(16)}:${(at & 255).toString(16)}::/64`;
/** Two lists as long as a plan has room for, which begin at a number of their own. */
const restriction = (from: number, count = ENTRIES): PluginEntry => {
  const list = (start: number) => Array.from({ length: count }, (_, at) => network(start + at));
  return {
    name: 'ip-restriction',
    enabled: true,
    config: {
      allow: list(from),
      deny: list(from + ENTRIES),
      blacklistMode: true,
      whitelistMode: false,
      allow_spiders: true,
    },
  };
};

async function createRule(name: string, from: number, lists: RuleLists, count = ENTRIES) {
  const { result } = await customer.client.createRule({
    body: { cname: customer.cname, name, plugins: [restriction(from, count)], lists },
  });
  return result;
}

/** Applies a rule to all domains. */
async function apply(rule: { id: string; revision: number }): Promise<void> {
  const { result } = await customer.client.applyRule({
    params: { id: rule.id },
    ifMatch: rule.revision,
    body: { selection: { filter: {} }, deploy: true, note: '' },
  });
  await eventually(
    async () => (await customer.client.getBatch({ params: { id: result.id } })).result.state === 'successful',
    60_000,
  );
}

beforeAll(async () => {
  await node.heartbeat();
  customer = await createCustomer(test, { plan: 'vip-enterprise' });
  for (let count = 0; count < DOMAINS; count++) {
    const { id } = await createDomain(customer);
    await customer.client.deployRoute({ params: { id }, ifMatch: 1, body: {} });
  }
}, 60_000);

describe.each([
  ['replaces', 'replace', ENTRIES],
  ['is merged into', 'merge', ENTRIES / 2],
] as const)('a rule whose long list %s those of domains', (_, lists, count) => {
  it('is applied and deployed without holding the event loop', async () => {
    const first = await createRule(`first of ${lists}`, 0, 'replace', ENTRIES / 2);
    const other = await createRule(`other of ${lists}`, 3 * ENTRIES, lists, count);
    // Each time from where it began: what is applied already changes nothing.
    const held = await heldMs(() => apply(other), { prepare: () => apply(first) });
    expect(held).toBeLessThan(HELD_MS_MAX);
  }, 120_000);
});

describe.each(['replace', 'merge'] as const)('a rule of 20,000 networks, %s', (lists) => {
  let rule: { id: string; revision: number };
  beforeAll(async () => {
    await apply(await createRule(`before ${lists}`, 0, 'replace'));
    rule = await createRule(lists, 0, lists);
    await apply(rule);
  }, 120_000);

  it('is previewed in a small answer without holding the event loop', async () => {
    const other = await createRule(`other than ${lists}`, 3_000, 'replace');
    let bytes = 0;
    let previews: PluginPreview[] = [];
    const held = await heldMs(async () => {
      const { text, body } = await test.call('POST', `domain/rules/${other.id}/preview/?perpage=100`, {
        token: customer.token,
        body: { selection: { filter: {} } },
      });
      bytes = text.length;
      previews = body.results;
    });
    expect(previews).toHaveLength(DOMAINS);
    expect(previews[0]?.lists).toContainEqual({
      plugin: 'ip-restriction',
      path: 'deny',
      before: ENTRIES,
      after: ENTRIES,
      added: 3_000,
      removed: 3_000,
    });
    const denied = ({ plugins }: PluginPreview['before']) => plugins[0]?.config.deny as string[];
    expect(denied(previews[0]?.before as PluginPreview['before'])[0]).toBe(network(ENTRIES));
    expect(denied(previews[0]?.after as PluginPreview['after'])[0]).toBe(network(2 * ENTRIES));
    expect(bytes).toBeLessThan(ANSWER_BYTES_MAX);
    expect(held).toBeLessThan(HELD_MS_MAX);
  }, 120_000);

  it('is compared with its domains without holding the event loop', async () => {
    const states = async () => {
      const { results } = await customer.client.listRuleDomains({ params: { id: rule.id } });
      return results.map(({ state }) => state);
    };
    expect(await heldMs(async () => void expect(await states()).toEqual(Array(DOMAINS).fill('same')))).toBeLessThan(
      HELD_MS_MAX,
    );
    let next = 1;
    const changed = await heldMs(async () => {
      // Another list each time: what was judged is remembered.
      const { result } = await customer.client.updateRule({
        params: { id: rule.id },
        ifMatch: rule.revision,
        body: { plugins: [restriction(next++)] },
      });
      rule = result;
      expect(result.differing).toBe(DOMAINS);
      expect(await states()).toEqual(Array(DOMAINS).fill('rule_changed'));
    });
    expect(changed).toBeLessThan(HELD_MS_MAX);
  }, 120_000);
});
