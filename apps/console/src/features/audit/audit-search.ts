import { AUDIT_ACTOR_KINDS } from '@cordon/contract';
import { readOne, readPage, readText } from '../../app/search-readers';

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

/** Reads the URL; what is not understood is left out. */
export function readAuditSearch(raw: Readonly<Record<string, unknown>>): AuditSearch {
  const { action } = raw;
  return {
    ...readPage(raw),
    q: readText(raw.q, SEARCH_CHARACTERS_MAX),
    action: typeof action === 'string' && action.length <= 100 && ACTION.test(action) ? action : undefined,
    actor: readOne(AUDIT_ACTOR_KINDS, raw.actor),
    period: readOne(Object.keys(PERIODS) as Period[], raw.period),
  };
}
