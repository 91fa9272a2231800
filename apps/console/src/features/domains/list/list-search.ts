import { domainStatus, operations, PAGE_SIZE_DEFAULT, PAGE_SIZE_MAX } from '@cordon/contract';
import { z } from 'zod';
import type { DataTableSort } from '../../../ui/data-table-types';
import type { RouteListQuery } from '../keys';

const PERPAGE_KEY = 'domains.perpage';
const sorts = operations.listRoutes.query.shape.sort.unwrap();
type Sort = z.infer<typeof sorts>;

/** The page size chosen last, on this device. */
export function keptPerpage(): number {
  try {
    const kept = Number(window.localStorage.getItem(PERPAGE_KEY));
    return Number.isInteger(kept) && kept >= 1 && kept <= PAGE_SIZE_MAX ? kept : PAGE_SIZE_DEFAULT;
  } catch {
    return PAGE_SIZE_DEFAULT;
  }
}

export function keepPerpage(perpage: number): void {
  try {
    window.localStorage.setItem(PERPAGE_KEY, String(perpage));
  } catch {
    // Without storage the choice lasts as long as the URL.
  }
}

/** Search of `/domain/list`. What is not understood is left out, so that an old link still opens the list. */
export const domainListSearch = z.object({
  page: z.coerce.number().int().min(1).optional().catch(undefined),
  perpage: z.coerce.number().int().min(1).max(PAGE_SIZE_MAX).optional().catch(undefined),
  q: z.coerce.string().max(253).optional().catch(undefined),
  domain_name: z.coerce.string().max(253).optional().catch(undefined),
  status: domainStatus.exclude(['deleted']).optional().catch(undefined),
  sort: sorts.optional().catch(undefined),
  /** The dialog that adds a domain is open. */
  add: z.literal(true).optional().catch(undefined),
});
export type DomainListSearch = z.infer<typeof domainListSearch>;

export function toListQuery(search: DomainListSearch): RouteListQuery & { page: number; perpage: number } {
  const { page = 1, perpage = keptPerpage(), q, domain_name, status, sort } = search;
  return { page, perpage, sort, status, q: q || undefined, domain_name: domain_name || undefined };
}

export function toTableSort(sort: Sort = 'domain_name'): DataTableSort {
  return sort.startsWith('-') ? { id: sort.slice(1), direction: 'descending' } : { id: sort, direction: 'ascending' };
}

export function fromTableSort({ id, direction }: DataTableSort): Sort | undefined {
  const sort = sorts.safeParse(direction === 'descending' ? `-${id}` : id);
  return sort.success && sort.data !== 'domain_name' ? sort.data : undefined;
}
