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
