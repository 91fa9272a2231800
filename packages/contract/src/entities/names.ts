import { z } from 'zod';
import { timestamp } from './routes.ts';

const pointRecord = z.object({ type: z.enum(['CNAME', 'A', 'AAAA']), name: z.string(), value: z.array(z.string()) });

export const ownership = z.object({
  state: z.enum(['pending', 'verified']).describe('Whether the name is proved to point here.'),
  method: z.enum(['cname', 'address_and_txt', 'demo', 'operator']).nullable(),
  checked_at: timestamp.nullable(),
  seen: z
    .array(z.string().max(255))
    .max(20)
    .nullable()
    .describe('What the last look at DNS found; null: DNS did not answer.'),
  record: pointRecord.describe('The one record to set.'),
  record_ipv6: pointRecord
    .nullable()
    .describe('The AAAA record to set beside it: at an apex, where no CNAME gives the addresses, with IPv6 on.'),
  txt: z
    .object({ name: z.string(), value: z.string() })
    .describe('TXT proof: needed at an apex, and against a squatter.'),
  taken_elsewhere: z.boolean().describe('Another account holds the name; TXT proof moves it here.'),
});
export type Ownership = z.infer<typeof ownership>;

/** A shadow domain (spec section 3). */
export const shadowDomain = z.object({
  name: z.string(),
  name_unicode: z.string().describe('As people read it.'),
  ownership,
  created_at: timestamp,
});
export type ShadowDomain = z.infer<typeof shadowDomain>;
