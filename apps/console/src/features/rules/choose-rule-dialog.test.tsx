// @vitest-environment happy-dom
import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, it, vi } from 'vitest';
import { renderDomains } from '../../domain/testing/render-domains';
import { ROUTE_ID } from '../../domain/testing/sample-route';
import ChooseRuleDialog from './choose-rule-dialog';
import { samplePreview } from './testing/sample-preview';

const api = vi.hoisted(() => ({
  listRules: vi.fn(),
  getRule: vi.fn(),
  previewRule: vi.fn(),
  applyRule: vi.fn(),
  getBatch: vi.fn(),
}));
vi.mock('../../app/api-client', () => ({ api, queryClient: { setQueryData: vi.fn(), invalidateQueries: vi.fn() } }));

const BATCH_ID = '0190f3a0-0000-7000-8000-0000000000bb';
const rule = {
  id: ROUTE_ID,
  name: 'Scrapers',
  description: '',
  subscription_cname: 's1.vip01.edge.cordon.test',
  revision: 3,
  lists: 'merge',
  plugin_names: [],
  switched_off: [],
  plugins: [],
  domains: 2,
  differing: 0,
  created_at: '2026-11-20T10:00:00Z',
  updated_at: '2026-11-20T10:00:00Z',
  updated_by: null,
};
const onStarted = vi.fn();
async function open() {
  const selection = { filter: { q: 'shop' } };
  const props = { selection, count: 5, open: true, onOpenChange: vi.fn(), onStarted };
  const { router } = await renderDomains(<ChooseRuleDialog {...props} />);
  return { ...userEvent.setup({ delay: null }), router };
}
/** Loaded when it is first opened. */
const LOADED = { timeout: 5000 };

beforeEach(() => {
  for (const mock of [...Object.values(api), onStarted]) mock.mockReset();
});

it('applies the chosen rule to what was selected in the list, and hands the batch over once it is closed', async () => {
  api.listRules.mockResolvedValue({ results: [rule], count: 1 });
  api.getRule.mockResolvedValue({ result: rule });
  api.previewRule.mockResolvedValue({ results: [samplePreview('a.example')], count: 1 });
  const batch = { id: BATCH_ID, kind: 'apply-rule', state: 'running', total: 1, succeeded: 0, failed: 0 };
  const started = { ...batch, created_by: 'a', created_at: '2026-11-20T10:00:00Z', finished_at: null };
  api.applyRule.mockResolvedValue({ result: started });
  api.getBatch.mockResolvedValue({ result: started });
  const user = await open();
  await user.click(await screen.findByRole('button', { name: /Scrapers.*Adds to lists.*Applied to 2 domains/ }));
  const apply = await screen.findByRole('dialog', { name: 'Apply “Scrapers”' }, LOADED);
  await waitFor(() => expect(api.previewRule).toHaveBeenCalled());
  expect(api.previewRule.mock.calls[0]?.[0].body).toEqual({ selection: { filter: { q: 'shop' } } });
  await user.click(await within(apply).findByRole('button', { name: 'Apply as drafts' }));
  await waitFor(() => expect(api.applyRule).toHaveBeenCalledTimes(1));
  expect(api.applyRule.mock.calls[0]?.[0]).toMatchObject({ params: { id: ROUTE_ID }, ifMatch: 3 });
  expect(onStarted).not.toHaveBeenCalled();
  const close = await within(apply).findAllByRole('button', { name: 'Close' });
  await user.click(close.at(-1) as HTMLElement);
  expect(onStarted).toHaveBeenCalledWith(BATCH_ID);
});

it.each([
  ['the first rule where there is none', []],
  ['a new rule beside those there are', [rule]],
] as const)('leads to %s, and takes the selection and the way back along', async (_, results) => {
  api.listRules.mockResolvedValue({ results, count: results.length });
  const user = await open();
  await act(() => user.router.navigate({ to: '.', search: { q: 'shop', page: 2 } }));
  await user.click(await screen.findByRole('link', { name: 'New template' }));
  await waitFor(() => expect(user.router.state.location.href).toBe('/domain/rules?new=true'));
  expect(user.router.state.location.state.selectedForRule).toEqual({
    selection: { filter: { q: 'shop' } },
    count: 5,
    search: { q: 'shop', page: 2 },
  });
});
