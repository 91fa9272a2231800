import type { Locale } from '@cordon/contract';

export const LOCALES = ['en', 'zh'] as const satisfies readonly Locale[];
const CHOSEN_KEY = 'locale';
const PROFILE_KEY = 'profile_locale';

/** Whether a text names a language that the console speaks. */
function isLocale(text: string): text is Locale {
  return (LOCALES as readonly string[]).includes(text);
}

/** The language that a tag such as `zh-CN` or `EN` asks for, if the console speaks it. */
export function supportedLocale(tag: string): Locale | undefined {
  const language = /^([a-z]{2})(?:-[a-z0-9]{1,8})*$/i.exec(tag)?.[1]?.toLowerCase();
  return language !== undefined && isLocale(language) ? language : undefined;
}

/** The language that was chosen in this browser, and is not (yet) that of a profile. */
export const chosenLocale = (): Locale | undefined => storedLocale(CHOSEN_KEY);

/** The language that was chosen here, or else that of the profile that was signed in last, or else the browser's. */
export const initialLocale = (): Locale =>
  chosenLocale() ?? storedLocale(PROFILE_KEY) ?? (/^zh/i.test(navigator.language) ? 'zh' : 'en');

function storedLocale(key: string): Locale | undefined {
  const stored = readStorage(key);
  return stored !== null && isLocale(stored) ? stored : undefined;
}

function readStorage(key: string): string | null {
  try {
    return window.localStorage.getItem(key);
  } catch {
    return null;
  }
}

/** Remembers what was chosen here, or what the profile says: that holds in all browsers, and replaces a choice. */
export function keepLocale(locale: Locale, by: 'choice' | 'profile'): void {
  try {
    window.localStorage.setItem(by === 'choice' ? CHOSEN_KEY : PROFILE_KEY, locale);
    if (by === 'profile') window.localStorage.removeItem(CHOSEN_KEY);
  } catch {
    // Without storage the choice lasts until the page is closed.
  }
}
