// @vitest-environment happy-dom
import { screen } from '@testing-library/react';
import { beforeEach, expect, it, vi } from 'vitest';
import { renderDomains } from '../../../domain/testing/render-domains';
import { sampleRoute, sampleSubscription } from '../../../domain/testing/sample-route';
import AtOnce from './at-once';

const api = vi.hoisted(() => ({ listGroups: vi.fn(), listSubscriptions: vi.fn() }));
vi.mock('../../../app/api-client', () => ({ api, queryClient: {} }));

const DEFAULT_ID = '00000000-0000-4000-8000-00000000000a';
beforeEach(() => {
  api.listGroups.mockResolvedValue({ results: [{ id: DEFAULT_ID, name: 'Default', default_group: true }] });
  api.listSubscriptions.mockResolvedValue({ results: [] });
});

it.each([
  ['en', null, 'Default'],
  ['zh', DEFAULT_ID, '默认'],
] as const)('in %s calls the default group as the list and its bulk actions do', async (locale, groupId, name) => {
  await renderDomains(<AtOnce route={sampleRoute({ group_id: groupId })} ipv6={null} onPause={vi.fn()} />, locale);
  expect(await screen.findByText(name)).toBeTruthy();
});

it.each([
  ['en', 'free', '10 at once, 5 min each'],
  ['zh', 'free', '并发 10 个，每个最长 5 分钟'],
  ['en', 'vip', 'Closed after 10 idle min'],
] as const)('says in %s how a %s plan limits WebSockets, where the domain is set up', async (locale, tier, words) => {
  api.listSubscriptions.mockResolvedValue({ results: [sampleSubscription(tier)] });
  const { cname: subscription_cname } = sampleSubscription(tier);
  await renderDomains(<AtOnce route={sampleRoute({ subscription_cname })} ipv6={null} onPause={vi.fn()} />, locale);
  expect(await screen.findByText(words)).toBeTruthy();
});

it.each([
  ['en', 'running', 'Working'],
  ['zh', 'running', '生效中'],
  ['en', 'deactivated', 'Not served'],
  ['zh', 'deactivated', '未对外提供服务'],
] as const)('says in %s whether the protection of a domain that is %s works', async (locale, status, words) => {
  await renderDomains(<AtOnce route={sampleRoute({ status })} ipv6={null} onPause={vi.fn()} />, locale);
  expect(screen.getByText(words)).toBeTruthy();
});
