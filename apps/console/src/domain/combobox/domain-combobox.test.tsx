// @vitest-environment happy-dom
import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it, vi } from 'vitest';
import { needCatalogs } from '../../app/intl-store';
import { renderDomains } from '../testing/render-domains';
import { sampleRoute } from '../testing/sample-route';
import DomainCombobox from './domain-combobox';

const { listRoutes } = vi.hoisted(() => ({ listRoutes: vi.fn() }));
vi.mock('../../app/api-client', async (load) => ({ ...(await load<object>()), api: { listRoutes } }));

const named = (id: string, name: string) => sampleRoute({ id, domain_name: name, domain_name_unicode: name });
const all = [named('a', 'api.example'), named('b', 'shop.example')];

async function open(onValueChange: (id: string | undefined) => void) {
  await needCatalogs('combobox');
  await renderDomains(
    <DomainCombobox label="Domain" placeholder="All" value={undefined} onValueChange={onValueChange} />,
  );
  return screen.findByRole('combobox', { name: 'Domain' });
}

it('takes by Enter what is found for what was typed', async () => {
  listRoutes.mockImplementation(async ({ query: { q = '' } }: { query: { q?: string } }) => {
    const results = all.filter(({ domain_name: name }) => name.includes(q));
    return { results, count: results.length };
  });
  const onValueChange = vi.fn();
  const field = await open(onValueChange);
  await userEvent.type(field, 'shop');
  await screen.findByRole('option', { name: 'shop.example' });
  await userEvent.keyboard('{Enter}');
  expect(onValueChange).toHaveBeenCalledExactlyOnceWith('b');
});

it('takes nothing by Enter that only fits less than what is typed, while the answer is awaited', async () => {
  listRoutes.mockImplementation(({ query: { q } }: { query: { q?: string } }) =>
    q === undefined ? Promise.resolve({ results: all, count: 2 }) : new Promise(() => {}),
  );
  const onValueChange = vi.fn();
  const field = await open(onValueChange);
  await userEvent.click(field);
  await screen.findByRole('option', { name: 'api.example' });
  await userEvent.type(field, 'shop');
  await userEvent.keyboard('{Enter}');
  expect(onValueChange.mock.calls.flat()).not.toContain('a');
});
