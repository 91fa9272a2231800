import type { ApiModule } from '../../platform/module.ts';
import { redirectAliases } from './canonical-host.ts';
import type { Brands } from './service.ts';

/** Sends pages to the one address of their brand. Mounted before the modules that serve pages. */
export const createBrandsModule = (brands: Brands): ApiModule => ({ mount: (app) => redirectAliases(app, brands) });
