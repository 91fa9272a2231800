import { afterEach, beforeEach, expect, it, vi } from 'vitest';

type Listener = (event: object) => void;
const listeners = new Map<string, Listener>();
const disable = vi.fn(async () => {});

beforeEach(async () => {
  vi.stubGlobal('__OFFLINE_SCRIPT__', 'start()');
  vi.stubGlobal('self', {
    registration: { navigationPreload: { disable } },
    skipWaiting: async () => {},
    addEventListener: (type: string, listener: Listener) => listeners.set(type, listener),
  });
  vi.resetModules();
  await import('./offline-worker');
});
afterEach(() => vi.unstubAllGlobals());

/** What the worker answers; undefined where it leaves the request to the browser. */
function answerTo(path: string, request: object = {}) {
  const respondWith = vi.fn<(response: Promise<Response>) => void>();
  listeners.get('fetch')?.({
    request: {
      url: `https://console.example${path}`,
      mode: 'navigate',
      destination: 'document',
      method: 'GET',
      ...request,
    },
    respondWith,
  });
  return respondWith.mock.calls[0]?.[0];
}

it.each([
  ['a call of the API', '/api/v1/domain/routes/', { mode: 'cors', destination: '' }],
  ['a page of the API', '/api/v1/domain/export/', {}],
  ['the identity provider', '/auth/realms/cordon/auth?client_id=x', {}],
  ['the frame of the silent check', '/silent.html?code=x', { destination: 'iframe' }],
  ['the console in a frame', '/', { destination: 'iframe' }],
  ['a file of the console', '/assets/index-1.js', { mode: 'cors', destination: 'script' }],
  ['a read of the page itself', '/', { mode: 'cors', destination: '' }],
  ['a form', '/', { method: 'POST' }],
])('leaves %s to the browser', (_what, path, request) => {
  expect(answerTo(path, request)).toBeUndefined();
});

it('gives what the network says, whatever it is', async () => {
  const fetched = vi.fn(async () => new Response('busy', { status: 500 }));
  vi.stubGlobal('fetch', fetched);
  const response = await answerTo('/?code=c&state=s');
  expect([response?.status, await response?.text()]).toEqual([500, 'busy']);
  expect(fetched).toHaveBeenCalledOnce();
});

it('asks nothing early, not even where an earlier release did: the browser would ask twice for a step of the sign-in', () => {
  listeners.get('activate')?.({ waitUntil: () => {} });
  expect(disable).toHaveBeenCalled();
});

it('has a page of its own for no network, which runs its own script alone', async () => {
  vi.stubGlobal(
    'fetch',
    vi.fn(async () => Promise.reject(new TypeError('network'))),
  );
  const response = await answerTo('/');
  expect(response?.status).toBe(503);
  const nonce = /<script nonce="([^"]+)">start\(\)<\/script>/.exec((await response?.text()) ?? '')?.[1];
  expect(nonce).toBeTruthy();
  const policy = response?.headers.get('content-security-policy');
  expect(policy).toContain("default-src 'none'");
  expect(policy).toContain(`script-src 'nonce-${nonce}';`);
});
