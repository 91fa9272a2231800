import type { CachePolicy } from './types.ts';

/**
 * Files that are fetched and stored in slices, because they are mostly large: who asks for the end of a film does not wait for all that
 * comes before it, and a part of it is a part in the cache.
 */

/** 4 MiB, as nginx.conf.template has it. */
export const SLICE_BYTES = 4 * 1024 * 1024;

const EXTENSIONS: Readonly<Record<string, boolean | undefined>> = {
  '7z': true,
  aac: true,
  apk: true,
  avi: true,
  bin: true,
  bz2: true,
  deb: true,
  dmg: true,
  exe: true,
  flac: true,
  flv: true,
  gz: true,
  img: true,
  iso: true,
  m4a: true,
  m4v: true,
  mkv: true,
  mov: true,
  mp3: true,
  mp4: true,
  mpg: true,
  mpeg: true,
  msi: true,
  ogg: true,
  ogv: true,
  pkg: true,
  rar: true,
  rpm: true,
  tar: true,
  tgz: true,
  wav: true,
  webm: true,
  wmv: true,
  xz: true,
  zip: true,
  zst: true,
};

const DOT = 46;

/** Whether a path ends in one of the extensions, in lower case. Without a loop: it is asked of each request. */
export function isSlicedFile(this: void, path: string): boolean {
  const length = path.length;
  if (path.charCodeAt(length - 4) === DOT) return EXTENSIONS[path.substring(length - 3)] === true;
  if (path.charCodeAt(length - 5) === DOT) return EXTENSIONS[path.substring(length - 4)] === true;
  return path.charCodeAt(length - 3) === DOT && EXTENSIONS[path.substring(length - 2)] === true;
}

/** Whether such files are kept in slices at all: what obeys requests is judged as a whole. */
export function allowsSlices(this: void, policy: CachePolicy): boolean {
  return !policy.obeysRequests;
}
