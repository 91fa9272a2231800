/*
 * The service worker: says why the console is not there where a reload meets no network. It keeps no file and no answer:
 * the page it shows stands in it. So one of an older release can serve nothing that is old.
 */

export type {};

/** The script of the page, put in by the build (vite.config.ts). */
declare const __OFFLINE_SCRIPT__: string;

interface WorkerEvent extends Event {
  waitUntil(work: Promise<unknown>): void;
}
interface NavigationEvent extends WorkerEvent {
  readonly request: Request;
  respondWith(response: Promise<Response>): void;
}
interface WorkerScope {
  readonly registration: ServiceWorkerRegistration;
  skipWaiting(): Promise<void>;
  addEventListener(type: 'install' | 'activate', listener: (event: WorkerEvent) => void): void;
  addEventListener(type: 'fetch', listener: (event: NavigationEvent) => void): void;
}
const worker = self as unknown as WorkerScope;

/** The console's own page: nothing else of this origin, the identity provider and the API least of all, is touched. */
const PAGES = ['/', '/index.html'];
const isPage = ({ mode, destination, method, url }: Request) =>
  mode === 'navigate' && destination === 'document' && method === 'GET' && PAGES.includes(new URL(url).pathname);

function offlinePage(): Response {
  const nonce = crypto.randomUUID();
  const html = `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark"><title>Console</title></head><body><div id="root"></div><script nonce="${nonce}">${__OFFLINE_SCRIPT__}</script></body></html>`;
  return new Response(html, {
    status: 503,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'content-security-policy': `default-src 'none'; script-src 'nonce-${nonce}'; style-src-attr 'unsafe-inline'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
    },
  });
}

worker.addEventListener('install', (event) => event.waitUntil(worker.skipWaiting()));
// An early request goes out for what is left to the browser too, which then asks once more: a step of the sign-in, which
// holds once, was refused. Earlier releases asked early.
worker.addEventListener('activate', (event) =>
  event.waitUntil(worker.registration.navigationPreload?.disable() ?? Promise.resolve()),
);
worker.addEventListener('fetch', (event) => {
  if (!isPage(event.request)) return;
  event.respondWith(fetch(event.request).catch(offlinePage));
});
