import { findDefinition } from '@cordon/plugins/definitions';
import { describe, expect, it } from 'vitest';
import { startEdgeApi } from '../../testing/edge-api.ts';
import { createCustomer, createDomain, eventually, uniqueName, upstreamsTo } from '../../testing/fixtures.ts';
import type { FeedService } from '../edge-nodes/service.ts';
import { createPluginServerTools } from './tools.ts';

const { test, node } = await startEdgeApi();
const customer = await createCustomer(test, { plan: 'vip' });

const nothing = () => Promise.reject(new Error('nothing is put here'));
const noFeeds: FeedService = { put: nothing, find: nothing, findAll: nothing, countInside: nothing };
const noTiers = { tierOf: () => Promise.reject(new Error('no tier is asked for here')) };
const toolsOf = (plugin: string) =>
  createPluginServerTools(
    {
      platform: test.api.platform,
      accounts: { findSuspension: async () => undefined },
      feeds: noFeeds as FeedService,
      subscriptions: noTiers,
      traffic: { listBusyRoutes: nothing },
    },
    plugin,
  );

describe('what a plugin’s server is told of a domain', () => {
  it('that does not configure it are the defaults, also where they are no valid configuration together', async () => {
    const { id, domain_name } = await createDomain(customer);
    expect(findDefinition('geoip')?.schema.safeParse({}).success).toBe(false);
    expect(await toolsOf('geoip').findRoute(customer.accountId, id)).toEqual({
      id,
      domain_name,
      config: {
        mode: 'Blacklist',
        blacklist_countries: [],
        whitelist_countries: [],
        whitelist_ips: [],
        combine_geoip: false,
      },
      isEnabled: false,
      isServed: false,
    });
  });

  it('that configures it is what is live, with every default', async () => {
    const config = { blacklist_countries: ['de'] };
    const { result } = await customer.client.createRoute({
      body: {
        cname: customer.cname,
        domain_name: uniqueName(),
        upstreams: upstreamsTo(),
        plugins: [{ name: 'geoip', enabled: true, config }],
      },
    });
    await customer.client.deployRoute({ params: { id: result.id }, ifMatch: 1, body: {} });
    await eventually(() => node.routes.has(result.id));
    const found = await toolsOf('geoip').findRoute(customer.accountId, result.id);
    expect(found?.config).toMatchObject({ mode: 'Blacklist', blacklist_countries: ['DE'], whitelist_ips: [] });
    expect(found).toMatchObject({ isEnabled: true, isServed: true });
    expect(await toolsOf('under-attack').findRoute(customer.accountId, result.id)).toMatchObject({ isEnabled: true });
  });
});
