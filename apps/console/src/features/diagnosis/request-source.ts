import { Waypoints } from 'lucide-react';
import { createTranslator } from 'use-intl';
import { queryClient } from '../../app/api-client';
import { getIntl, type IntlState, needCatalogs } from '../../app/intl-store';
import type { PaletteItem, PaletteSource } from '../../app/palette/palette-types';
import { makePluginWords, pluginCatalogsOptions, pluginName } from '../../domain/words/plugin-words';
import { ruleName } from '../../domain/words/rule-name';
import { createFormat } from '../../ui/format';
import { labelled } from '../../ui/labelled';
import { findLoggedRequest, type LoggedRequest, readRequestId } from './logged-request';

/** Who decided about it, why and by what entry; nothing for one that only passed, and while words cannot be loaded. */
async function verdictOf({ plugin, reason, rule, action }: LoggedRequest): Promise<string | undefined> {
  if (plugin === '' || action === 'pass') return undefined;
  const { locale, timeZone } = getIntl();
  const catalogs = await queryClient.fetchQuery(pluginCatalogsOptions(locale)).catch(() => undefined);
  if (!catalogs?.[plugin]) return undefined;
  const words = makePluginWords(locale, catalogs[plugin], createFormat(locale, timeZone).country);
  const name = pluginName(words, plugin);
  const entry = rule === '' ? '' : ruleName(words, rule);
  // A rule that has a name says more than that one matched.
  if (entry !== '' && reason.startsWith('rule_')) return labelled(name, entry);
  const key = `reasons.${reason}`;
  const why = words.has(key) ? labelled(name, words(key)) : name;
  return entry === '' ? why : `${why} · ${entry}`;
}

const requestSource: PaletteSource = {
  groups: () => [],
  async search(query, signal) {
    const id = readRequestId(query);
    if (id === undefined) return [];
    const { locale, messages, timeZone } = getIntl();
    const t = createTranslator({
      locale,
      messages: messages as Required<IntlState['messages']>,
      namespace: 'commands',
    });
    const logged = await findLoggedRequest(id, signal);
    const item: PaletteItem = logged
      ? {
          id: `request:${id}`,
          label: t('request', { request: `${logged.method} ${logged.domain_name}${logged.path}` }),
          hint: [
            logged.is_test ? t('testAttack') : undefined,
            logged.status,
            await verdictOf(logged),
            createFormat(locale, timeZone).dateTime(logged.time),
          ]
            .filter((part) => part !== undefined)
            .join(' · '),
          icon: Waypoints,
          names: [query],
          run: ({ go }) => go(`/domain/list/${logged.route_id}?tab=diagnosis&view=trace&request=${id}`),
        }
      : {
          id: `request:${id}`,
          label: t('noRequestYet'),
          hint: t('logsTakeSeconds'),
          icon: Waypoints,
          names: [query],
          run: ({ go }) => go(`/domain/list?request=${id}`),
        };
    return [{ id: 'requests', label: t('groups.requests'), items: [item] }];
  },
};

/** The palette's source with its words at hand: the trace of a request whose id is pasted. */
export async function loadRequestSource(): Promise<PaletteSource> {
  await needCatalogs('commands');
  return requestSource;
}
