import type { Health, Receipt, Route, RouteConfig, Subscription, Suspension } from '@cordon/contract';

export const ROUTE_ID = '0190f3a0-0000-7000-8000-000000000001';

export const sampleConfig = (hosts: readonly string[] = ['192.0.2.10']): RouteConfig => ({
  traffic_action: 'upstream',
  upstreams: {
    protocol: 'http',
    targets: hosts.map((host) => ({ host, port: null, weight: 1, backup: false })),
    connection_limit: 0,
    tls_verification: 'strict',
    tls_ca: null,
  },
  plugins: [],
});

/** Of a domain that was proved, and whose record is gone. */
export const goneRecord: Health = {
  state: 'error',
  looked_at: '2026-11-20T10:00:00Z',
  findings: [
    {
      check: 'ownership',
      state: 'error',
      finding: 'proved_but_no_record',
      params: { name: 'www.example.com' },
      advice: 'add_cname',
      since: null,
    },
  ],
};

export const sampleRoute = (change: Partial<Route> = {}): Route => ({
  id: ROUTE_ID,
  domain_name: 'www.example.com',
  domain_name_unicode: 'www.example.com',
  cname: 'k3v9x2m4q8w1z7t5.s1.vip01.edge.cordon.test',
  subscription_cname: 's1.vip01.edge.cordon.test',
  status: 'running',
  last_deployed: '2026-11-20T10:00:00Z',
  version_live: 7,
  pending_changes: 0,
  traffic_action: 'upstream',
  upstream_summary: 'http://192.0.2.10',
  ownership_state: 'verified',
  group_id: null,
  remarks: '',
  operation: null,
  suspension: null,
  is_paused: false,
  development_ends_at: null,
  certificate_expires_at: null,
  certificate_finding: null,
  health: { state: 'ok', findings: [], looked_at: '2026-11-20T10:00:00Z' },
  created_at: '2026-11-01T10:00:00Z',
  updated_at: '2026-11-20T10:00:00Z',
  shadow_domains: [],
  immediate_operation: null,
  paused: null,
  draft: sampleConfig(),
  draft_revision: 12,
  draft_updated_at: '2026-11-20T10:00:00Z',
  draft_updated_by: 'lin@example.com',
  live: sampleConfig(),
  live_version: {
    version: 7,
    created_at: '2026-11-20T10:00:00Z',
    created_by: 'lin@example.com',
    created_by_kind: 'user',
    note: '',
    rolled_back_to: null,
    changes: null,
    changed: null,
    live: true,
    gone_names: [],
  },
  ownership: {
    state: 'verified',
    method: 'cname',
    checked_at: '2026-11-20T10:00:00Z',
    seen: [],
    record: { type: 'CNAME', name: 'www.example.com', value: ['k3v9x2m4q8w1z7t5.s1.vip01.edge.cordon.test'] },
    record_ipv6: null,
    txt: { name: '_cordon-challenge.www.example.com', value: 'cordon-verify=1' },
    taken_elsewhere: false,
  },
  ssl_config: { certificate_id: null, force_https: false },
  auto_generate_cert: true,
  ipv6: false,
  ...change,
});

export const sampleSubscription = (tier: 'free' | 'vip' = 'vip'): Subscription => ({
  id: '0190f3a0-0000-7000-8000-000000000901',
  cname: 's1.vip01.edge.cordon.test',
  czone: 'vip01',
  plan_name: tier === 'vip' ? 'VIP Business' : 'Free',
  plan: tier,
  tier,
  status: 'active',
  expiry: null,
  additional_domain_number: 0,
  additional_traffic: 0,
  features: {
    domains: 3,
    traffic_gb: 10,
    wildcard_domain: tier === 'vip',
    domain_upstream: tier === 'vip',
    custom_headers: tier === 'vip',
    proxy_host: tier === 'vip',
    full_websocket: tier === 'vip',
    ipv6: tier === 'vip',
  },
  ipv6: false,
  usage: { domains: 1 },
});

export const sampleSuspension = (change: Partial<Suspension> = {}): Suspension => ({
  scope: 'domain',
  since: '2026-11-21T08:30:00Z',
  reason: 'phishing, ticket 7',
  ...change,
});

export const sampleReceipt = (change: Partial<Receipt> = {}): Receipt => ({
  route_id: ROUTE_ID,
  version: 7,
  action: 'deploy',
  state: 'successful',
  committed_at: '2026-11-20T10:00:00Z',
  nodes: [
    {
      node: 'fra-1',
      state: 'live',
      version: 7,
      live_ms: 42,
      probe_status: 200,
      refusal: null,
      at: '2026-11-20T10:00:00Z',
    },
    {
      node: 'hkg-2',
      state: 'live',
      version: 7,
      live_ms: 187,
      probe_status: 200,
      refusal: null,
      at: '2026-11-20T10:00:00Z',
    },
  ],
  ...change,
});
