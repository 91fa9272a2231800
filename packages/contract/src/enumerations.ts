import { z } from 'zod';

/** Spec section 4: status of a domain. */
export const domainStatus = z.enum(['running', 'deactivated', 'deleting', 'deleted']);
export type DomainStatus = z.infer<typeof domainStatus>;

/** Spec section 4: status of a certificate. */
export const certificateStatus = z.enum([
  'draft',
  'issued',
  'expiring_soon',
  'expired',
  'pending_validation',
  'error',
  'disabled',
]);

/** Spec section 3: how a certificate came to be. */
export const certificateType = z.enum(['http', 'dns', 'upload', 'auto']);

/** Spec section 4, tickets. */
export const ticketStatus = z.enum(['new', 'in_progress', 'resolved', 'closed']);
export const ticketPriority = z.enum(['high', 'low']);
export const ticketCategory = z.enum(['billing', 'feedback', 'other']);

/** Spec section 4: steps of "configure subscription". */
export const configureSubscriptionStep = { domain: '1', upgrade: '2', configure: '3' } as const;

/** Spec section 4: states of a list view. */
export const listViewState = z.enum(['none', 'idle', 'loading', 'saving']);

/** Spec section 4: what happens to a domain's traffic. */
/** Names that a wildcard of a domain answers for: those directly below it, as certificates do, or all below it. */
export const wildcardLevels = z.enum(['one', 'all']);
export type WildcardLevels = z.infer<typeof wildcardLevels>;
export const trafficAction = z.enum(['upstream', 'redirect']);
export type TrafficAction = z.infer<typeof trafficAction>;

/** What only some deployments offer, because their operator has to set it up. */
export const DEPLOYMENT_FEATURES = ['recaptcha'] as const;
export type DeploymentFeature = (typeof DEPLOYMENT_FEATURES)[number];

/** Spec section 4: geo mode. */
export const geoMode = z.enum(['Blacklist', 'Whitelist']);

/** Spec section 4: how the time range is chosen. */
export const timeRangeAdjustment = z.enum(['relative', 'time_frame', 'custom']);

/** Product design: `http_https` connects as the visitor came. */
export const upstreamProtocol = z.enum(['http', 'https', 'http_https'], {
  error: ({ input }) => ((input ?? '') === '' ? 'PROTOCOL_REQUIRED' : undefined),
});
export type UpstreamProtocol = z.infer<typeof upstreamProtocol>;

/** How an https origin's certificate is verified: by public CAs and for its name, not at all, or by the domain's `tls_ca`. */
export const tlsVerification = z.enum(['strict', 'off', 'custom']);
export type TlsVerification = z.infer<typeof tlsVerification>;

/** Kinds of devices for which a cache keeps objects of their own (`by_device`). */
export const cacheDevice = z.enum(['mobile', 'tablet', 'desktop']);
export type CacheDevice = z.infer<typeof cacheDevice>;

/** Spec section 3: websocket slots. */
export const websocketSlot = z.enum(['issue', 'domain', 'shadow']);
export type WebsocketSlot = z.infer<typeof websocketSlot>;

/** Spec section 3: cluster names. */
export const czoneName = z.enum(['free01', 'free02', 'vip01', 'vip02']);

/** Spec section 6: plans distinguish free from VIP. */
export const planTier = z.enum(['free', 'vip']);
export type PlanTier = z.infer<typeof planTier>;

/** Roles of a user: `user`, and `view-attack` on the account resource (spec section 6); `dns` is granted by sales. */
export const role = z.enum(['user', 'view-attack', 'dns']);
export type Role = z.infer<typeof role>;

/** Spec section 1: languages of the console. */
export const locale = z.enum(['en', 'zh']);
export type Locale = z.infer<typeof locale>;

/** What of a domain's cache is cleared. */
export const clearKind = z
  .enum(['all', 'urls', 'prefixes', 'tags'])
  .describe('What `values` are; `all`: everything that is stored of the domain.');
export type ClearKind = z.infer<typeof clearKind>;
