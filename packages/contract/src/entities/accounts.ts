import { z } from 'zod';
import { DEPLOYMENT_FEATURES, locale, role } from '../enumerations.ts';
import { timestamp } from './routes.ts';

export const me = z.object({
  user: z.object({
    id: z.uuid(),
    email: z.string(),
    name: z.string(),
    locale: locale.nullable().describe('Null: none was chosen, and the browser says which.'),
    roles: z.array(role),
  }),
  account: z.object({
    id: z.uuid(),
    name: z.string(),
    time_zone: z.string(),
    suspended: z.boolean(),
    created_at: timestamp,
  }),
});
export type Me = z.infer<typeof me>;

/** What the console needs to know of the deployment, and how it is reached, once signed in. */
export const deploymentConfig = z.object({
  edge: z.object({
    http_port: z.number().int(),
    https_port: z.number().int(),
    addresses: z.record(z.string(), z.array(z.string())).describe('Node addresses by czone.'),
  }),
  client_address: z.string().describe('Address that this request came from, as the deployment sees it.'),
  demo: z.boolean(),
  features: z
    .array(z.enum(DEPLOYMENT_FEATURES))
    .describe('What its operator has set up. `recaptcha`: visitors can be asked for Google reCAPTCHA.'),
  absent_parts: z.array(z.string()).describe('Parts that are not installed, such as `edge`: nothing is served then.'),
});
