import { parseRange } from '@cordon/contract';
import { Ban, ListPlus, ListX, Network } from 'lucide-react';
import { createTranslator } from 'use-intl';
import { api } from '../../app/api-client';
import { getIntl, type IntlState, needCatalogs } from '../../app/intl-store';
import type { PaletteGroup, PaletteItem, PaletteSource } from '../../app/palette/palette-types';

const SHOWN_MAX = 5;

function translator() {
  const { locale, messages } = getIntl();
  return createTranslator({ locale, messages: messages as Required<IntlState['messages']> });
}

/** The whole address or range that is typed, alone or behind what is to be done to it: `ban 198.41.128.7`. */
function addressIn(query: string, t: ReturnType<typeof translator>): string | undefined {
  const verbs = [t('commands.keywords.banAddresses'), t('commands.keywords.unbanAddresses')]
    .flatMap((keywords) => keywords.split('|'))
    .filter((keyword) => query.toLowerCase().startsWith(keyword));
  return ['', ...verbs].map((verb) => query.slice(verb.length).trim()).find((text) => parseRange(text));
}

const bansSource: PaletteSource = {
  /** Of a whole address or range: the bans that hold it or lie in it, else the ban that it may get. */
  async search(query, signal) {
    const t = translator();
    const address = addressIn(query, t);
    if (address === undefined) return [];
    const { results } = await api.listBans({ query: { q: address, page: 1, perpage: SHOWN_MAX }, signal });
    const text = encodeURIComponent(address);
    const items: PaletteItem[] = results.map(({ id, network, domain_name, note }) => ({
      id: `ban:${id}`,
      label: t('bans.bannedIs', { network }),
      hint: [domain_name ?? t('bans.allDomains'), note].filter(Boolean).join(' · '),
      icon: ListX,
      names: [query],
      run: ({ go }) => go(`/manage-ip?q=${text}`),
    }));
    const offer: PaletteItem = {
      id: `ban-address:${address}`,
      label: t('bans.banIt', { network: address }),
      hint: t('bans.notBanned'),
      icon: Ban,
      names: [query],
      run: ({ go }) => go(`/manage-ip?add=true&address=${text}`),
    };
    return [{ id: 'bans', label: t('bans.title'), items: items.length > 0 ? items : [offer] }];
  },
  groups(): PaletteGroup[] {
    const t = translator();
    return [
      {
        id: 'actions',
        label: t('commands.groups.actions'),
        items: [
          {
            id: 'ban-addresses',
            label: t('bans.add.button'),
            icon: Ban,
            keywords: [t('bans.title'), ...t('commands.keywords.banAddresses').split('|')],
            run: ({ go }) => go('/manage-ip?add=true'),
          },
          {
            id: 'allow-addresses',
            label: t('bans.allowCommand'),
            icon: ListPlus,
            keywords: [t('bans.tab.allowed'), ...t('commands.keywords.allowAddresses').split('|')],
            run: ({ go }) => go('/manage-ip?tab=allowed&add=true'),
          },
          {
            id: 'unban-addresses',
            label: t('bans.unbanCommand'),
            icon: ListX,
            keywords: t('commands.keywords.unbanAddresses').split('|'),
            run: ({ go }) => go('/manage-ip'),
          },
          {
            id: 'edge-addresses',
            label: t('bans.tab.edge'),
            icon: Network,
            keywords: t('commands.keywords.edgeAddresses').split('|'),
            run: ({ go }) => go('/manage-ip?tab=edge'),
          },
        ],
      },
    ];
  },
};

/** The palette's source with its words at hand. */
export async function loadBansSource(): Promise<PaletteSource> {
  await needCatalogs('bans', 'commands');
  return bansSource;
}
