import type { Brand, brandOperations } from '@cordon/contract';
import type { Handlers } from '../../platform/mount.ts';

/** @param brandOf Brand of a hostname with where to sign in under it. */
export const createBrandHandlers = (brandOf: (hostname: string) => Brand): Handlers<typeof brandOperations> => ({
  getBrand: async ({ req }) => brandOf(req.hostname),
});
