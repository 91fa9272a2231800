// @vitest-environment happy-dom
import { cleanup, screen } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { renderDomains } from '../../../domain/testing/render-domains';
import { sampleRoute } from '../../../domain/testing/sample-route';
import { HeaderStatus } from './domain-header';

vi.mock('../../../app/api-client', () => ({ api: {}, queryClient: {} }));

const unseen = { state: 'ok', findings: [], looked_at: null } as const;

it.each([
  ['en', 'Checking', 'Healthy'],
  ['zh', '检查中', '正常'],
] as const)('calls in %s no domain healthy that has not been looked at', async (locale, checking, healthy) => {
  await renderDomains(<HeaderStatus route={sampleRoute({ health: { ...unseen, findings: [] } })} />, locale);
  expect(await screen.findByText(checking)).toBeTruthy();
  expect(screen.queryByText(healthy)).toBeNull();
  cleanup();
  await renderDomains(<HeaderStatus route={sampleRoute()} />, locale);
  expect(await screen.findByText(healthy)).toBeTruthy();
  expect(screen.queryByText(checking)).toBeNull();
});
