// @vitest-environment happy-dom
import { cleanup, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { ComponentProps } from 'react';
import { beforeEach, expect, it, vi } from 'vitest';
import { renderDomains } from '../domain/testing/render-domains';
import { sampleRoute } from '../domain/testing/sample-route';
import { readPageSearch } from '../features/domains/page/page-search';
import type CachingTab from './domain-caching-tab';
import { DomainTabContent } from './domain-tab-content';

vi.mock('../app/api-client', () => ({ api: {}, queryClient: {} }));
vi.mock('./domain-caching-tab', () => ({
  default: ({ range, onRangeChange }: ComponentProps<typeof CachingTab>) => (
    <button type="button" onClick={() => onRangeChange('1h')}>
      {range}
    </button>
  ),
}));

const onSearchChange = vi.fn();
const open = (search: object) =>
  renderDomains(
    <DomainTabContent
      tab="caching"
      route={sampleRoute()}
      search={readPageSearch({ tab: 'caching', ...search })}
      onSearchChange={onSearchChange}
      onAsk={vi.fn()}
      onPause={vi.fn()}
    />,
  );

beforeEach(() => {
  window.localStorage.clear();
  onSearchChange.mockReset();
});

it('has the range of the figures of the cache from the address, which a choice changes', async () => {
  await open({ range: '7d', edit: 'proxy-cache' });
  await userEvent.click(await screen.findByRole('button', { name: '7d' }));
  expect(onSearchChange).toHaveBeenCalledExactlyOnceWith(
    { tab: 'caching', range: '1h', edit: 'proxy-cache' },
    { replace: true },
  );
});

it('keeps the range of the figures of the cache that was chosen last, where the address has none', async () => {
  await open({ range: 'ever' });
  await userEvent.click(await screen.findByRole('button', { name: '24h' }));
  cleanup();
  await open({});
  expect(await screen.findByRole('button', { name: '1h' })).toBeTruthy();
});
