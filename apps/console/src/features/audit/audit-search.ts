import { AUDIT_ACTOR_KINDS, PAGE_SIZE_MAX } from '@cordon/contract';

export const PERIODS = { '24h': 24, '7d': 7 * 24, '30d': 30 * 24, '90d': 90 * 24 } as const;
export type Period = keyof typeof PERIODS;
export type ActorKind = (typeof AUDIT_ACTOR_KINDS)[number];

/** Search of the tab "Audit log". */
export interface AuditSearch {
  page?: number;
  perpage?: number;
  q?: string;
  action?: string;
  actor?: ActorKind;
  period?: Period;
}

export interface AuditTabProps {
  search: AuditSearch;
  onSearchChange: (change: Partial<AuditSearch>, how?: { replace?: boolean }) => void;
}

const SEARCH_CHARACTERS_MAX = 200;
const ACTION = /^[a-z][a-z_-]*(\.[a-z_-]+)+$/;

const readCount = (value: unknown, maximum = 1_000_000): number | undefined => {
  const count = Number(value);
  return Number.isInteger(count) && count >= 1 && count <= maximum ? count : undefined;
};

/** Reads the URL; what is not understood is left out. */
export function readAuditSearch(raw: Readonly<Record<string, unknown>>): AuditSearch {
  const { q, action, actor, period } = raw;
  return {
    page: readCount(raw.page),
    perpage: readCount(raw.perpage, PAGE_SIZE_MAX),
    // `10` and `10.1` are numbers to who reads an address bar.
    q:
      typeof q === 'string' || typeof q === 'number'
        ? String(q).slice(0, SEARCH_CHARACTERS_MAX) || undefined
        : undefined,
    action: typeof action === 'string' && action.length <= 100 && ACTION.test(action) ? action : undefined,
    actor: AUDIT_ACTOR_KINDS.find((kind) => kind === actor),
    period: typeof period === 'string' && Object.hasOwn(PERIODS, period) ? (period as Period) : undefined,
  };
}
