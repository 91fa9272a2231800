import { z } from 'zod';
import { routeId } from '../entities/routes.ts';
import { hsts, sslConfig } from '../entities/ssl.ts';
import { defineOperations, resultOf } from '../operation.ts';
import { rates } from '../rates.ts';

const idParams = z.object({ id: routeId });

/** How visitors of a domain are led to HTTPS (spec sections 4 and 7). */
export const sslOperations = defineOperations({
  getSslConfig: {
    method: 'GET',
    path: 'domain/routes/{id}/ssl-config/',
    summary: 'Whether HTTPS is forced, what browsers are told of it, and whether there is a certificate for it',
    auth: 'user',
    roles: ['user'],
    scope: 'domains:read',
    rate: 'none',
    params: idParams,
    ok: resultOf(sslConfig),
  },
  updateSslConfig: {
    method: 'PATCH',
    path: 'domain/routes/{id}/ssl-config/',
    summary: 'Force HTTPS or not, and what browsers are told of it (HSTS); at once, without a version',
    auth: 'user',
    roles: ['user'],
    scope: 'domains:write',
    rate: rates.domainWrites,
    params: idParams,
    body: z.strictObject({
      force_https: z
        .boolean()
        .optional()
        .describe('Needs a certificate. To end it, HSTS has to be off, or at 0 seconds.'),
      hsts: hsts.nullable().optional().describe('Needs HTTPS to be forced, but for 0 seconds. Left out: it stays.'),
    }),
    ok: resultOf(sslConfig),
    status: 202,
  },
});
