import { useQuery } from '@tanstack/react-query';
import { Outlet } from '@tanstack/react-router';
import clsx from 'clsx';
import { type ComponentType, Suspense, useState } from 'react';
import { useTranslations } from 'use-intl';
import type { CatalogName } from '../../locales/catalogs';
import { lazyPart } from '../../ui/lazy-part';
import { InMain } from '../in-main';
import { needCatalogs } from '../intl-store';
import { meOptions } from '../me';
import type { PaletteSource } from '../palette/palette-types';
import { OverlayBoundary } from './overlay-boundary';
import { useOverlays } from './shortcuts';
import { Sidebar } from './sidebar';
import { TopBar } from './top-bar';

const SIDEBAR_KEY = 'sidebar';

/** A part that speaks words of its own. */
const partWith = <Props extends object>(catalog: CatalogName, load: () => Promise<{ default: ComponentType<Props> }>) =>
  lazyPart(async () => (await Promise.all([load(), needCatalogs(catalog)]))[0]);

// They come after the screen: what they say can wait.
const StatusLines = partWith('pages', () => import('./status-lines'));
const Announcements = partWith('pages', () => import('./announcements'));
// Loaded with the first use: the shell itself stays small.
const Drawer = lazyPart(() => import('./drawer'));
const Palette = partWith('palette', () => import('../palette/palette'));
const ShortcutsDialog = partWith('palette', () => import('./shortcuts-dialog'));

/** Sidebar, top bar and the screen. */
export function Shell({ loadPaletteSources }: { loadPaletteSources: () => Promise<PaletteSource[]> }) {
  const t = useTranslations('shell');
  const [isSidebarShown, setSidebarShown] = useState(() => window.localStorage.getItem(SIDEBAR_KEY) !== 'hidden');
  const [isDrawerOpen, setDrawerOpen] = useState(false);
  const [wasDrawerUsed, setDrawerUsed] = useState(false);
  const overlays = useOverlays();
  useQuery(meOptions);
  function toggleSidebar() {
    window.localStorage.setItem(SIDEBAR_KEY, isSidebarShown ? 'hidden' : 'shown');
    setSidebarShown(!isSidebarShown);
  }
  return (
    <>
      {/* biome-ignore lint/a11y/useValidAnchor: a skip link; the hash belongs to the router, so the focus is moved by hand */}
      <a
        href="#main"
        onClick={(event) => {
          event.preventDefault();
          document.querySelector<HTMLElement>('#main')?.focus();
        }}
        className="fixed top-2 left-2 z-80 -translate-y-20 rounded-control bg-primary px-4 py-2 text-on-primary focus:translate-y-0"
      >
        {t('skip')}
      </a>
      <div className={clsx('flex min-h-dvh flex-col', isSidebarShown && 'md:pl-52')}>
        <aside
          className={clsx(
            'fixed inset-y-0 left-0 z-30 w-52 border-r border-line bg-card max-md:hidden',
            !isSidebarShown && 'hidden',
          )}
        >
          <Sidebar />
        </aside>
        <TopBar
          onToggleSidebar={toggleSidebar}
          onOpenDrawer={() => {
            setDrawerUsed(true);
            setDrawerOpen(true);
          }}
        />
        <Suspense fallback={null}>
          <StatusLines />
        </Suspense>
        <main
          id="main"
          tabIndex={-1}
          className="mx-auto w-full max-w-[1440px] flex-1 has-data-wide:max-w-none px-4 pt-6 pb-4 outline-none sm:p-6"
        >
          <InMain.Provider value>
            <Outlet />
          </InMain.Provider>
        </main>
        <Suspense fallback={null}>
          <Announcements />
        </Suspense>
      </div>
      <OverlayBoundary
        onFailed={() => {
          overlays.forget();
          setDrawerUsed(false);
        }}
      >
        <Suspense fallback={null}>
          {overlays.wasUsed('palette') && (
            <Palette
              open={overlays.isOpen('palette')}
              onOpenChange={overlays.onOpenChange('palette')}
              loadSources={loadPaletteSources}
            />
          )}
          {overlays.wasUsed('shortcuts') && (
            <ShortcutsDialog open={overlays.isOpen('shortcuts')} onOpenChange={overlays.onOpenChange('shortcuts')} />
          )}
          {wasDrawerUsed && <Drawer open={isDrawerOpen} onOpenChange={setDrawerOpen} />}
        </Suspense>
      </OverlayBoundary>
    </>
  );
}
