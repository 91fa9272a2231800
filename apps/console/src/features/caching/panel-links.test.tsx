// @vitest-environment happy-dom
import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { type ComponentType, Suspense, useState } from 'react';
import { beforeEach, expect, it, vi } from 'vitest';
import { needCatalogs } from '../../app/intl-store';
import { renderDomains } from '../../domain/testing/render-domains';
import { ROUTE_ID } from '../../domain/testing/sample-route';
import { lazyPart } from '../../ui/lazy-part';
import { PanelLinks } from './panel-links';
import { PanelPlace, type Wanted } from './panel-place';

const user = userEvent.setup({ delay: null });
const scroll = vi.spyOn(Element.prototype, 'scrollIntoView');

beforeEach(async () => {
  scroll.mockReset();
  await needCatalogs('caching');
});

it.each([
  ['en', ['What costs your origin most', 'Try a URL', 'Development mode', 'Clear cache', 'Prefetch']],
  ['zh', ['最消耗源站的路径', '测试 URL', '开发模式', '清除缓存', '预热']],
] as const)('in %s are links to the panels, in which the keyboard gets on', async (locale, names) => {
  const onLead = vi.fn();
  await renderDomains(<PanelLinks routeId={ROUTE_ID} isLive onLead={onLead} />, locale);
  expect(screen.getAllByRole('link').map((link) => link.textContent)).toEqual(names);
  expect(screen.getByRole('link', { name: names[4] }).getAttribute('href')).toBe(
    `#/domain/list/${ROUTE_ID}?tab=caching&panel=prefetch`,
  );
  await user.tab();
  await user.keyboard('{Enter}');
  expect(onLead).toHaveBeenCalledExactlyOnceWith('costly');
});

it('have none to a trial, or to what costs the origin, of a domain that was never deployed', async () => {
  await renderDomains(<PanelLinks routeId={ROUTE_ID} isLive={false} onLead={() => undefined} />);
  expect(screen.getAllByRole('link')).toHaveLength(3);
});

function Page({ Late, isSmooth }: { Late: ComponentType; isSmooth: boolean }) {
  const [wanted, setWanted] = useState<Wanted | undefined>({ panel: 'clear', isSmooth });
  const place = { wanted, onArrive: () => setWanted(undefined) };
  return (
    <Suspense fallback="on its way">
      <PanelPlace panel="try" {...place}>
        <h2>Try a URL</h2>
      </PanelPlace>
      <PanelPlace panel="clear" {...place}>
        <Late />
      </PanelPlace>
    </Suspense>
  );
}
const Panel = () => <h2>Clear cache</h2>;

it.each([
  [false, true, 'smooth'],
  [true, true, 'auto'],
  [false, false, 'auto'],
])('leads to the heading of a panel once it is there (less motion: %s, seen: %s)', async (isReduced, isSmooth, how) => {
  const media = vi.spyOn(window, 'matchMedia').mockReturnValue({ matches: isReduced } as MediaQueryList);
  let resolve = (_: { default: ComponentType }) => {};
  const promise = new Promise<{ default: ComponentType }>((come) => {
    resolve = come;
  });
  await renderDomains(<Page Late={lazyPart(() => promise)} isSmooth={isSmooth} />);
  await screen.findByText('on its way');
  expect(scroll).not.toHaveBeenCalled();
  resolve({ default: Panel });
  const heading = await screen.findByRole('heading', { name: 'Clear cache' });
  await vi.waitFor(() => expect(document.activeElement).toBe(heading));
  expect(scroll).toHaveBeenCalledWith({ block: 'start', behavior: how });
  expect((scroll.mock.instances[0] as unknown as Element).contains(heading)).toBe(true);
  media.mockRestore();
});
