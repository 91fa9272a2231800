import type { PluginPreview } from '@cordon/contract';
import { ROUTE_ID } from '../../../domain/testing/sample-route';

export const restriction = (...deny: string[]) => ({
  name: 'ip-restriction',
  enabled: true,
  config: { allow: [], deny, whitelistMode: false, blacklistMode: true, allow_spiders: true },
});
/** What a template would change on a domain, for tests. */
export const previewOf = (name: string, change: Partial<PluginPreview> = {}): PluginPreview => ({
  route_id: `${ROUTE_ID.slice(0, -2)}${name.charCodeAt(0)}`,
  domain_name: name,
  domain_name_unicode: name,
  status: 'running',
  before: { traffic_action: 'upstream', plugins: [restriction('198.41.128.7')] },
  after: { traffic_action: 'upstream', plugins: [restriction('8.8.8.8')] },
  lists: [],
  changed: ['ip-restriction'],
  error: null,
  deploys: true,
  is_live: false,
  also_deploys: 0,
  ...change,
});
