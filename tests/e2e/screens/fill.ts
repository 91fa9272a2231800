import { type Customer, deployDomain } from '../../support/customer.ts';
import { edgeRequest } from '../../support/edge-request.ts';
import type { Instance } from '../../support/instance.ts';
import type { TestOrigin } from '../../support/origin.ts';
import { until } from '../../support/until.ts';
import { filled, NAMES } from './screen.ts';

/** A template that was applied to two domains, of which one has drifted, and one that fits no domain. */
async function fillTemplates(customer: Customer): Promise<void> {
  const restriction = { allow: [], deny: ['198.41.128.7'], whitelistMode: false, blacklistMode: true };
  const plugins = [{ name: 'ip-restriction', enabled: true, config: restriction }];
  const cname = customer.subscriptionCname;
  const description = 'Addresses that copy our shops; reviewed by the security team every month';
  const { result } = await customer.api.createRule({ body: { cname, name: 'Scrapers', description, plugins } });
  filled.ruleId = result.id;
  const applied = await customer.api.applyRule({
    params: { id: filled.ruleId },
    ifMatch: 1,
    body: { selection: { names: [NAMES.long, 'shop-1.example'] } },
  });
  await until('the template is applied', async () => {
    const { result: batch } = await customer.api.getBatch({ params: { id: applied.result.id } });
    return batch.state !== 'running';
  });
  const drifted = (await customer.api.getRoute({ params: { id: filled.ids.long } })).result;
  await customer.api.updateRoute({
    params: { id: filled.ids.long },
    ifMatch: drifted.draft_revision,
    body: { plugins: [{ name: 'ip-restriction', enabled: false, config: restriction }] },
  });
}

/** Bans of every kind: of all domains and of one, with and without an end, a note and a long address. */
async function fillBans(customer: Customer): Promise<void> {
  const ban = (networks: string[], route_id: string | null, seconds: number | null, note: string) =>
    customer.api.addBans({ body: { networks, route_id, seconds, note } });
  await ban(['198.41.131.0/24'], null, null, 'Scans for holes in old software, from a network that never answers mail');
  await ban(['198.41.132.7'], filled.ids.long, 86_400, '');
  await ban(['2606:4700:1234:5678:9abc:def0:1234:5678'], filled.ids.live, 3600, 'Comment spam');
}

/** With and without an end and a note. */
async function fillAllowList(customer: Customer): Promise<void> {
  const ends_at = new Date(Date.now() + 30 * 86_400_000).toISOString();
  await customer.api.allowNetworks({ body: { networks: ['2606:4700:1234:5678:9abc:def0:1234:5678'], ends_at } });
  await customer.api.allowNetworks({
    body: { networks: ['198.41.140.0/24'], note: 'Uptime monitoring of our partner in Lyon' },
  });
}

/** Clears of two domains at times to come, of everything and of tags. */
async function fillTasks(customer: Customer): Promise<void> {
  const at = new Date(Date.now() + 20 * 86_400_000).toISOString();
  const route_ids = [filled.ids.long, filled.ids.live];
  await customer.api.runTask({ body: { kind: 'clear cache', route_ids, at, soft: true } });
  const values = ['shop', 'front-page', 'a-rather-long-tag-that-somebody-chose-for-all-answers-of-their-shop'];
  await customer.api.runTask({ body: { kind: 'clear cache', route_ids, at, clear_kind: 'tags', values } });
}

/** Domains in every state, templates and traffic for the screens of the full account. */
export async function fill(instance: Instance, origin: TestOrigin, customer: Customer): Promise<void> {
  const upstreams = { protocol: 'http' as const, targets: [{ host: '127.0.0.1', port: origin.port }] };
  const add = async (domain_name: string, deploy: boolean) =>
    (
      await customer.api.createRoute({
        body: { cname: customer.subscriptionCname, domain_name, upstreams, deploy },
      })
    ).result;
  const live = await deployDomain(instance, customer, NAMES.live, origin.port);
  filled.ids.live = live.id;
  const restriction = { allow: [], deny: ['198.41.128.7', '10.0.0.0/8'], whitelistMode: false, blacklistMode: true };
  await customer.api.updateRoute({
    params: { id: live.id },
    ifMatch: live.draft_revision,
    body: { plugins: [{ name: 'ip-restriction', enabled: true, config: restriction }], deploy: true, note: 'Scrapers' },
  });
  filled.ids.long = (await add(NAMES.long, true)).id;
  filled.ids.draft = (await add('bücher.screens.example', false)).id;
  const paused = await add('www.resting.example', true);
  filled.ids.paused = paused.id;
  for (let count = 1; count <= 9; count++) await add(`shop-${count}.example`, count % 2 === 0);
  await until('the deploys are done', async () => {
    const { results } = await customer.api.listRoutes({ query: { perpage: 100 } });
    return results.every(({ operation }) => operation?.state !== 'running');
  });
  await customer.api.deactivateRoute({ params: { id: paused.id } });
  await customer.api.addShadowDomains({ params: { id: live.id }, body: { names: [NAMES.shadow, 'live.example'] } });
  await customer.api.pauseRoute({ params: { id: filled.ids.long }, body: { minutes: 60 } });
  const latest = (await customer.api.getRoute({ params: { id: live.id } })).result;
  await customer.api.updateRoute({
    params: { id: live.id },
    ifMatch: latest.draft_revision,
    body: {
      upstreams: {
        protocol: 'http',
        targets: [
          { host: '127.0.0.1', port: origin.port, weight: 3 },
          { host: '198.41.128.9', port: null, weight: 1 },
        ],
      },
    },
  });
  await fillTemplates(customer);
  await fillBans(customer);
  await fillAllowList(customer);
  await fillTasks(customer);
  for (const [index, address] of ['1.1.1.1', '8.8.8.8', '198.41.128.7', '2606:4700::1111'].entries()) {
    for (let count = 0; count <= index; count++)
      await edgeRequest(instance.ports.edgeHttp, NAMES.live, `/path/${count}?with=a-query&and=more`, {
        'x-forwarded-for': address,
      });
  }
}
