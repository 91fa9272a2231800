import { z } from 'zod';
import { batchProgress } from '../entities/batches.ts';
import { immediateOperation, runningOperation } from '../entities/publishing.ts';
import { timestamp } from '../entities/routes.ts';
import { domainStatus, websocketSlot } from '../enumerations.ts';
import { text } from '../text.ts';

/** Below the API's base: `/api/v1/ws/`. The token is never in the address (security design, "Sign-in"). */
export const WEBSOCKET_PATH = 'ws/';
/** What it asks of who connects, as operations do. */
export const WEBSOCKET_ACCESS = { roles: ['user'], scope: 'domains:read', method: 'GET' } as const;

/** How long events are kept for a console that reconnects. */
export const EVENTS_KEPT_MINUTES = 15;

/**
 * First message of the client, within ten seconds; sent again with each fresh token. `last_event_id` of the newest
 * event seen makes the server send what was missed.
 */
export const websocketAuth = z.strictObject({
  type: z.literal('auth'),
  token: text(8192).min(1),
  realm: text(100).default(''),
  last_event_id: z
    .string()
    .regex(/^\d{1,18}$/)
    .optional(),
});
export type WebsocketAuth = z.input<typeof websocketAuth>;

/** Progress of one object: a route or a batch for slot `domain`, a route for `shadow`, a certificate for `issue`. */
const websocketEvent = z.object({
  type: z.literal('event'),
  event_id: z.string(),
  slot: websocketSlot,
  id: z.uuid(),
  at: timestamp,
  status: domainStatus.optional(),
  domain_name: z.string().optional(),
  operation: runningOperation.nullable().optional(),
  immediate_operation: immediateOperation.nullable().optional(),
  ownership_state: z.enum(['pending', 'verified']).optional(),
  batch: batchProgress.optional(),
});
export type WebsocketEvent = z.infer<typeof websocketEvent>;

export const websocketMessage = z.discriminatedUnion('type', [
  z.object({ type: z.literal('ready'), last_event_id: z.string().describe('Newest event of the account so far.') }),
  websocketEvent,
  z
    .object({ type: z.literal('resync') })
    .describe('Events since last_event_id are no longer kept: load everything anew.'),
]);
export type WebsocketMessage = z.infer<typeof websocketMessage>;

/** Why the server closed: by these codes the console decides whether to sign in again or only to reconnect. */
export const WEBSOCKET_CLOSE = { unauthenticated: 4401, forbidden: 4403, malformed: 4400, tooSlow: 4408 } as const;
