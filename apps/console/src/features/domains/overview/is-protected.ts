import type { RouteConfig } from '@cordon/contract';
import { areaOf } from '@cordon/plugins/areas';

/** Whether a plugin that keeps visitors away is set up and switched on. */
export const isProtected = (config: RouteConfig | null): boolean =>
  !!config?.plugins.some(({ name, enabled }) => enabled && ['access', 'protection'].includes(areaOf[name] ?? ''));
