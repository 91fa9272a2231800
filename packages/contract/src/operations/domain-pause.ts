import { z } from 'zod';
import { PAUSE_MINUTES } from '../constants.ts';
import { route } from '../entities/domains.ts';
import { routeId } from '../entities/routes.ts';
import { defineOperations, resultOf } from '../operation.ts';

const base = { auth: 'user', roles: ['user'], scope: 'domains:write', params: z.object({ id: routeId }) } as const;

/** Takes all protection off a domain for a while, to find out whether it is what breaks a site. */
export const domainPauseOperations = defineOperations({
  pauseRoute: {
    ...base,
    method: 'POST',
    path: 'domain/routes/{id}/pause/',
    summary: 'Switch all protection off for a while: traffic passes to the origin, at once and without a version',
    body: z.strictObject({
      minutes: z
        .union(PAUSE_MINUTES.map((minutes) => z.literal(minutes)))
        .nullable()
        .describe('When it ends by itself; null: when somebody ends it.'),
    }),
    ok: resultOf(route),
    status: 202,
  },
  endPause: {
    ...base,
    method: 'DELETE',
    path: 'domain/routes/{id}/pause/',
    summary: 'Switch protection on again',
    ok: resultOf(route),
    status: 202,
  },
});
