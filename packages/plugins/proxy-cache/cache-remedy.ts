import type { CacheChange, CacheRemedy } from '@cordon/plugin-kit';
import { cacheableFiles, PROGRAM_EXTENSIONS } from '@cordon/plugin-kit/cacheable-files';
import { durationParams } from '@cordon/plugin-kit/duration-params';
import { isUnlistedError, withStatus } from '@cordon/plugin-kit/kept-status';
import { foldersOf, isBelow } from './folders.ts';
import { isEncoded, isPlainPath, normalizePath } from './paths.ts';
import type { ProxyCacheConfig } from './schema.ts';

const extensionOf = (segment: string): string | undefined => /\.([a-z0-9]+)$/i.exec(segment)?.[1]?.toLowerCase();
const isProgram = (segment: string): boolean => PROGRAM_EXTENSIONS.includes(extensionOf(segment) ?? '');

/**
 * What is to be listed so that a path is kept: the folder of a file, since others like it lie there; a page alone, with what is below
 * it, since others in its folder may be of one visitor each. Undefined: it cannot be listed, too much would be with it, or it is a
 * program, which mostly answers each visitor for himself.
 */
function entryFor(path: string): string | undefined {
  const segments = path.split('/');
  const name = segments.pop() ?? '';
  // What stands behind a program is the program's: `/login.php/x.css` may be the page of a visitor (cache deception).
  if (isEncoded(path) || isProgram(name) || segments.some(isProgram)) return undefined;
  const isFile = extensionOf(name) !== undefined;
  const entry = normalizePath(isFile && segments.length > 1 ? segments.join('/') : path);
  return entry === '/' || !isPlainPath(entry) ? undefined : entry;
}

function isCovered({ cache_paths: paths, cache_postfixes: postfixes }: ProxyCacheConfig, path: string): boolean {
  return isBelow(path, foldersOf(paths)) || cacheableFiles(postfixes)(path);
}

export const cacheRemedy: CacheRemedy<ProxyCacheConfig> = (
  config,
  { path, status, cache, reason },
): CacheChange<ProxyCacheConfig> | undefined => {
  if (reason === 'path' || reason === 'off' || cache === '') {
    if (isUnlistedError(config, status)) return undefined;
    if (isCovered(config, path)) return { message: 'remedy.covered', params: {}, config };
    const entry = entryFor(path);
    if (entry === undefined) return undefined;
    return {
      message: 'remedy.path',
      params: { path: entry },
      config: { ...config, cache_paths: [...config.cache_paths, entry] },
    };
  }
  if (reason !== 'no_lifetime') return undefined;
  const changed = withStatus(config, status);
  const params = { status: String(status), ...durationParams(config.cache_ttl) };
  return changed && { message: 'remedy.status', params, config: changed };
};
