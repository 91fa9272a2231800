import { type Screen, title } from './screen.ts';

export const pages: readonly Screen[] = [
  { name: '404', hash: '#/pages/404', open: (page, words) => title(page, words('pages.notFound.title')) },
  { name: '500', hash: '#/pages/500', open: (page, words) => title(page, words('pages.serverError.title')) },
  {
    name: '500 after sign-in failed',
    hash: '#/pages/500?reason=sign-in',
    open: (page, words) => title(page, words('pages.signInFailed.title')),
  },
  {
    name: 'an unknown address',
    account: 'full',
    hash: '#/domain/nowhere',
    open: (page, words) => title(page, words('pages.notFound.title')),
  },
  {
    name: 'a screen whose file does not come',
    account: 'full',
    hash: '#/domain/rules',
    complains: /./,
    prepare: (page) => page.route(/\/rules-screen[^/]*\.js$/, (route) => route.abort()),
    open: (page, words) => title(page, words('pages.broken.notLoaded')),
  },
  {
    name: 'a sign-in that could not be checked',
    account: 'full',
    hash: '#/domain/list',
    complains: /./,
    prepare: (page) => page.route(/\/token$/, (route) => route.abort('connectionrefused')),
    open: (page, words) => title(page, words('pages.broken.signIn')),
  },
  {
    name: 'unauthorized',
    account: 'full',
    hash: '#/unauthorized',
    open: (page, words) => title(page, words('pages.unauthorized.title')),
  },
  {
    name: 'self-test',
    account: 'full',
    hash: '#/pages/test',
    open: async (page) => {
      // Before its file is there, nothing is busy.
      await page.getByRole('heading', { level: 1 }).waitFor();
      await page.locator('[aria-busy=true]').first().waitFor({ state: 'detached' });
    },
  },
];
