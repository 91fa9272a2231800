import { accountHealth } from '../entities/diagnosis.ts';
import { defineOperations, resultOf } from '../operation.ts';

export const healthOperations = defineOperations({
  getAccountHealth: {
    method: 'GET',
    path: 'domain/health/',
    summary: 'How many domains are well, and those that need fixing, worst first',
    auth: 'user',
    roles: ['user'],
    scope: 'domains:read',
    rate: 'none',
    ok: resultOf(accountHealth),
  },
});
