// @vitest-environment happy-dom
import { act, renderHook, waitFor } from '@testing-library/react';
import { Globe } from 'lucide-react';
import { expect, it } from 'vitest';
import type { PaletteGroup, PalettePage, PaletteSource } from './palette-types';
import { usePaletteItems } from './use-palette-items';

const domains = (...labels: string[]): PaletteGroup[] => [
  { id: 'domains', label: 'Domains', items: labels.map((label) => ({ id: label, label, icon: Globe })) },
];
const loadSources = async (): Promise<PaletteSource[]> => [{ groups: () => [] }];

it('keeps of a page’s last answer what fits what is typed meanwhile, so that Enter takes nothing else', async () => {
  const answers = new Map<string, (groups: PaletteGroup[]) => void>();
  const page: PalettePage = {
    title: 'Deploy…',
    placeholder: '',
    find: (query) => new Promise((resolve) => answers.set(query, resolve)),
  };
  const { result, rerender } = renderHook(({ query }) => usePaletteItems(true, query, page, loadSources), {
    initialProps: { query: '' },
  });
  const listed = () => result.current.groups.flatMap(({ items }) => items.map(({ label }) => label));
  const answer = async (query: string, groups: PaletteGroup[]) => {
    await waitFor(() => expect(answers.has(query)).toBe(true));
    await act(async () => answers.get(query)?.(groups));
  };
  await answer('', domains('other.example', 'shop.example'));
  expect(listed()).toEqual(['other.example', 'shop.example']);
  rerender({ query: 'sho' });
  expect(listed()).toEqual(['shop.example']);
  expect(result.current.isSearching).toBe(true);
  // By its remarks, which the palette does not know.
  await answer('sho', domains('shop.example', 'by-a-remark.example'));
  expect(listed()).toEqual(['shop.example', 'by-a-remark.example']);
});
