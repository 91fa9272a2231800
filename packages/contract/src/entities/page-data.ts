import type { Brand } from './brands.ts';

/**
 * Where the endpoints of an OpenID provider are, by the names of its metadata (OpenID Connect Discovery 1.0, section 3).
 * A type, and no interface, as libraries take metadata with further members.
 */
export type OpenidEndpoints = {
  readonly issuer: string;
  readonly authorization_endpoint: string;
  readonly token_endpoint: string;
  readonly end_session_endpoint?: string;
  readonly id_token_signing_alg_values_supported?: string[];
};

/** What the console's page brings along, so that a first visit need not ask for it. */
export interface PageData {
  /** Of the hostname that the page was asked for under. */
  readonly brand: Brand;
  /** Null where the provider is another server's: it is asked. */
  readonly openid: OpenidEndpoints | null;
}

/** Id of the element of the console's page that holds its `PageData` as JSON. */
export const PAGE_DATA_ID = 'page-data';
