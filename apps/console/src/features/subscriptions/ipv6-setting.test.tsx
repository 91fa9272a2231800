// @vitest-environment happy-dom
import { screen } from '@testing-library/react';
import { beforeEach, expect, it, vi } from 'vitest';
import { renderDomains } from '../../domain/testing/render-domains';
import { sampleRoute } from '../../domain/testing/sample-route';
import Ipv6Setting from './ipv6-setting';

const api = vi.hoisted(() => ({ getSubscriptionConfig: vi.fn(), configureSubscription: vi.fn() }));
vi.mock('../../app/api-client', () => ({ api, queryClient: {} }));
beforeEach(() => {
  for (const mock of Object.values(api)) mock.mockReset();
});

it.each([
  ['en', true, 'IPv6, once enabled, cannot be disabled'],
  ['zh', true, 'IPv6 开启后无法关闭'],
  ['en', false, 'Off'],
  ['zh', false, '未开启'],
] as const)('offers in %s no way back once IPv6 is on (%s; specification section 4)', async (locale, ipv6, words) => {
  const { subscription_cname: cname } = sampleRoute();
  const result = { cname, ipv6, can_enable_ipv6: true, ipv6_addresses: ['2001:db8::10'] };
  api.getSubscriptionConfig.mockResolvedValue({ result });
  await renderDomains(<Ipv6Setting route={sampleRoute({ ipv6 })} />, locale);
  expect(await screen.findByText(new RegExp(words))).toBeTruthy();
  expect(screen.queryAllByRole('button')).toHaveLength(ipv6 ? 0 : 1);
});
