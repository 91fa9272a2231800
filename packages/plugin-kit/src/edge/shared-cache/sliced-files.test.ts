import { expect, it } from 'vitest';
import { isSlicedFile } from './sliced-files.ts';

it.each([
  ['/film.mp4', true],
  ['/a/film.webm', true],
  ['/a.tar.gz', true],
  ['/a.mp4/b', false],
  ['/mp4', false],
  ['/a.css', false],
  ['/a.MP4', false],
  ['/', false],
  ['', false],
  ['.gz', true],
])('%s: %s', (path, isSliced) => {
  expect(isSlicedFile(path)).toBe(isSliced);
});
