import type { Brands } from './modules/brands/service.ts';
import type { ApiModule, Platform } from './platform/module.ts';

/** Every module of the control plane, wired. */
export async function createModules(_platform: Platform, _brands: Brands): Promise<ApiModule[]> {
  return [];
}
