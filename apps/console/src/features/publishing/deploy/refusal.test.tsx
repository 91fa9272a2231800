// @vitest-environment happy-dom
import { ApiError } from '@cordon/contract';
import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it, vi } from 'vitest';
import { renderDomains } from '../../../domain/testing/render-domains';
import { sampleConfig, sampleRoute } from '../../../domain/testing/sample-route';
import Refusal from './refusal';

vi.mock('../../../app/api-client', () => ({ api: {}, queryClient: {} }));

const plugins = [
  { name: 'custom-header', enabled: true, config: {} },
  { name: 'custom-error-page', enabled: true, config: { error_401: 'https://pages.example/401' } },
];
const route = sampleRoute({ draft: { ...sampleConfig(), plugins } });
const refused = (fields: Record<string, string>, params = {}) =>
  new ApiError(
    422,
    'VALIDATION_FAILED',
    { success: false, code: 'VALIDATION_FAILED', message: '', params, ...fields } as never,
    Object.entries(fields).map(([path, code]) => `${path}.${code}`),
  );

it.each([
  ['en', 'Error pages: Unauthorized (401)', /This page could not be fetched/],
  ['zh', '自定义错误页面：需要登录（401）', /无法抓取该页面/],
] as const)(
  'names in %s the plugin and the field that a deploy is refused for, and leads there',
  async (locale, place, why) => {
    const onLeave = vi.fn();
    const error = refused({ 'plugins.custom-error-page.config.error_401': 'ERROR_PAGE_UNREACHABLE' });
    await renderDomains(<Refusal error={error} route={route} onLeave={onLeave} />, locale);
    const link = await screen.findByRole('link', { name: place });
    expect(screen.getByRole('alert').textContent).toMatch(why);
    expect(link.getAttribute('href')).toContain('tab=error-pages&edit=custom-error-page');
    await userEvent.click(link);
    expect(onLeave).toHaveBeenCalled();
  },
);

it('says all of what is wrong beside plugins', async () => {
  const error = refused({ 'upstreams.targets.0.port': 'PORT_FORBIDDEN' });
  await renderDomains(<Refusal error={error} route={route} onLeave={vi.fn()} />);
  expect((await screen.findByRole('alert')).textContent).toBe(
    'Leave the port empty: this protocol follows the visitor',
  );
  expect(screen.queryByRole('link')).toBeNull();
});

it('says both, what is wrong in a plugin and beside it', async () => {
  const error = refused({
    'plugins.geoip.enabled': 'PLUGIN_NEEDS_VIP',
    'upstreams.targets.0.port': 'PORT_FORBIDDEN',
  });
  await renderDomains(<Refusal error={error} route={route} onLeave={vi.fn()} />);
  expect(await screen.findByRole('link', { name: 'Country restriction' })).toBeTruthy();
  expect(screen.getByRole('alert').textContent).toMatch(/VIP.*Leave the port empty/);
});
