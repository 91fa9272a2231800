import { z } from 'zod';

/** Tabs of the domain page that are built, in the order of the page. */
export const DOMAIN_TABS = ['overview', 'upstreams', 'access', 'history'] as const;
export type DomainTab = (typeof DOMAIN_TABS)[number];

/** Search of `/domain/list/{id}`; what is not understood is left out. */
export const domainPageSearch = z.object({
  tab: z.enum(DOMAIN_TABS).optional().catch(undefined),
  /** Page of the history. */
  page: z.coerce.number().int().min(1).optional().catch(undefined),
});
export type DomainPageSearch = z.infer<typeof domainPageSearch>;
