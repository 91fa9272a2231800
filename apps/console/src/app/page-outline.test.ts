// @vitest-environment happy-dom
import { readFileSync } from 'node:fs';
import { expect, it, vi } from 'vitest';
import { drawPageOutline, OUTLINE_COLOURS } from './page-outline';

const tokens = readFileSync('apps/console/src/ui/tokens.css', 'utf8');

it.each([
  ['light', ':root {'],
  ['dark', ":root[data-theme='dark'] {"],
] as const)('has the colours of the %s theme', (theme, block) => {
  const rules = tokens.slice(tokens.indexOf(block));
  const token = (name: string) => new RegExp(`--${name}: (#[0-9a-f]+)`).exec(rules)?.[1];
  expect(OUTLINE_COLOURS[theme]).toEqual([token('page'), token('card'), token('line')]);
});

it.each(['form', 'shell'] as const)('stands outside the page until the program draws the %s', async (kind) => {
  document.body.innerHTML = '<div id="root"></div>';
  Object.defineProperty(Element.prototype, 'animate', { value: vi.fn(), configurable: true });
  drawPageOutline(kind);
  const outline = () => document.body.querySelector('[aria-hidden=true] > svg');
  expect(outline()).not.toBeNull();
  document.getElementById('root')?.append('drawn');
  await vi.waitFor(() => expect(outline()).toBeNull());
});
