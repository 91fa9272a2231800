import { schemaDefaults } from '@cordon/plugin-kit/schema';
import { expect, it, vi } from 'vitest';
import { overview } from './overview.ts';
import { type CustomErrorPageConfig, schema } from './schema.ts';

const setting = (enabled: boolean, pages: Partial<CustomErrorPageConfig> = {}) => ({
  enabled,
  config: { ...schemaDefaults(schema), ...pages } as CustomErrorPageConfig,
});

function show(draft: ReturnType<typeof setting>, live?: ReturnType<typeof setting>) {
  const { values, pages } = overview({ draft, live, t: (key: string) => key, onPropose: vi.fn() });
  return {
    rows: values?.rows.map(({ name, live = '–', draft = '–', fallback }) => [name, live, draft, fallback].join(' · ')),
    pages: pages?.pages.map(({ title }) => title),
  };
}

it('tells of each status which page visitors get', () => {
  const { rows, pages } = show(setting(true, { error_404: 'https://a.example/404' }));
  expect(rows).toEqual([
    'overview.names.401 · – · – · overview.origin',
    'overview.names.403 · – · – · overview.default',
    'overview.names.404 · – · https://a.example/404 · overview.origin',
    'overview.names.425 · – · – · overview.origin',
    'overview.names.451 · – · – · overview.origin',
    'overview.names.502 · – · – · overview.default',
  ]);
  expect(pages).toEqual(['defaultPages.403.title', 'defaultPages.502.title']);
});

it('tells the page that is live from the one of the draft, and shows no default that visitors do not get', () => {
  const { rows, pages } = show(
    setting(true, { error_403: 'https://a.example/new' }),
    setting(true, { error_403: 'https://a.example/old' }),
  );
  expect(rows?.[1]).toBe('overview.names.403 · https://a.example/old · https://a.example/new · overview.default');
  expect(pages).toEqual(['defaultPages.502.title']);
});

it('counts no page as live while the plugin is off there', () => {
  const { rows, pages } = show(
    setting(true, { error_502: 'https://a.example/' }),
    setting(false, { error_502: 'https://a.example/' }),
  );
  expect(rows?.[5]).toBe('overview.names.502 · – · https://a.example/ · overview.default');
  expect(pages).toHaveLength(2);
});
