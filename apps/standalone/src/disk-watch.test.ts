import { expect, it } from 'vitest';
import { diskNews } from './disk-watch.ts';

const MB = 1024 * 1024;

it('speaks once when the disk runs full, and once when it has space again', () => {
  expect(diskNews('/data', false, 500 * MB)).toBeUndefined();
  expect(diskNews('/data', false, 99.9 * MB)).toMatch(/\/data is all but full \(99 MB left\)/);
  expect(diskNews('/data', true, 0)).toBeUndefined();
  expect(diskNews('/data', true, 150 * MB)).toBeUndefined();
  expect(diskNews('/data', true, 200 * MB)).toMatch(/\/data has space again \(200 MB\)/);
});
