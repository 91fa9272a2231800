// @vitest-environment happy-dom
import { screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { renderDomains } from '../testing/render-domains';
import { sampleConfig } from '../testing/sample-route';
import { ChangeView } from './change-view';

const live = sampleConfig();
const plugin = (config: object) => ({ ...live, plugins: [{ name: 'geoip', enabled: true, config: { ...config } }] });
const draft = { ...plugin({ blacklist_countries: ['KP'] }), upstreams: { ...live.upstreams, connection_limit: 5 } };

it.each([
  ['en', '2 changes'],
  ['zh', '2 项更改'],
] as const)('says first how much changes, as the button that led here does (%s)', async (locale, count) => {
  await renderDomains(<ChangeView before={live} after={draft} about="by Eve" />, locale);
  expect(screen.getByText(count).parentElement?.textContent).toBe(`${count}by Eve`);
  expect(screen.getAllByRole('radio')).toHaveLength(2);
});

it('counts nothing where nothing differs, and nothing that is set for the first time', async () => {
  await renderDomains(
    <>
      <ChangeView before={live} after={live} about="the same" />
      <ChangeView before={null} after={draft} about="the first" />
    </>,
  );
  expect(await screen.findByText('No differences.')).toBeTruthy();
  expect(screen.getByText('the first')).toBeTruthy();
  expect(screen.queryByText(/\d changes?$/)).toBeNull();
  expect(screen.getAllByRole('radio')).toHaveLength(2);
});
