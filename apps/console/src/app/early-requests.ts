import { API_BASE, type Brand } from '@cordon/contract';
import type { OpenidEndpoints } from '@cordon/contract/page-data';
import { type CatalogName, loadCatalog } from '../locales/catalogs';
import { initialLocale } from './locale';
import { readPageData } from './page-data';
import { clientOf, type FirstAnswer, requestFirstAnswer } from './session/first-answer';

/** What the shell says, whatever screen is in it. */
export const SHELL_CATALOGS = ['ui', 'shell', 'errors'] as const satisfies readonly CatalogName[];

const pageData = readPageData();
let brand: Promise<Brand> | undefined;

async function fetchBrand(): Promise<Brand> {
  const response = await fetch(`${API_BASE}brand/`, { headers: { accept: 'application/json' } });
  if (!response.ok) throw new Error(`brand/ answered ${response.status}`);
  return ((await response.json()) as { result: Brand }).result;
}

/** The brand of this hostname: in the page, or asked for once, by main.ts before the program itself has arrived. */
export function requestBrand(): Promise<Brand> {
  brand ??= pageData ? Promise.resolve(pageData.brand) : fetchBrand();
  return brand;
}

const endpointsOf = async ({ oidc }: Brand): Promise<OpenidEndpoints> =>
  pageData?.openid ?? (await import('./session/discovery')).discover(oidc.authority);

/** Who is here, as the provider says; asked once, by main.ts before the program itself has arrived. */
export const requestSession = (): Promise<FirstAnswer> =>
  requestFirstAnswer(requestBrand().then(async (known) => clientOf(known, await endpointsOf(known))));

/** Words travel beside the program that shows them; one that does not arrive is asked for again when it is needed. */
export function requestCatalogs(...names: CatalogName[]): void {
  for (const name of names) loadCatalog(initialLocale(), name).catch(() => {});
}
