// @vitest-environment happy-dom
import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from '@tanstack/react-router';
import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { Globe } from 'lucide-react';
import { expect, it } from 'vitest';
import { renderWithWords } from '../../testing/render-with-words';
import { needCatalogs } from '../intl-store';
import Palette from './palette';
import type { PaletteSource } from './palette-types';

const sources: PaletteSource[] = [
  { groups: () => [{ id: 'domains', label: 'Domains', items: [{ id: 'a', label: 'a.example', icon: Globe }] }] },
];

/** What screen readers hear of the search. */
async function openPalette(loadSources: () => Promise<PaletteSource[]>) {
  await needCatalogs('palette', 'errors', 'ui');
  const routeTree = createRootRoute({
    component: () => <Palette open onOpenChange={() => {}} loadSources={loadSources} />,
  });
  const router = createRouter({ routeTree, history: createMemoryHistory() });
  renderWithWords(<RouterProvider router={router as never} />);
  await screen.findByRole('combobox');
  return async () =>
    (await screen.findAllByRole('status', { hidden: true })).map(({ textContent }) => textContent).join('');
}

it('tells that it searches until its sources have come, and then how much was found', async () => {
  let arrive: (sources: PaletteSource[]) => void = () => undefined;
  const status = await openPalette(() => new Promise((resolve) => (arrive = resolve)));
  expect(await status()).toContain('Searching');
  expect(await status()).not.toContain('result');
  arrive(sources);
  await waitFor(async () => expect(await status()).toContain('1 result'));
  expect(await status()).not.toContain('Searching');
});

it('tells no number where its search has failed', async () => {
  const failing: PaletteSource = { groups: () => [], search: () => Promise.reject(new Error('no answer')) };
  const status = await openPalette(async () => [failing]);
  await userEvent.setup({ delay: null }).type(screen.getByRole('combobox'), 'shop');
  await screen.findByText('Search failed');
  expect(await status()).not.toMatch(/result|Searching/);
});
