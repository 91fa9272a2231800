// @vitest-environment happy-dom
import { screen } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { renderDomains } from '../../domain/testing/render-domains';
import { RuleList } from './rule-list';

const listRules = vi.hoisted(() => vi.fn());
vi.mock('../../app/api-client', async () => {
  const { QueryClient } = await import('@tanstack/react-query');
  return {
    api: { listRules },
    queryClient: new QueryClient(),
  };
});

const answer = (...results: unknown[]) =>
  listRules.mockResolvedValue({ success: true, results, count: results.length, page: 1, perpage: 10 });

it('has one button and nothing to search where there is no rule yet', async () => {
  answer();
  const onSearchChange = vi.fn();
  await renderDomains(<RuleList search={{}} onSearchChange={onSearchChange} />);
  await screen.findByText('One template, many domains');
  expect(screen.queryByRole('searchbox')).toBeNull();
  screen.getByRole('button', { name: 'New template' }).click();
  expect(onSearchChange).toHaveBeenCalledWith({ new: true });
});

const rule = (name: string, domains: number, differing: number | null) => ({
  ...{ id: name, name, description: '', subscription_cname: 'a', revision: 1, lists: 'replace', domains, differing },
  ...{ plugin_names: [], switched_off: [], created_at: '2026-11-01T00:00:00Z', updated_at: '2026-11-01T00:00:00Z' },
  updated_by: null,
});

it.each([
  ['en', /^3 domains/, '2 differ', '1 differs', 'not compared'],
  ['zh', /^3 个域名/, '2 个与模板不同', '1 个与模板不同', '未比较'],
] as const)(
  'says in %s on how many domains a rule was applied, and how many differ from it now',
  async (locale, domains, two, one, many) => {
    answer(rule('a', 3, 2), rule('b', 3, 1), rule('c', 3, 0), rule('d', 3, null));
    await renderDomains(<RuleList search={{}} onSearchChange={vi.fn()} />, locale);
    await screen.findByText(two);
    screen.getByText(one);
    screen.getByText(many);
    expect(screen.getAllByText(domains)).toHaveLength(4);
  },
);
