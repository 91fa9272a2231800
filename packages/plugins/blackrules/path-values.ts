import type { PluginNotice } from '@cordon/plugin-kit';

/** Of a condition, checked or not yet. */
interface Compared {
  readonly field?: unknown;
  readonly test?: unknown;
  readonly values?: unknown;
}

const valuesOf = ({ field, values }: Compared): readonly string[] =>
  field === 'path' && Array.isArray(values) ? (values as readonly string[]) : [];

/** Places of the values that no path can be, or begin with: paths start with a slash. */
export const valuesWithoutSlash = (condition: Compared): number[] =>
  condition.test === 'is' || condition.test === 'begins_with'
    ? valuesOf(condition).flatMap((value, index) => (value.startsWith('/') ? [] : [index]))
    : [];

/** Places of the values with slashes in a row, which are one in every reading of a path (request-path.ts of the kit). */
export const valuesWithSlashes = (condition: Compared): number[] =>
  valuesOf(condition).flatMap((value, index) => (value.includes('//') ? [index] : []));

/** Rules see a path decoded and without its query: such a value matches only where its signs were encoded once more. */
const isAsSent = (value: string): boolean => /\?|%[0-9a-f]{2}/i.test(value);

/** Remarks on values that are written as paths are sent, and not as they are compared. */
export const pathNotices = (path: string, condition: Compared): PluginNotice[] =>
  valuesOf(condition).flatMap((entry, index) =>
    isAsSent(entry) ? [{ path: `${path}.${index}`, message: 'notices.path_as_sent', params: { entry } }] : [],
  );
