import type { FieldErrorCode } from '@cordon/contract';
import {
  CLEAR_READERS,
  CLEAR_TAGS_MAX,
  CLEAR_VALUES_MAX,
  isHostOf,
  TASK_CLEARS_MAX,
} from '@cordon/contract/cache-targets';

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

/** How many of a kind one call takes, of so many domains. */
export const valuesMax = (kind: ListedKind, domains = 1): number =>
  Math.min(
    kind === 'tags' ? CLEAR_TAGS_MAX : CLEAR_VALUES_MAX,
    Math.max(1, Math.floor(TASK_CLEARS_MAX / Math.max(1, domains))),
  );

/**
 * What the API would refuse, by line, without asking it.
 * @param own Names of the domain. `several`: no name is of all of them. Undefined: they are not known here.
 */
export function findFaults(
  kind: ListedKind,
  lines: readonly Line[],
  own: OwnNames | 'several' | undefined,
): LineFault[] {
  const isForeign = (host: string) =>
    own === 'several' || (own !== undefined && !isHostOf(host, own.names, own.levels));
  const isOfNone = typeof own === 'object' && own.names.every((name) => name.startsWith('*.'));
  return lines.flatMap(({ number, value }): LineFault[] => {
    const read = CLEAR_READERS[kind](value);
    if (!read.ok) return [{ line: number, code: read.code }];
    if (typeof read.value === 'string') return [];
    const { host } = read.value;
    if (host !== null)
      return isForeign(host) ? [{ line: number, code: 'CACHE_URL_FOREIGN', params: { name: host } }] : [];
    return kind === 'urls' && isOfNone ? [{ line: number, code: 'CACHE_URL_NEEDS_HOST' }] : [];
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
