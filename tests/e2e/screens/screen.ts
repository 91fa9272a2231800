import { readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { Locator, Page } from 'playwright-core';

/** One state of the console that the walk looks at. */
export interface Screen {
  readonly name: string;
  readonly account?: 'empty' | 'full';
  readonly hash: string | (() => string);
  /** What browsers report in their console here: a request that this screen makes fail. */
  readonly complains?: RegExp;
  readonly prepare?: (page: Page) => Promise<unknown>;
  /** Until what is meant is on the screen. */
  readonly open: (page: Page, words: Words) => Promise<unknown>;
}

export const NAMES = {
  live: 'www.live.example',
  long: 'a-rather-long-label-that-somebody-chose-for-their-shop.deep.below.another-label.example',
  shadow: 'a-rather-long-alias-of-the-shop.that-nobody-would-ever-type.in-one-go.example',
} as const;

/** What the full account was filled with. */
export const filled = {
  ids: { live: '', long: '', draft: '', paused: '' },
  ruleId: '',
};

export type Words = (path: string, values?: Record<string, string>) => string;

const consoleDir = join(import.meta.dirname, '../../../apps/console/src');
/** Catalogs of features, and of what they share, by the name of the folder. */
const catalogs = new Map(
  ['features', 'domain'].flatMap((layer) =>
    readdirSync(join(consoleDir, layer), { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('locales/en.json'))
      .map((path) => {
        const folder = join(consoleDir, layer, dirname(path));
        return [basename(dirname(folder)), folder] as const;
      }),
  ),
);

/** The catalogs' words; plurals are not read. */
export function wordsOf(locale: string): Words {
  return (path, values = {}) => {
    const [catalog = '', ...keys] = path.split('.');
    const folder = catalogs.get(catalog);
    const ownFile = `${catalog.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}.json`;
    const file = folder ? join(folder, `${locale}.json`) : join(consoleDir, 'locales', locale, ownFile);
    const root = JSON.parse(readFileSync(file, 'utf8'));
    const text: unknown = keys.reduce((node, key) => node?.[key], root);
    if (typeof text !== 'string') throw new Error(`${file} has no ${keys.join('.')}`);
    return Object.entries(values).reduce((result, [key, value]) => result.replaceAll(`{${key}}`, value), text);
  };
}

export const named = (
  page: Page | Locator,
  role: 'button' | 'menuitem' | 'tab' | 'dialog' | 'alertdialog' | 'radio',
  name: string,
) => page.getByRole(role, { name, exact: true });
/** A button of a plugin's card, whose name has the plugin's besides what is to be read on it. */
export const ofCard = (page: Page, text: string) =>
  page
    .getByRole('article')
    .getByRole('button')
    .filter({ hasText: new RegExp(`^${text}$`) });
export const title = (page: Page, name: string) => page.getByRole('heading', { name, level: 1 }).waitFor();
export const domain = (key: keyof typeof filled.ids, tab?: string) => () =>
  `#/domain/list/${filled.ids[key]}${tab === undefined ? '' : `?tab=${tab}`}`;
