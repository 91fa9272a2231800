import type { OwnVisitResult } from './own-visits.ts';

/** What a visit has brought the cache; `fresh`: nothing, it had it already. */
export interface PrefetchOutcome {
  readonly is: 'kept' | 'fresh' | 'unkept' | 'failed';
  /** Why it was not stored, as Cache-Status has it. */
  readonly reason: string;
  /** An origin was asked. */
  readonly isFetched: boolean;
}

const REASON_CHARACTERS_MAX = 32;

/** This node's member of Cache-Status (RFC 9211), which is the last: its parameters, of names without a value empty. */
function ownMember(field: string | string[] | undefined): ReadonlyMap<string, string> | undefined {
  const text = Array.isArray(field) ? field.join(', ') : (field ?? '');
  const start = text.lastIndexOf('Cordon;');
  if (start < 0) return undefined;
  const parameters = text
    .slice(start)
    .split(';')
    .slice(1)
    .map((part): [string, string] => {
      const [name = '', value = ''] = part.trim().split('=');
      return [name, value.replace(/^"|"$/g, '')];
    });
  return new Map(parameters);
}

/** Reads what became of a visit from its answer. */
export function outcomeOf({ status, headers }: Pick<OwnVisitResult, 'status' | 'headers'>): PrefetchOutcome {
  const member = ownMember(headers['cache-status']);
  const isHit = member?.has('hit') === true;
  if (status === 0 || status >= 400) return { is: 'failed', reason: '', isFetched: !isHit };
  if (isHit) return { is: 'fresh', reason: '', isFetched: false };
  if (member?.has('stored')) return { is: 'kept', reason: '', isFetched: true };
  const reason = member?.get('detail') ?? member?.get('fwd') ?? '';
  return { is: 'unkept', reason: reason.slice(0, REASON_CHARACTERS_MAX), isFetched: true };
}
