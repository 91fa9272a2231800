import type domains from '../features/domains/locales/en.json';
import type identity from '../features/identity/locales/en.json';
import type selfTest from '../features/self-test/locales/en.json';
import type dashboard from './en/dashboard.json';
import type errors from './en/errors.json';
import type pages from './en/pages.json';
import type shell from './en/shell.json';
import type ui from './en/ui.json';

/**
 * Every catalog by its namespace. A feature's is `features/<feature>/locales/{en,zh}.json`, the namespace in camel case;
 * what belongs to no feature is `locales/{en,zh}/<name>.json`. A new feature adds its line here.
 */
export interface Catalogs {
  dashboard: typeof dashboard;
  domains: typeof domains;
  errors: typeof errors;
  identity: typeof identity;
  pages: typeof pages;
  selfTest: typeof selfTest;
  shell: typeof shell;
  ui: typeof ui;
}
export type CatalogName = keyof Catalogs;

declare module 'use-intl' {
  interface AppConfig {
    Messages: Catalogs;
    Locale: 'en' | 'zh';
  }
}

type Load = () => Promise<{ default: Record<string, unknown> }>;
const files: Record<string, Load> = {
  ...import.meta.glob<{ default: Record<string, unknown> }>('./*/*.json'),
  ...import.meta.glob<{ default: Record<string, unknown> }>('../features/*/locales/*.json'),
};

/** Loads one catalog of one language. */
export async function loadCatalog(locale: 'en' | 'zh', name: CatalogName): Promise<Record<string, unknown>> {
  const file = name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  const load = files[`./${locale}/${file}.json`] ?? files[`../features/${file}/locales/${locale}.json`];
  if (!load) throw new Error(`No catalog ${locale}/${file}`);
  return (await load()).default;
}
