// @vitest-environment happy-dom
import { schemaDefaults } from '@cordon/plugin-kit/schema';
import { plainOverviewUi } from '@cordon/plugin-kit/testing/overview';
import { render, screen, within } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import CustomErrorPageOverview from './overview.tsx';
import { type CustomErrorPageConfig, schema } from './schema.ts';

const setting = (enabled: boolean, pages: Partial<CustomErrorPageConfig> = {}) => ({
  enabled,
  config: { ...schemaDefaults(schema), ...pages } as CustomErrorPageConfig,
});

function show(draft: ReturnType<typeof setting>, live?: ReturnType<typeof setting>) {
  const t = (key: string) => key;
  const props = { draft, live, t, ui: plainOverviewUi, disabled: false, onPropose: vi.fn() };
  render(<CustomErrorPageOverview {...props} />);
}
const list = (name: string) =>
  within(screen.getByRole('list', { name }))
    .getAllByRole('listitem')
    .map((row) => row.textContent);

it('tells what is set, and of the rest only where the service has a page of its own', () => {
  show(setting(true, { error_404: 'https://a.example/404' }));
  expect(screen.getByTitle('overview.setHint')).toBeTruthy();
  expect(list('overview.set')).toEqual([
    'overview.names.401 · – · – · ',
    'overview.names.403 · – · – · overview.default',
    'overview.names.404 · – · https://a.example/404 · overview.origin',
    'overview.names.425 · – · – · ',
    'overview.names.451 · – · – · ',
    'overview.names.502 · – · – · overview.default',
  ]);
  expect(list('overview.pages')).toEqual(['defaultPages.403.title', 'defaultPages.502.title']);
});

it('tells the page that is live from the one of the draft, and shows no default that visitors do not get', () => {
  show(setting(true, { error_403: 'https://a.example/new' }), setting(true, { error_403: 'https://a.example/old' }));
  expect(list('overview.set')[1]).toBe(
    'overview.names.403 · https://a.example/old · https://a.example/new · overview.default',
  );
  expect(list('overview.pages')).toEqual(['defaultPages.502.title']);
});

it('counts no page as live while the plugin is off there', () => {
  show(setting(true, { error_502: 'https://a.example/' }), setting(false, { error_502: 'https://a.example/' }));
  expect(list('overview.set')[5]).toBe('overview.names.502 · – · https://a.example/ · overview.default');
  expect(list('overview.pages')).toHaveLength(2);
});
