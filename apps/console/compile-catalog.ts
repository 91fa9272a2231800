import compileMessage from 'icu-minify/compile';
import type { CompiledMessage } from 'icu-minify/format';

/** Messages by key, as deep as the catalog's names are. */
export interface Catalog {
  readonly [key: string]: string | Catalog;
}
export interface CompiledCatalog {
  readonly [key: string]: CompiledMessage | CompiledCatalog;
}

/**
 * A catalog with each message as the syntax tree that `use-intl/format-message/format-only` formats without a parser.
 * Throws on a message that is not ICU.
 */
export function compileCatalog(catalog: Catalog): CompiledCatalog {
  return Object.fromEntries(
    Object.entries(catalog).map(([key, part]) => [
      key,
      typeof part === 'string' ? compileMessage(part) : compileCatalog(part),
    ]),
  );
}
