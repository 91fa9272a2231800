import { Ban, ListPlus, ListX, Network } from 'lucide-react';
import { createTranslator } from 'use-intl';
import { getIntl, type IntlState, needCatalogs } from '../../app/intl-store';
import type { PaletteGroup, PaletteSource } from '../../app/palette/palette-types';

const bansSource: PaletteSource = {
  groups(): PaletteGroup[] {
    const { locale, messages } = getIntl();
    const t = createTranslator({ locale, messages: messages as Required<IntlState['messages']> });
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
