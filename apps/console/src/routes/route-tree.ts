import { createRootRoute, createRoute, redirect } from '@tanstack/react-router';
import { getBrand } from '../app/brand';
import { decide, type RouteFlags } from '../app/guards';
import { needCatalogs, setLocale } from '../app/intl-store';
import { supportedLocale } from '../app/locale';
import { RootView } from '../app/root-view';
import { isSignInLooping, wasSignedIn } from '../app/session/hints';
import { getSession, signIn } from '../app/session/session';
import { whenSessionKnown } from '../app/session-ready';
import { PendingContent, PendingScreen } from '../app/shell/pending-screen';
import { isIdentityForm } from '../app/start-hash';
import { readUrlMarker } from '../app/url-markers';
import {
  bansSearch,
  dashboardSearch,
  domainImportSearch,
  domainListSearch,
  domainSearch,
  rulesSearch,
  userInfoSearch,
} from './domain-search';
import { parseSearch } from './parse-search';
import { screenPart } from './screen-part';
import { ShellScreen } from './shell-screen';

declare module '@tanstack/react-router' {
  interface StaticDataRouteOption extends RouteFlags {}
}

export const notFoundPage = screenPart(() => import('./not-found-page'), 'NotFoundPage', 'pages');

/** Who is here is not known: the screen says why, and asks again. */
function throwIfLost() {
  const { status, failure } = getSession();
  if (status === 'lost') throw failure;
}

/** Leaves the console; never resolves. */
async function leaveForSignIn(...[hash, form]: Parameters<typeof signIn>): Promise<never> {
  if (isSignInLooping()) throw redirect({ to: '/pages/500', search: { reason: 'sign-in' }, replace: true });
  await signIn(hash, form);
  throwIfLost();
  // The browser is leaving; nothing is drawn any more. A failure to leave has been counted and shows itself.
  if (isSignInLooping() || getSession().failure)
    throw redirect({ to: '/pages/500', search: { reason: 'sign-in' }, replace: true });
  return new Promise<never>(() => {});
}

const root = createRootRoute({
  component: RootView,
  pendingComponent: PendingScreen,
  pendingMs: 0,
  async beforeLoad({ location, matches }) {
    const marker = readUrlMarker(window.location.search, `#${location.href}`);
    if (marker?.kind === 'error') {
      window.location.replace(`${window.location.origin}/`);
      await new Promise(() => {});
    } else if (marker?.kind === 'state') {
      const left = new URL(marker.hash.replace(/^#?\/?/, '/'), window.location.origin);
      window.history.replaceState(null, '', `${window.location.pathname}#${left.pathname}${left.search}`);
      throw redirect({ to: left.pathname, search: parseSearch(left.search) as never, replace: true });
    }
    const flags = Object.assign({}, ...matches.map((match) => match.staticData)) as RouteFlags;
    if (flags.auth || flags.roles) {
      // An earlier session most likely still stands: the screen is drawn, its data wait, and the router decides again when it
      // is known (start-console.tsx).
      const { status } = getSession();
      if (status === 'checking' ? wasSignedIn() : status === 'ended') return;
      await whenSessionKnown();
      throwIfLost();
    }
    const decision = decide(flags, getSession().claims, getBrand().white_label);
    if (decision === 'not-found') throw redirect({ to: '/pages/404', replace: true });
    if (decision === 'unauthorized') throw redirect({ to: '/unauthorized', replace: true });
    if (decision === 'sign-in') await leaveForSignIn(`#${location.href}`);
  },
});

const area = { auth: true, roles: ['user'], chat: true } as const satisfies RouteFlags;

const shell = createRoute({
  getParentRoute: () => root,
  id: 'shell',
  component: ShellScreen,
  loader: () => needCatalogs('shell'),
});
/** A screen within the shell, whose frame stands while the screen is loaded. */
const inShell = { getParentRoute: () => shell, pendingComponent: PendingContent };

const dashboard = createRoute({
  ...inShell,
  path: '/dashboard',
  staticData: { auth: true, chat: true },
  validateSearch: dashboardSearch,
  component: screenPart(() => import('./dashboard-screen'), 'DashboardScreen', 'traffic', 'health', 'overview'),
});
const domainScreen = screenPart(() => import('./domain-screen'), 'DomainScreen', 'domain', 'health', 'overview');
/** Late enough to leave the network to the list, and before most have chosen a domain. */
const DOMAIN_AHEAD_MS = 3000;
const domainList = createRoute({
  ...inShell,
  path: '/domain/list',
  staticData: area,
  validateSearch: domainListSearch,
  onEnter: () => {
    window.setTimeout(() => domainScreen.preload?.()?.catch(() => {}), DOMAIN_AHEAD_MS);
  },
  component: screenPart(() => import('./domain-list-screen'), 'DomainListScreen', 'domain', 'health'),
});
const domainImport = createRoute({
  ...inShell,
  path: '/domain/import',
  staticData: area,
  validateSearch: domainImportSearch,
  component: screenPart(() => import('./domain-import-screen'), 'DomainImportScreen', 'imports', 'domain'),
});
const domain = createRoute({
  ...inShell,
  path: '/domain/list/$id',
  staticData: area,
  validateSearch: domainSearch,
  component: domainScreen,
});
const rules = createRoute({
  ...inShell,
  path: '/domain/rules',
  staticData: area,
  validateSearch: rulesSearch,
  component: screenPart(() => import('./rules-screen'), 'RulesScreen', 'domain', 'health', 'rules'),
});
const bans = createRoute({
  ...inShell,
  path: '/manage-ip',
  staticData: area,
  validateSearch: bansSearch,
  component: screenPart(() => import('./bans-screen'), 'BansScreen', 'bans'),
});
const userInfo = createRoute({
  ...inShell,
  path: '/user/info',
  staticData: area,
  validateSearch: userInfoSearch,
  component: screenPart(() => import('./user-info-screen'), 'UserInfoScreen', 'accounts', 'audit', 'domain'),
});

const redirectTo = <Path extends string>(path: Path, to: '/domain/list' | '/pages/404') =>
  createRoute({
    getParentRoute: () => root,
    path,
    beforeLoad() {
      throw redirect({ to, replace: true });
    },
  });

const unauthorizedPageComponent = screenPart(() => import('./unauthorized-page'), 'UnauthorizedPage', 'pages');
const notFound = createRoute({ getParentRoute: () => root, path: '/pages/404', component: notFoundPage });
const unauthorized = createRoute({
  getParentRoute: () => root,
  path: '/unauthorized',
  component: unauthorizedPageComponent,
});
const unauthorizedPage = createRoute({
  getParentRoute: () => root,
  path: '/pages/unauthorized',
  component: unauthorizedPageComponent,
});
const serverError = createRoute({
  getParentRoute: () => root,
  path: '/pages/500',
  validateSearch: ({ reason }: Record<string, unknown>): { reason?: 'sign-in' | undefined } => ({
    reason: reason === 'sign-in' ? reason : undefined,
  }),
  component: screenPart(() => import('./server-error-page'), 'ServerErrorPage', 'pages'),
});
const selfTest = createRoute({
  getParentRoute: () => root,
  path: '/pages/test',
  component: screenPart(() => import('../features/self-test/self-test-page'), 'SelfTestPage', 'selfTest'),
});

/*
 * The forms of the identity provider run as their own small program (main.ts), so coming here means leaving the console:
 * for that program, or without an open question for the provider, which asks one.
 */
const identityForm = <Path extends '/pages/login' | '/pages/register'>(path: Path) =>
  createRoute({
    getParentRoute: () => root,
    path,
    async beforeLoad() {
      if (isIdentityForm(window.location)) {
        window.location.reload();
        await new Promise(() => {});
      }
      await whenSessionKnown();
      throwIfLost();
      if (getSession().claims) throw redirect({ to: '/', replace: true });
      await leaveForSignIn('#/', path === '/pages/register' ? 'create' : 'login');
    },
  });

/*
 * What is in no table of screens says so inside the shell, the address left as it is. One segment would be read as a
 * language: these belong to screens that are not built yet. Kept out of the type of the tree, so that no link to them compiles.
 */
const missingScreens = [
  '/traffic-statistics',
  '/api-docs',
  '/contact',
  '/cert',
  '/dns',
  '/tickets',
  '/attack',
  '$',
].map((path) =>
  createRoute({
    ...inShell,
    path: path as '/pages/404',
    staticData: { auth: true, chat: true },
    component: notFoundPage,
  }),
);

let tellWhy: (() => void) | undefined;
/** Says of the screen that came why it did, if it is not what was asked for. */
export function tellArrival(): void {
  tellWhy?.();
  tellWhy = undefined;
}

const language = createRoute({
  getParentRoute: () => root,
  path: '/$lang',
  async beforeLoad({ params }) {
    const locale = supportedLocale(params.lang);
    if (locale) await setLocale(locale);
    else tellWhy = () => void import('./missing-language').then(({ tellMissing }) => tellMissing(params.lang));
    throw redirect({ to: '/', replace: true });
  },
});

/** The table of screens (product design, "Screens"). */
export const routeTree = root.addChildren([
  redirectTo('/', '/domain/list'),
  redirectTo('/domain', '/domain/list'),
  redirectTo('/domain/list0', '/domain/list'),
  shell.addChildren([dashboard, domainList, domain, rules, domainImport, bans, userInfo, ...missingScreens]),
  redirectTo('/pages', '/pages/404'),
  notFound,
  serverError,
  unauthorized,
  unauthorizedPage,
  selfTest,
  identityForm('/pages/login'),
  identityForm('/pages/register'),
  language,
]);
