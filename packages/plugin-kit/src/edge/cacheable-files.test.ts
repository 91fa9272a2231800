import { describe, expect, it } from 'vitest';
import { cacheableFiles } from './cacheable-files.ts';

describe('files whose answers are kept', () => {
  const isFile = cacheableFiles(['c', '7z', 'png', 'jpeg', 'woff2', 'manifest']);

  it.each([
    ...['/a.c', '/a.7z', '/a.png', '/a.jpeg', '/a.woff2', '/a.manifest', '/folder/of/a.manifest', '/.png', '/A.PNG'],
    ...['/c.c', '/v1.2/a.png', '/a.b.jpeg', '/name.without.meaning.woff2'],
  ])('%s is one by its extension, however long that is', (path) => {
    expect(isFile(path)).toBe(true);
  });

  it.each([
    ...['/', '', 'png', '/png', '/a.pn', '/a.xpng', '/a.png/', '/a.png/b', '/a.jpeg/c', '/a.woff2/', '/a.', '/a.png.'],
    ...['/a.manifest/list', '/a.manifests', '/long-name-without-any', '/a.php/b.png', '/login;x.png'],
  ])('%s is none', (path) => {
    expect(isFile(path)).toBe(false);
  });
});
