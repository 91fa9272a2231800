import { afterAll, afterEach, vi } from 'vitest';

// Files of a worker share the packages that they load, which is most of what loading costs. Our own modules are loaded
// anew for each file of the console: many of its tests replace some by mocks, and its stores live in modules.
if (typeof document !== 'undefined') {
  // They share the browser's storage, too: a language that one has chosen would be that of the next.
  window.localStorage.clear();
  window.sessionStorage.clear();
  // And the document: what one has put there by hand, and what it had in focus.
  document.body.replaceChildren();
  for (const element of [document.documentElement, document.body])
    for (const { name } of [...element.attributes]) element.removeAttribute(name);
  (document.activeElement as HTMLElement | null)?.blur();
  vi.resetModules();
  afterAll(async () => {
    // What a file still loads when it is over would be among the modules of the next, with its mocks.
    await vi.dynamicImportSettled();
    vi.unstubAllGlobals();
    vi.restoreAllMocks();
  });
  // Testing Library unmounts only where `afterEach` is a global, which it is not here.
  const { cleanup, configure } = await import('@testing-library/react');
  afterEach(cleanup);
  // Its second is too short for a first render beside a load; nothing waits that long otherwise.
  configure({ asyncUtilTimeout: 5000 });
}
