import type { PluginParams } from '@cordon/plugin-kit';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { createTranslator, useLocale } from 'use-intl';
import { useFormat } from '../../ui/format';
import { loadTwice } from '../../ui/lazy-part';

/** Words of one plugin's catalog; an unknown key answers itself. */
export interface PluginWords {
  (key: string, params?: PluginParams): string;
  has(key: string): boolean;
}

type Catalogs = Readonly<Record<string, Record<string, unknown> | undefined>>;

const loaders: Readonly<Record<'en' | 'zh', () => Promise<{ messages: Catalogs }>>> = {
  en: () => import('@cordon/plugins/locales/en'),
  zh: () => import('@cordon/plugins/locales/zh'),
};

const pluginWordKeys = {
  catalogs: (locale: 'en' | 'zh') => ['plugin-words', locale] as const,
};

export const pluginCatalogsOptions = (locale: 'en' | 'zh') =>
  queryOptions({
    queryKey: pluginWordKeys.catalogs(locale),
    queryFn: async () => (await loadTwice(loaders[locale])).messages,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: Number.POSITIVE_INFINITY,
  });

/** Words of one plugin's catalog, with countries as `countryOf` names them. */
export function makePluginWords(
  locale: 'en' | 'zh',
  messages: object,
  countryOf: (code: string) => string,
): PluginWords {
  const t = createTranslator({ locale, messages: messages as never }) as unknown as {
    (key: string, params?: Readonly<Record<string, string | number>>): string;
    has(key: string): boolean;
  };
  const sayParam = (param: PluginParams[string]) => {
    if (typeof param !== 'object') return param;
    const values = 'list' in param ? param.list : param.countries.map(countryOf);
    return values.join(locale === 'zh' ? '、' : ', ');
  };
  const words = (key: string, params: PluginParams = {}) =>
    t.has(key)
      ? t(key, Object.fromEntries(Object.entries(params).map(([name, param]) => [name, sayParam(param)])))
      : key;
  return Object.assign(words, { has: (key: string) => t.has(key) });
}

/** Words of every plugin in the current language, the same as long as that is; undefined until they are loaded. */
export function usePluginWords(): ((plugin: string) => PluginWords) | undefined {
  const locale = useLocale();
  const { country } = useFormat();
  const { data } = useQuery(pluginCatalogsOptions(locale));
  return useMemo(() => {
    if (!data) return undefined;
    // A translator keeps the messages that it has read: one made for each rendering would read them anew.
    const made = new Map<string, PluginWords>();
    return (plugin) => {
      const known = made.get(plugin) ?? makePluginWords(locale, data[plugin] ?? {}, country);
      made.set(plugin, known);
      return known;
    };
  }, [data, locale, country]);
}

/** `its-own-name` for a plugin whose catalog has no name. */
export const pluginName = (words: PluginWords, plugin: string): string => (words.has('name') ? words('name') : plugin);
