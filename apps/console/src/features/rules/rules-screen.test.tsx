// @vitest-environment happy-dom
import { screen } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { renderDomains } from '../../domain/testing/render-domains';
import { RulesScreen } from './rules-screen';

vi.mock('../../app/api-client', () => ({ api: {}, queryClient: {} }));
vi.mock('./rule-editor', () => ({
  get default() {
    throw new TypeError('Failed to fetch dynamically imported module: /rule-editor.js');
  },
}));

it('says in the place of the whole editor that it could not be loaded', async () => {
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')));
  await renderDomains(<RulesScreen search={{ new: true }} onSearchChange={vi.fn()} />);
  // In the middle, as where its data fails: a line is for small parts.
  expect((await screen.findByRole('alert', {}, { timeout: 5000 })).className).toContain('text-center');
  vi.unstubAllGlobals();
});
