// @vitest-environment happy-dom
import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it, vi } from 'vitest';
import { renderDomains } from '../../../domain/testing/render-domains';
import { sampleRoute, sampleSuspension } from '../../../domain/testing/sample-route';
import DomainRowMenu from './domain-row-menu';

vi.mock('../../../app/api-client', () => ({ api: {}, queryClient: {} }));

it.each([
  ['of a domain that is served', {}, true],
  ['that is paused already', { is_paused: true }, false],
  ['that is off', { status: 'deactivated' as const }, false],
])('the menu of a row %s offers a pause and Under Attack mode: %#', async (_which, change, isOffered) => {
  const onAsk = vi.fn();
  const route = sampleRoute(change);
  await renderDomains(<DomainRowMenu route={route} onAsk={onAsk} />);
  await userEvent.click(screen.getByRole('button', { name: 'Actions for www.example.com' }));
  await screen.findByRole('menuitem', { name: 'Clone' });
  const pause = screen.queryByRole('menuitem', { name: 'Pause protection' });
  const attack = screen.queryByRole('menuitem', { name: 'Under Attack mode' });
  expect([pause !== null, attack !== null]).toEqual([isOffered, isOffered]);
  pause?.click();
  attack?.click();
  expect(onAsk.mock.calls).toEqual(
    isOffered
      ? [
          ['pause', route],
          ['attack', route],
        ]
      : [],
  );
});

it.each([
  ['of a domain that is served', 'en', {}, ['Clear cache', 'Force HTTPS…']],
  ['of one that is off', 'zh', { status: 'deactivated' as const }, ['清除缓存', '强制 HTTPS…']],
  ['of one that is suspended', 'en', { suspension: sampleSuspension() }, []],
] as const)(
  'the menu of a row %s offers to clear its cache and to force HTTPS: %s',
  async (_which, locale, change, labels) => {
    const onAsk = vi.fn();
    const route = sampleRoute(change);
    await renderDomains(<DomainRowMenu route={route} onAsk={onAsk} />, locale);
    await userEvent.click(screen.getByRole('button'));
    await screen.findByRole('menuitem', { name: locale === 'en' ? 'Clone' : '克隆' });
    const offered = screen
      .getAllByRole('menuitem')
      .filter(({ textContent }) => /Clear cache|Force HTTPS|清除缓存|强制 HTTPS/.test(textContent));
    expect(offered.map(({ textContent }) => textContent)).toEqual(labels);
    for (const item of offered) item.click();
    expect(onAsk.mock.calls).toEqual(
      labels.length === 0
        ? []
        : [
            ['clear_cache', route],
            ['force_https', route],
          ],
    );
  },
);
