import { expect, test } from 'vitest';
import { circlesOf, closureOf, type Manifest, measure } from './check-budgets.ts';

const locales = Object.fromEntries(
  ['en', 'zh'].flatMap((locale) => [
    [`src/features/identity/locales/${locale}.json`, { file: `${locale}-identity.js`, isDynamicEntry: true }],
    [`_words-${locale}-x.js`, { file: `${locale}-words.js` }],
  ]),
);
const manifest: Manifest = {
  ...locales,
  'index.html': { file: 'index.js', imports: ['_react.js'], css: ['index.css'] },
  '_react.js': { file: 'react.js' },
  '_table.js': { file: 'table.js', imports: ['_react.js'] },
  'src/features/identity/start-identity.tsx': { file: 'identity.js', imports: ['_react.js'], isDynamicEntry: true },
  'src/routes/start-console.tsx': { file: 'console.js', imports: ['_react.js'], isDynamicEntry: true },
  'src/routes/domain-list-screen.tsx': { file: 'list.js', imports: ['_table.js', '_react.js'], isDynamicEntry: true },
};
const sizes: Record<string, number> = {
  'index.js': 1000,
  'react.js': 70_000,
  'table.js': 20_000,
  'list.js': 6000,
  'index.css': 13_000,
  'zh-words.js': 900,
};

test('shared chunks are counted once, and followed', () => {
  expect([...closureOf(manifest, 'index.html', 'src/routes/start-console.tsx')]).toEqual([
    'index.html',
    '_react.js',
    'src/routes/start-console.tsx',
  ]);
});

test('files that need each other before they can run are named', () => {
  expect(circlesOf(manifest)).toEqual([]);
  const turned: Manifest = {
    ...manifest,
    '_table.js': { file: 'table.js', imports: ['src/routes/domain-list-screen.tsx'] },
  };
  expect(circlesOf(turned)).toEqual(['_table.js', 'src/routes/domain-list-screen.tsx']);
});

test('a route is measured without the shell, and told when it is over its budget', () => {
  const lines = measure(manifest, (file) => sizes[file] ?? 100);
  const line = (name: string) => lines.find((one) => one.name === name);
  expect(line('src/routes/domain-list-screen.tsx')).toEqual({
    name: 'src/routes/domain-list-screen.tsx',
    bytes: 26_000,
    maximum: 25_000,
  });
  expect(line('CSS')).toEqual({ name: 'CSS', bytes: 13_000, maximum: 12_000 });
  expect(line('shell')?.bytes).toBe(1000 + 70_000 + 100 + 900);
});
