import { addCodeIssue } from '@cordon/plugin-kit/schema';
import type { z } from 'zod';

/** Codes that `checkPaths` gives. */
export const PATH_ERROR_CODES = [
  'PATH_SLASH_MISSING',
  'PATH_SLASH_REPEATED',
  'PATH_DOTS',
  'PATH_NOT_PLAIN',
  'DUPLICATE_ENTRY',
] as const;

/** Without the slashes at its end: a path covers what is below it either way. */
export const normalizePath = (path: string): string => (path === '/' ? path : path.replace(/(?<=.)\/+$/, ''));

/** What no folder's name has, and those have who mean a pattern or an address: `/static/*`, `/static?v=1`. */
const NOT_PLAIN = /[*?#\\;]/;

/** Of an entry, in characters. */
export const PATH_CHARACTERS_MAX = 500;

const hasDots = (path: string): boolean => path.split('/').some((segment) => segment === '.' || segment === '..');

/** Whether it can be listed as it is. */
export const isPlainPath = (path: string): boolean =>
  path.startsWith('/') &&
  path.length <= PATH_CHARACTERS_MAX &&
  !path.includes('//') &&
  !NOT_PLAIN.test(path) &&
  !hasDots(path);

/** Paths as customers write them, in their written form: each from the root, of whole segments, and once (spec section 5). */
export function checkPaths(paths: readonly string[], ctx: z.RefinementCtx): void {
  for (const [index, path] of paths.entries()) {
    const sign = NOT_PLAIN.exec(path)?.[0];
    if (!path.startsWith('/')) addCodeIssue(ctx, [index], 'PATH_SLASH_MISSING');
    else if (path.includes('//')) addCodeIssue(ctx, [index], 'PATH_SLASH_REPEATED');
    else if (sign !== undefined) addCodeIssue(ctx, [index], 'PATH_NOT_PLAIN', { sign });
    else if (hasDots(path)) addCodeIssue(ctx, [index], 'PATH_DOTS');
    else if (paths.indexOf(path) < index) addCodeIssue(ctx, [index], 'DUPLICATE_ENTRY', { entry: path, other: path });
  }
}

/** Paths are compared decoded: such a part is found only where its percent sign was encoded once more. */
export const isEncoded = (path: string): boolean => /%[0-9a-f]{2}/i.test(path);
