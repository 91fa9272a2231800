import type { RouteSummary } from '@cordon/contract';
import { areaOf } from '@cordon/plugins/areas';
import { PanelTop } from 'lucide-react';
import { createTranslator } from 'use-intl';
import { queryClient } from '../../../app/api-client';
import { getIntl, type IntlState } from '../../../app/intl-store';
import { plain } from '../../../app/palette/fuzzy';
import type { PaletteItem } from '../../../app/palette/palette-types';
import { pluginCatalogsOptions } from '../../../domain/words/plugin-words';
import { DOMAIN_TABS, type DomainTab } from '../page/domain-tabs';

/** A tab of a domain's page that is gone to. The history is a command of its own. */
export type Place = Exclude<DomainTab, 'versions'>;
export const places = DOMAIN_TABS.filter((tab): tab is Place => tab !== 'versions');

function words() {
  const { locale, messages } = getIntl();
  return createTranslator({ locale, messages: messages as Required<IntlState['messages']>, namespace: 'commands' });
}

/** As the tab is called. */
export function placeLabel(place: Place): string {
  const { locale, messages } = getIntl();
  const t = createTranslator({ locale, messages: messages as Required<IntlState['messages']>, namespace: 'domain' });
  return t(`tab.${place}`);
}

/** What plugins are called, in the language of the console. */
let pluginNames: Readonly<Record<string, string>> = {};

/** Reads what places are found by; where that fails they are found by all but the names of plugins. */
export async function loadPlaceWords(): Promise<void> {
  const catalogs = await queryClient.fetchQuery(pluginCatalogsOptions(getIntl().locale)).catch(() => ({}));
  pluginNames = Object.fromEntries(
    Object.entries(catalogs).map(([plugin, catalog]) => [plugin, String(catalog?.name)]),
  );
}

const pluginsOn = (place: Place) => Object.keys(pluginNames).filter((plugin) => areaOf[plugin] === place);

/** What is on a place, where its name does not say it. */
export const placeHint = (place: Place): string | undefined =>
  pluginsOn(place)
    .map((plugin) => pluginNames[plugin] ?? plugin)
    .join(' · ') || undefined;

/** What the plugins on a place are called: any word of it finds them. */
export const placeNames = (place: Place): string[] =>
  pluginsOn(place).flatMap((plugin) => [pluginNames[plugin] ?? plugin, plugin]);

/** By what words a place is found besides, in both languages. */
export const placeWords = (place: Place): string[] => [placeLabel(place), ...words()(`places.${place}`).split('|')];

/** One place of one domain. */
export function placeItem(place: Place, route: RouteSummary): PaletteItem {
  const t = words();
  return {
    id: `${place}:${route.id}`,
    label: t('at', { place: placeLabel(place), name: route.domain_name_unicode }),
    hint: placeHint(place),
    icon: PanelTop,
    names: [route.domain_name_unicode, route.domain_name, ...placeNames(place)],
    keywords: placeWords(place),
    run: ({ go }) => go(`/domain/list/${route.id}${place === 'overview' ? '' : `?tab=${place}`}`),
  };
}

/** `access shop` or `shop access`: the place that the query names, and the rest. */
export function readPlace(query: string): { place: Place; rest: string } | undefined {
  const typed = plain(query).trim();
  const found = places.flatMap((place) =>
    [...placeWords(place), ...placeNames(place)].flatMap((words) => {
      const word = plain(words);
      if (typed.startsWith(`${word} `)) return [{ place, word, rest: typed.slice(word.length).trim() }];
      if (typed.endsWith(` ${word}`)) return [{ place, word, rest: typed.slice(0, -word.length).trim() }];
      return [];
    }),
  );
  return found.sort((one, other) => other.word.length - one.word.length)[0];
}
