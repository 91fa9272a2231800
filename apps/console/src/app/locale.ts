import type { Locale } from '@cordon/contract';

export const LOCALES = ['en', 'zh'] as const satisfies readonly Locale[];
const STORAGE_KEY = 'locale';

/** Whether a text names a language that the console speaks. */
function isLocale(text: string): text is Locale {
  return (LOCALES as readonly string[]).includes(text);
}

/** The language that a tag such as `zh-CN` or `EN` asks for, if the console speaks it. */
export function supportedLocale(tag: string): Locale | undefined {
  const language = /^([a-z]{2})(?:-[a-z0-9]{1,8})*$/i.exec(tag)?.[1]?.toLowerCase();
  return language !== undefined && isLocale(language) ? language : undefined;
}

/** The language that was chosen here, or else the browser's. */
export function initialLocale(): Locale {
  const stored = readStorage(STORAGE_KEY);
  if (stored !== null && isLocale(stored)) return stored;
  return /^zh/i.test(navigator.language) ? 'zh' : 'en';
}

function readStorage(key: string): string | null {
  try {
    return window.localStorage.getItem(key);
  } catch {
    return null;
  }
}

/** Remembers a choice. */
export function keepLocale(locale: Locale): void {
  try {
    window.localStorage.setItem(STORAGE_KEY, locale);
  } catch {
    // Without storage the choice lasts until the page is closed.
  }
}
