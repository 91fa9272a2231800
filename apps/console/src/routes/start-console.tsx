import { CSPProvider } from '@base-ui/react/csp-provider';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode, startTransition } from 'react';
import { createRoot } from 'react-dom/client';
import { queryClient } from '../app/api-client';
import { AppErrorBoundary } from '../app/app-error-boundary';
import { loadBrand } from '../app/brand';
import { requestSession, SHELL_CATALOGS } from '../app/early-requests';
import { loadErrorParts } from '../app/error-parts';
import { IntlRoot } from '../app/intl-root';
import { needCatalogs } from '../app/intl-store';
import { startLiveEvents } from '../app/live-events';
import { getSession, startSession } from '../app/session/session';
import { sessionIsKnown } from '../app/session-ready';
import { LaterParts } from '../app/shell/later-parts';
import { router } from './router';

/** How long the outline of the page stands for a screen that is on its way, before the shell comes without it. */
const SCREEN_AWAITED_MS = 1_000;

/** Starts the console: provider's answer first, then the router; the silent check runs beside the first paint. */
export async function startConsole(): Promise<void> {
  const catalogs = needCatalogs(...SHELL_CATALOGS);
  await loadBrand();
  const session = startSession(requestSession()).finally(sessionIsKnown);
  void session.then(() => {
    if (getSession().status === 'signed-in') startLiveEvents();
    void router.invalidate();
  });
  // With an answer in the address the router must not see it; else the check need not hold the first paint.
  if (/[?&](code|error)=/.test(window.location.search)) await session;
  await catalogs;
  void loadErrorParts();
  await Promise.race([router.load(), new Promise((goOn) => setTimeout(goOn, SCREEN_AWAITED_MS))]);
  // The router listens once it is drawn.
  if (router.history.location.href !== router.latestLocation.href) void router.load();
  // index.html has it.
  const root = createRoot(document.querySelector('#root') as Element);
  startTransition(() =>
    root.render(
      <StrictMode>
        <CSPProvider disableStyleElements>
          <IntlRoot>
            <AppErrorBoundary>
              <QueryClientProvider client={queryClient}>
                <RouterProvider router={router} />
                <LaterParts />
              </QueryClientProvider>
            </AppErrorBoundary>
          </IntlRoot>
        </CSPProvider>
      </StrictMode>,
    ),
  );
}
