import { createRouter } from '@tanstack/react-router';
import { ScreenError } from '../app/error-parts';
import { askToLeave } from '../app/leave-question';
import { showLiveChat } from '../app/live-chat';
import { PendingScreen } from '../app/shell/pending-screen';
import { dismissScreenNotices } from '../ui/notices';
import { hasUnsavedChanges } from '../ui/unsaved-changes';
import { createNumberedHistory } from './numbered-history';
import { parseSearch } from './parse-search';
import { notFoundPage, routeTree, tellArrival } from './route-tree';

export const router = createRouter({
  routeTree,
  parseSearch,
  // Back, forward and a typed address always ask, because a dialog may be open by a search parameter alone.
  history: createNumberedHistory(() => (hasUnsavedChanges() ? askToLeave() : undefined)),
  defaultErrorComponent: ScreenError,
  // An address that cannot be read, such as one with half an escape, leads to no route at all.
  defaultNotFoundComponent: notFoundPage,
  defaultPendingComponent: PendingScreen,
  defaultPendingMs: 150,
  // What is ready is shown: the outline that stood in for it is the same picture, so that nothing flashes.
  defaultPendingMinMs: 0,
  defaultPreload: 'intent',
  defaultPreloadStaleTime: 0,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}

const tabOf = (search: string) => new URLSearchParams(search).get('tab');

/* A form that holds changes asks before a link leaves the screen or the tab; within it, a dialog can close itself. */
router.history.block({
  blockerFn: async ({ currentLocation, nextLocation, action }) => {
    const isOwnStep = action === 'PUSH' || action === 'REPLACE';
    const isSamePlace =
      currentLocation.pathname === nextLocation.pathname &&
      tabOf(currentLocation.search) === tabOf(nextLocation.search);
    if (!hasUnsavedChanges() || !isOwnStep || isSamePlace) return false;
    return !(await askToLeave());
  },
  enableBeforeUnload: false,
});

router.subscribe('onResolved', ({ fromLocation, toLocation, pathChanged }) => {
  const flags = router.state.matches.at(-1)?.staticData;
  showLiveChat(flags?.chat === true);
  // What was said of one tab would stand over the next, too. An Undo of what holds for all of them stays.
  if (pathChanged || tabOf(fromLocation?.searchStr ?? '') !== tabOf(toLocation.searchStr))
    dismissScreenNotices(!pathChanged);
  tellArrival();
  if (!pathChanged) return;
  // The first screen is where the document begins, and is announced with it: to ask for its layout, before it has been painted, would hold the page.
  if (!fromLocation) return;
  window.scrollTo(0, 0);
  // A screen reader hears where it is; a press on a link would otherwise leave the focus on the old screen.
  document.querySelector<HTMLElement>('main h1')?.focus({ preventScroll: true });
});
