import { z } from 'zod';
import { planTier } from '../enumerations.ts';
import { timestamp } from './routes.ts';

const planFeatures = z.object({
  domains: z.number().int().describe('Names included; main names and shadow domains count.'),
  traffic_gb: z.number().int(),
  wildcard_domain: z.boolean(),
  domain_upstream: z.boolean().describe('Upstream targets given by name.'),
  custom_headers: z.boolean(),
  proxy_host: z.boolean(),
  full_websocket: z.boolean(),
  ipv6: z.boolean(),
});

export const subscription = z.object({
  id: z.uuid(),
  cname: z.string().describe('Own name of the subscription under its czone; other objects refer to it by this.'),
  czone: z.string(),
  plan_name: z.string(),
  plan: z.string(),
  tier: planTier,
  status: z.enum(['active', 'expired', 'suspended']),
  expiry: timestamp.nullable().describe('Null: does not expire.'),
  additional_domain_number: z.number().int(),
  additional_traffic: z.number().int().describe('GB, 10^9 bytes.'),
  features: planFeatures,
  ipv6: z.boolean().describe('Whether its names answer AAAA; once true for ever.'),
  usage: z.object({ domains: z.number().int() }),
});
export type Subscription = z.infer<typeof subscription>;

/** Spec section 7, "configure subscription". */
export const subscriptionConfig = z.object({
  cname: z.string(),
  ipv6: z.boolean().describe('Whether every name of the subscription answers AAAA.'),
  can_enable_ipv6: z.boolean().describe('Whether the plan includes it.'),
  ipv6_addresses: z.array(z.string()).describe('What the names answer: addresses of the nodes of its czone.'),
});
export type SubscriptionConfig = z.infer<typeof subscriptionConfig>;
