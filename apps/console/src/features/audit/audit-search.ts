import { AUDIT_ACTOR_KINDS } from '@cordon/contract';
import { readCount, readOne, readPage, readText } from '../../app/search-readers';
import { isDay } from '../../ui/zoned-time';

export const PERIODS = { '24h': 24, '7d': 7 * 24, '30d': 30 * 24, '90d': 90 * 24 } as const;
export type ActorKind = (typeof AUDIT_ACTOR_KINDS)[number];
/** `custom`: from one day to another. */
export const PERIOD_NAMES = [...(Object.keys(PERIODS) as (keyof typeof PERIODS)[]), 'custom'] as const;
export type Period = (typeof PERIOD_NAMES)[number];

/** Search of the tab "Audit log". */
export interface AuditSearch {
  page?: number;
  perpage?: number;
  q?: string;
  action?: string;
  actor?: ActorKind;
  period?: Period;
  /** Days of the account's time zone, `2026-11-23`, of the period `custom`; the last one is within it. */
  from?: string;
  to?: string;
  /** The line that is open. */
  entry?: number;
}

export interface AuditTabProps {
  search: AuditSearch;
  onSearchChange: (change: Partial<AuditSearch>, how?: { replace?: boolean }) => void;
}

const SEARCH_CHARACTERS_MAX = 200;
const ACTION = /^[a-z][a-z_-]*(\.[a-z_-]+)+$/;

const readDay = (value: unknown) => (typeof value === 'string' && isDay(value) ? value : undefined);

/** Reads the URL; what is not understood is left out. */
export function readAuditSearch(raw: Readonly<Record<string, unknown>>): AuditSearch {
  const { action } = raw;
  const period = readOne(PERIOD_NAMES, raw.period);
  return {
    ...readPage(raw),
    q: readText(raw.q, SEARCH_CHARACTERS_MAX),
    action: typeof action === 'string' && action.length <= 100 && ACTION.test(action) ? action : undefined,
    actor: readOne(AUDIT_ACTOR_KINDS, raw.actor),
    period,
    from: period === 'custom' ? readDay(raw.from) : undefined,
    to: period === 'custom' ? readDay(raw.to) : undefined,
    entry: readCount(raw.entry, Number.MAX_SAFE_INTEGER),
  };
}
