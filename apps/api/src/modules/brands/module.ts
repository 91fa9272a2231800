import { type Brand, brandOperations } from '@cordon/contract';
import type { OpenidEndpoints } from '@cordon/contract/page-data';
import type { ApiModule } from '../../platform/module.ts';
import { redirectToCanonicalHost } from './canonical-host.ts';
import { mountConsolePages } from './console-pages.ts';
import { createBrandHandlers } from './handlers.ts';
import type { Brands } from './service.ts';

export interface BrandsModuleOptions {
  readonly brands: Brands;
  /** Brand of a hostname with where to sign in under it. */
  readonly brandOf: (hostname: string) => Brand;
  /** Endpoints of the provider under a hostname; null when it is another server's. */
  readonly endpointsOf: (hostname: string) => OpenidEndpoints | null;
  /** The folder of the built console, if it is built. */
  readonly consoleRoot: string | undefined;
}

/** Sends pages to the one address of their brand, and serves the console's page with the brand in it. */
export const createBrandsModule = ({ brands, brandOf, endpointsOf, consoleRoot }: BrandsModuleOptions): ApiModule => ({
  mount: (app, mount) => {
    redirectToCanonicalHost(app, brands);
    mount(brandOperations, createBrandHandlers(brandOf));
    if (consoleRoot !== undefined)
      mountConsolePages(app, consoleRoot, (hostname) => ({
        brand: brandOf(hostname),
        openid: endpointsOf(hostname),
      }));
  },
});
