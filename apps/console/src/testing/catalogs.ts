import type { Messages } from 'use-intl';

type Catalog = Record<string, unknown>;
const files = import.meta.glob<Catalog>(
  [
    '../locales/*/{ui,shell,errors,field-errors,palette}.json',
    '../domain/**/locales/*.json',
    '../features/**/locales/*.json',
  ],
  { eager: true, import: 'default' },
);

/** Every catalog that a part of a screen may ask for, by its namespace (`src/messages.ts`). */
export function messagesOf(locale: 'en' | 'zh'): Messages {
  const messages: Record<string, Catalog> = {};
  for (const [path, catalog] of Object.entries(files)) {
    const [, own, feature] =
      new RegExp(`(?:locales/${locale}/([\\w-]+)|([\\w-]+)/locales/${locale})\\.json$`).exec(path) ?? [];
    const name = (own ?? feature)?.replace(/-[a-z]/g, (letter) => letter.slice(1).toUpperCase());
    if (name) messages[name] = catalog;
  }
  return messages as unknown as Messages;
}
