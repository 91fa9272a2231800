import { PAGE_SIZE_MAX } from '@cordon/contract';

const ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/**
 * Readers of what the URL says after `?`: what is not understood counts as not given, so that an old link still opens its
 * screen. By hand, because the contract's schemas would double the size of the screen that everybody starts on.
 */

/** A whole number from 1. */
export function readCount(value: unknown, maximum = 1_000_000): number | undefined {
  const count = Number(value);
  return Number.isInteger(count) && count >= 1 && count <= maximum ? count : undefined;
}

/** Control characters, and surrogates without their other half (cut off too), which the API refuses. */
const NO_TEXT = /[\p{Cc}\p{Surrogate}]/gu;

/** A text that is not empty; `10` and `10.1` are numbers to who reads an address bar. */
export function readText(value: unknown, charactersMax: number): string | undefined {
  if (typeof value !== 'string' && typeof value !== 'number') return undefined;
  return String(value).slice(0, charactersMax).replace(NO_TEXT, '') || undefined;
}

/** Id of an object of the account. */
export const readId = (value: unknown): string | undefined =>
  typeof value === 'string' && ID.test(value) ? value : undefined;

export const readOne = <Value extends string>(options: readonly Value[], value: unknown): Value | undefined =>
  options.find((option) => option === value);

/** Where in a list of many pages one is. */
export const readPage = (raw: Readonly<Record<string, unknown>>): { page?: number; perpage?: number } => ({
  page: readCount(raw.page),
  perpage: readCount(raw.perpage, PAGE_SIZE_MAX),
});
