import { brand } from '../entities/brands.ts';
import { defineOperations, resultOf } from '../operation.ts';

export const brandOperations = defineOperations({
  getBrand: {
    method: 'GET',
    path: 'brand/',
    summary: 'Brand of this hostname, for the console before sign-in',
    auth: 'public',
    rate: 'none',
    ok: resultOf(brand),
  },
});
