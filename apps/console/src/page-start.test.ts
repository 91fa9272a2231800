// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, it, vi } from 'vitest';

const ISSUER = 'http://127.0.0.1:8000/auth/realms/cordon';
const openid = { issuer: ISSUER, authorization_endpoint: `${ISSUER}/auth`, token_endpoint: `${ISSUER}/token` };
const files = {
  identity: { en: ['/assets/identity.js'], zh: [] },
  console: { en: ['/assets/console.js'], zh: [] },
  list: { en: ['/assets/list.js'], zh: [] },
};

const left = vi.fn();
const asked = vi.hoisted(() => vi.fn(async (_address: string) => ''));
vi.mock('./app/session/silent-frame', () => ({ askInFrame: asked }));
afterEach(() => {
  vi.restoreAllMocks();
  localStorage.clear();
  document.head.innerHTML = '';
  window.history.replaceState(null, '', '/');
});

beforeEach(() => {
  vi.resetModules();
  left.mockReset();
  asked.mockReset();
  localStorage.clear();
  sessionStorage.clear();
  delete window.pageStart;
  document.documentElement.removeAttribute('data-theme');
  vi.spyOn(window.location, 'replace').mockImplementation(left);
});

const element = (id: string, content: object) =>
  `<script type="application/json" id="${id}">${JSON.stringify(content)}</script>`;

/** Opens a page as the API serves it. */
async function open(
  address: string,
  data: object | null = { brand: { oidc: { client_id: 'cordon-console' } }, openid },
) {
  window.history.replaceState(null, '', address);
  document.head.innerHTML = (data ? element('page-data', data) : '') + element('page-files', files);
  await import('./page-start');
  return window.pageStart;
}
const preloaded = () =>
  [...document.querySelectorAll('link[rel=modulepreload]')].map((link) => link.getAttribute('href'));

it.each(['/', '/#/', '/#/domain/list?page=2', '/#/dashboard', '/#/user/info'])(
  'signed out, %s leaves for the sign-in before anything else is loaded',
  async (address) => {
    const start = await open(address);
    expect([start?.isLeaving, await start?.leaving]).toEqual([true, true]);
    const url = new URL(String(left.mock.calls[0]?.[0]));
    expect(url.href).toMatch(`${ISSUER}/auth?`);
    const request = sessionStorage.getItem(`sign_in.${url.searchParams.get('state')}`);
    expect(JSON.parse(request ?? '{}')).toMatchObject({ hash: window.location.hash });
    expect(preloaded()).toEqual([]);
  },
);

it.each([
  ['/?code=c&state=s', '/assets/list.js'],
  ['/#/pages/login?interaction=i', '/assets/identity.js'],
  ['/#/pages/test', '/assets/console.js'],
  ['/#/zh', '/assets/console.js'],
])('signed out, %s stays and asks for its program', async (address, file) => {
  const start = await open(address);
  expect(start?.isLeaving).not.toBe(true);
  expect(left).not.toHaveBeenCalled();
  expect(preloaded()).toEqual([file]);
});

it('after an earlier sign-in asks silently while the console loads', async () => {
  localStorage.setItem('session_hint', '1');
  const start = await open('/#/domain/list');
  expect(await start?.leaving).toBe(false);
  expect(start?.silentAnswer).toBeInstanceOf(Promise);
  await start?.silentAnswer;
  expect(asked).toHaveBeenCalledExactlyOnceWith(expect.stringContaining('prompt=none'));
  expect(preloaded()).toEqual(['/assets/list.js']);
});

it.each([
  ['another issuer has to be asked first', { brand: { oidc: {} }, openid: null }],
  ['the page was not served by the API', null],
])('leaves the sign-in to the console where %s', async (_why, data) => {
  expect(await open('/', data)).toBeUndefined();
  expect(left).not.toHaveBeenCalled();
});

it('does not go round in circles where sign-in fails again and again', async () => {
  sessionStorage.setItem('sign_in_failures', JSON.stringify([Date.now(), Date.now(), Date.now()]));
  expect(await open('/')).toBeUndefined();
});

it('applies theme and language of last time', async () => {
  localStorage.setItem('theme', 'dark');
  localStorage.setItem('profile_locale', 'zh');
  await open('/#/pages/test');
  expect([document.documentElement.dataset.theme, document.documentElement.lang]).toEqual(['dark', 'zh-CN']);
});
