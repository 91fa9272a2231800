import type { Locale } from '@cordon/contract';
import { useSyncExternalStore } from 'react';
import type { Messages } from 'use-intl';
import { type CatalogName, loadCatalog } from '../locales/catalogs';
import { loadTwice } from '../ui/lazy-part';
import { browserTimeZone } from './browser-time-zone';
import { initialLocale, keepLocale } from './locale';

export interface IntlState {
  readonly locale: Locale;
  /** Only what has been needed so far; the router waits for a screen's catalogs before it shows the screen. */
  readonly messages: Partial<Messages>;
  readonly timeZone: string;
}

let state: IntlState = {
  locale: initialLocale(),
  messages: {},
  timeZone: browserTimeZone(),
};
const needed = new Set<CatalogName>();
/** Chosen last: its words may arrive before those of one that was chosen earlier. */
let wantedLocale = state.locale;
const listeners = new Set<() => void>();

function set(next: IntlState) {
  state = next;
  for (const listener of listeners) listener();
}

async function load(locale: Locale, names: readonly CatalogName[]): Promise<Partial<Messages>> {
  const catalogs = await Promise.all(
    names.map(async (name) => [name, await loadTwice(() => loadCatalog(locale, name))] as const),
  );
  return Object.fromEntries(catalogs) as Partial<Messages>;
}

/** Makes sure that catalogs are there in the current language. */
export async function needCatalogs(...names: CatalogName[]): Promise<void> {
  for (const name of names) needed.add(name);
  const { locale } = state;
  const missing = names.filter((name) => !(name in state.messages));
  if (missing.length === 0) return;
  const loaded = await load(locale, missing);
  // Into those that are there: a screen that arrives while the page is first drawn, in pieces, finds its words with the rest.
  if (state.locale === locale) Object.assign(state.messages, loaded);
}

/** Changes and remembers the language, which is the visitor's choice unless it is that of the profile, unless another one is chosen meanwhile; the screen changes at once, when all its words have arrived. */
export async function setLocale(locale: Locale, by: 'choice' | 'profile' = 'choice'): Promise<void> {
  wantedLocale = locale;
  let messages: Partial<Messages> = {};
  // What is needed meanwhile came in the language that goes.
  for (let missing = [...needed]; missing.length > 0; missing = [...needed].filter((name) => !(name in messages)))
    messages = { ...messages, ...(await load(locale, missing)) };
  if (wantedLocale !== locale) return;
  keepLocale(locale, by);
  document.documentElement.lang = locale === 'zh' ? 'zh-CN' : 'en';
  set({ ...state, locale, messages });
}

/** Dates are shown in the account's time zone. */
export function setTimeZone(timeZone: string): void {
  if (timeZone !== state.timeZone) set({ ...state, timeZone });
}

/** Current language and words, for code outside React. */
export function getIntl(): IntlState {
  return state;
}

/** Calls back on every change; answers how to stop. */
export function onIntlChange(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Current language and words. */
export function useIntlState(): IntlState {
  return useSyncExternalStore(onIntlChange, getIntl);
}
