import { ListPlus } from 'lucide-react';
import { createTranslator } from 'use-intl';
import { getIntl, type IntlState, needCatalogs } from '../../app/intl-store';
import type { PaletteGroup, PaletteSource } from '../../app/palette/palette-types';

const allowListSource: PaletteSource = {
  groups(): PaletteGroup[] {
    const { locale, messages } = getIntl();
    const t = createTranslator({ locale, messages: messages as Required<IntlState['messages']> });
    return [
      {
        id: 'actions',
        label: t('commands.groups.actions'),
        items: [
          {
            id: 'allow-addresses',
            label: t('allowList.command'),
            icon: ListPlus,
            keywords: [t('allowList.label'), ...t('commands.keywords.allowAddresses').split(' ')],
            run: ({ go }) => go('/manage-ip?tab=allowed&add=true'),
          },
        ],
      },
    ];
  },
};

/** The palette's source with its words at hand. */
export async function loadAllowListSource(): Promise<PaletteSource> {
  await needCatalogs('allowList', 'commands');
  return allowListSource;
}
