import type { PluginPreview } from '@cordon/contract';
import { ROUTE_ID } from '../../../domain/testing/sample-route';

/** What a template would change on a domain: there, that it redirects. */
export const samplePreview = (name: string, change: Partial<PluginPreview> = {}): PluginPreview => ({
  route_id: `${ROUTE_ID.slice(0, -2)}${name.charCodeAt(0)}`,
  domain_name: name,
  domain_name_unicode: name,
  status: 'running',
  before: { traffic_action: 'upstream', plugins: [] },
  after: { traffic_action: 'redirect', plugins: [] },
  lists: [],
  changed: ['traffic_action'],
  error: null,
  deploys: true,
  is_live: false,
  also_deploys: 0,
  ...change,
});
