import { API_BASE, type Brand } from '@cordon/contract';
import type { OidcMetadata } from 'oidc-client-ts';
import { type CatalogName, loadCatalog } from '../locales/catalogs';
import { initialLocale } from './locale';

/** What the shell says, whatever screen is in it. */
export const SHELL_CATALOGS = ['ui', 'shell', 'pages', 'errors'] as const satisfies readonly CatalogName[];

let brand: Promise<Brand> | undefined;
let metadata: Promise<Partial<OidcMetadata> | undefined> | undefined;

/** The brand of this hostname; asked once, by main.ts before the program itself has arrived. */
export function requestBrand(): Promise<Brand> {
  brand ??= fetch(`${API_BASE}brand/`, { headers: { accept: 'application/json' } }).then(async (response) => {
    if (!response.ok) throw new Error(`brand/ answered ${response.status}`);
    return ((await response.json()) as { result: Brand }).result;
  });
  return brand;
}

/** Where the identity provider's endpoints are; undefined when it could not be asked, and is then asked again. */
export function requestMetadata(): Promise<Partial<OidcMetadata> | undefined> {
  metadata ??= requestBrand()
    .then(({ oidc }) => fetch(`${oidc.authority}/.well-known/openid-configuration`))
    .then((response) => (response.ok ? (response.json() as Promise<Partial<OidcMetadata>>) : undefined))
    .catch(() => undefined);
  return metadata;
}

/** Words travel beside the program that shows them; one that does not arrive is asked for again when it is needed. */
export function requestCatalogs(...names: CatalogName[]): void {
  for (const name of names) loadCatalog(initialLocale(), name).catch(() => {});
}
