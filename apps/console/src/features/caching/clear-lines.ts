import type { FieldErrorCode } from '@cordon/contract';
import { CLEAR_READERS, CLEAR_TAGS_MAX, CLEAR_VALUES_MAX, isHostOf } from '@cordon/contract/cache-targets';

export type ListedKind = keyof typeof CLEAR_READERS;

/** A line of the text that has something on it; the first is 1. */
interface Line {
  readonly number: number;
  readonly value: string;
}

export interface LineFault {
  readonly line: number;
  readonly code: FieldErrorCode;
  readonly params?: Readonly<Record<string, string | number>>;
}

/** The names that a domain answers for. */
export interface OwnNames {
  readonly names: readonly string[];
  readonly levels: 'one' | 'all' | undefined;
}

/** One value per line; tags may also be parted by commas and blanks, as header fields have them. */
export function readLines(kind: ListedKind, text: string): Line[] {
  return text.split('\n').flatMap((line, index) => {
    const values = kind === 'tags' ? line.split(/[\s,]+/) : [line.trim()];
    return values.filter((value) => value !== '').map((value) => ({ number: index + 1, value }));
  });
}

/** How many of a kind one call takes. */
export const valuesMax = (kind: ListedKind): number => (kind === 'tags' ? CLEAR_TAGS_MAX : CLEAR_VALUES_MAX);

/** What the API would refuse, by line, without asking it. */
export function findFaults(kind: ListedKind, lines: readonly Line[], { names, levels }: OwnNames): LineFault[] {
  return lines.flatMap(({ number, value }): LineFault[] => {
    const read = CLEAR_READERS[kind](value);
    if (!read.ok) return [{ line: number, code: read.code }];
    const host = typeof read.value === 'string' ? null : read.value.host;
    if (host !== null && !isHostOf(host, names, levels)) return [{ line: number, code: 'CACHE_URL_FOREIGN' }];
    const isOfAllNames = kind === 'urls' && host === null;
    return isOfAllNames && names.every((name) => name.startsWith('*.'))
      ? [{ line: number, code: 'CACHE_URL_NEEDS_HOST' }]
      : [];
  });
}

/** `values.3` of an answer, as the line that it came from. */
export function faultsOfAnswer(
  fields: Readonly<Record<string, string>>,
  lines: readonly Line[],
  list: 'values' | 'urls' = 'values',
  params: Readonly<Record<string, Readonly<Record<string, string | number>>>> = {},
): LineFault[] {
  return Object.entries(fields).flatMap(([path, code]) => {
    const place = new RegExp(`^${list}\\.(\\d+)$`).exec(path)?.[1];
    const line = place === undefined ? undefined : lines[Number(place)];
    const values = params[path];
    return line ? [{ line: line.number, code: code as FieldErrorCode, ...(values ? { params: values } : {}) }] : [];
  });
}
