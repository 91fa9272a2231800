// @vitest-environment happy-dom
import { screen } from '@testing-library/react';
import { beforeEach, expect, it, vi } from 'vitest';
import { renderDomains } from '../../../domain/testing/render-domains';
import { sampleRoute } from '../../../domain/testing/sample-route';
import AtOnce from './at-once';

const api = vi.hoisted(() => ({ listGroups: vi.fn() }));
vi.mock('../../../app/api-client', () => ({ api, queryClient: {} }));

const DEFAULT_ID = '00000000-0000-4000-8000-00000000000a';
beforeEach(() => {
  api.listGroups.mockResolvedValue({ results: [{ id: DEFAULT_ID, name: 'Default', default_group: true }] });
});

it.each([
  ['en', null, 'Default'],
  ['zh', DEFAULT_ID, '默认'],
] as const)('in %s calls the default group as the list and its bulk actions do', async (locale, groupId, name) => {
  await renderDomains(<AtOnce route={sampleRoute({ group_id: groupId })} ipv6={null} onPause={vi.fn()} />, locale);
  expect(await screen.findByText(name)).toBeTruthy();
});
