import { type Brand, brandOperations } from '@cordon/contract';
import type { ApiModule } from '../../platform/module.ts';
import { redirectToCanonicalHost } from './canonical-host.ts';
import { createBrandHandlers } from './handlers.ts';
import type { Brands } from './service.ts';

export interface BrandsModuleOptions {
  readonly brands: Brands;
  /** Brand of a hostname with where to sign in under it. */
  readonly brandOf: (hostname: string) => Brand;
}

/** Sends pages to the one address of their brand. Mounted before the modules that serve pages. */
export const createBrandsModule = ({ brands, brandOf }: BrandsModuleOptions): ApiModule => ({
  mount: (app, mount) => {
    redirectToCanonicalHost(app, brands);
    mount(brandOperations, createBrandHandlers(brandOf));
  },
});
