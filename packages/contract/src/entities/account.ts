import { z } from 'zod';
import { locale, planTier, role } from '../enumerations.ts';
import { timestamp } from './domain.ts';

export const me = z.object({
  user: z.object({ id: z.uuid(), email: z.string(), name: z.string(), locale, roles: z.array(role) }),
  account: z.object({ id: z.uuid(), name: z.string(), time_zone: z.string(), suspended: z.boolean() }),
});
export type Me = z.infer<typeof me>;

export const planFeatures = z.object({
  domains: z.number().int().describe('Names included; main and alias names count.'),
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

/** Settings of the deployment that the console needs once signed in. */
export const deploymentConfig = z.object({
  edge: z.object({
    http_port: z.number().int(),
    https_port: z.number().int(),
    addresses: z.record(z.string(), z.array(z.string())).describe('Node addresses by czone.'),
  }),
  demo: z.boolean(),
  absent_parts: z.array(z.string()).describe('Parts that are not installed, such as `edge`: nothing is served then.'),
});

export const brand = z.object({
  key: z.string(),
  name: z.string(),
  title: z.object({ en: z.string(), zh: z.string() }),
  logo_svg: z.string().nullable().describe('Data URL.'),
  colors: z.object({ primary: z.string(), primary_dark: z.string(), soft: z.string(), soft_dark: z.string() }),
  white_label: z.boolean().describe('Hides billing and membership screens.'),
  abuse_contact: z.string(),
  support_email: z.string(),
  chat_enabled: z.boolean(),
  oidc: z.object({ authority: z.string(), client_id: z.string(), realm: z.string() }),
});
export type Brand = z.infer<typeof brand>;
