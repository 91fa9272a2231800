import type { CallOutput, Operations } from '@cordon/contract';
import { Waypoints } from 'lucide-react';
import { createTranslator } from 'use-intl';
import { api, queryClient } from '../../app/api-client';
import { getIntl, type IntlState, needCatalogs } from '../../app/intl-store';
import type { PaletteItem, PaletteSource } from '../../app/palette/palette-types';
import { pluginCatalogsOptions } from '../../domain/words/plugin-words';
import { createFormat } from '../../ui/format';

type Logged = CallOutput<Operations['listRecentRequests']>['result'][number];

/** Who decided about it, and why; nothing for one that only passed, and while words cannot be loaded. */
async function verdictOf({ plugin, reason, action }: Logged): Promise<string | undefined> {
  if (plugin === '' || action === 'pass') return undefined;
  const { locale } = getIntl();
  const catalogs = await queryClient.fetchQuery(pluginCatalogsOptions(locale)).catch(() => undefined);
  const words = catalogs?.[plugin] as { name?: string; reasons?: Record<string, string> } | undefined;
  return words && [words.name ?? plugin, words.reasons?.[reason]].filter(Boolean).join(': ');
}

/** As nodes make them; what is pasted may be the whole line of a block page or a header. */
const REQUEST_ID = /\b[0-9a-f]{32}\b/i;

const requestSource: PaletteSource = {
  groups: () => [],
  async search(query, signal) {
    const id = REQUEST_ID.exec(query)?.[0].toLowerCase();
    if (id === undefined) return [];
    const { locale, messages, timeZone } = getIntl();
    const t = createTranslator({
      locale,
      messages: messages as Required<IntlState['messages']>,
      namespace: 'commands',
    });
    const [logged] = (await api.listRecentRequests({ query: { request_id: id, limit: 1 }, signal })).result;
    const item: PaletteItem = logged
      ? {
          id: `request:${id}`,
          label: t('request', { request: `${logged.method} ${logged.domain_name}${logged.path}` }),
          hint: [logged.status, await verdictOf(logged), createFormat(locale, timeZone).dateTime(logged.time)]
            .filter((part) => part !== undefined)
            .join(' · '),
          icon: Waypoints,
          names: [query],
          run: ({ go }) => go(`/domain/list/${logged.route_id}?tab=diagnosis&view=trace&request=${id}`),
        }
      : { id: `request:${id}`, label: t('noRequest'), icon: Waypoints, names: [query], disabled: true };
    return [{ id: 'requests', label: t('groups.requests'), items: [item] }];
  },
};

/** The palette's source with its words at hand: the trace of a request whose id is pasted. */
export async function loadRequestSource(): Promise<PaletteSource> {
  await needCatalogs('commands');
  return requestSource;
}
