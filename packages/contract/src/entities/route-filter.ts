import { z } from 'zod';
import { domainStatus } from '../enumerations.ts';

/** What narrows the list of domains down; the same for the list, its CSV file and a selection of all that match. */
export const routeFilter = z.strictObject({
  q: z.string().max(253).optional().describe('Part of a name or remark.'),
  domain_name: z.string().max(253).optional().describe('Exactly this name.'),
  status: domainStatus.exclude(['deleted']).optional(),
  cname: z.string().min(1).max(255).optional().describe('Domains of this subscription.'),
  group: z.uuid().optional().describe('Domains of this group.'),
});
export type RouteFilter = z.input<typeof routeFilter>;

export const routeSort = z
  .enum(['domain_name', '-domain_name', 'last_deployed', '-last_deployed', 'created_at', '-created_at'])
  .describe('Names in the order of what people read; a minus turns it round.');
