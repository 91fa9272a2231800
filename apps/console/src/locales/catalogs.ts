import type { Messages } from 'use-intl';

/** Namespaces of the catalogs (`src/messages.ts`). */
export type CatalogName = keyof Messages;

type Load = () => Promise<{ default: Record<string, unknown> }>;
const files: Record<string, Load> = {
  ...import.meta.glob<{ default: Record<string, unknown> }>('./*/*.json'),
  ...import.meta.glob<{ default: Record<string, unknown> }>('../{domain,features}/**/locales/*.json'),
};

/** Loads one catalog of one language. */
export async function loadCatalog(locale: 'en' | 'zh', name: CatalogName): Promise<Record<string, unknown>> {
  const file = name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  const own = files[`./${locale}/${file}.json`];
  const load = own ?? Object.entries(files).find(([path]) => path.endsWith(`/${file}/locales/${locale}.json`))?.[1];
  if (!load) throw new Error(`No catalog ${locale}/${file}`);
  return (await load()).default;
}
