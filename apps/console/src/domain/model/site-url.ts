import type { Route } from '@cordon/contract';
import { isServed } from './domain-state';

/** Address of the site as visitors type it; a wildcard has none, and what is off shows no site. */
export const siteUrl = (
  route: Pick<Route, 'domain_name' | 'status' | 'suspension'> & Partial<Pick<Route, 'ssl_config'>>,
): string | undefined =>
  route.domain_name.startsWith('*.') || !isServed(route)
    ? undefined
    : `${route.ssl_config?.certificate_id ? 'https' : 'http'}://${route.domain_name}/`;
