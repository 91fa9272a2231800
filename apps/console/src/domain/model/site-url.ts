import type { Route } from '@cordon/contract';

/** Address of the site as visitors type it; a wildcard has none. */
export const siteUrl = (route: Pick<Route, 'domain_name'> & Partial<Pick<Route, 'ssl_config'>>): string | undefined =>
  route.domain_name.startsWith('*.')
    ? undefined
    : `${route.ssl_config?.certificate_id ? 'https' : 'http'}://${route.domain_name}/`;
