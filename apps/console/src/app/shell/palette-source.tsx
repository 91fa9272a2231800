import {
  CreditCard,
  Keyboard,
  Languages,
  LogOut,
  Monitor,
  Moon,
  ScrollText,
  Stethoscope,
  Sun,
  UserRound,
} from 'lucide-react';
import { createTranslator } from 'use-intl';
import { queryClient } from '../api-client';
import { getBrand } from '../brand';
import { getIntl, type IntlState } from '../intl-store';
import { LOCALES } from '../locale';
import { chooseLocale } from '../me';
import type { PaletteGroup, PaletteItem, PaletteSource } from '../palette/palette-types';
import { rankGroups } from '../palette/rank';
import { getSession, signOut } from '../session/session';
import { selectSubscription, subscriptionsOptions } from '../subscriptions';
import { setTheme } from '../theme';
import { languageNames } from './language-names';
import { navigation } from './navigation';
import { showShortcuts } from './shortcuts';

const themeIcons = { system: Monitor, light: Sun, dark: Moon };

function words() {
  const { locale, messages } = getIntl();
  return createTranslator({ locale, messages: messages as Required<IntlState['messages']> });
}

function screens(): PaletteItem[] {
  const t = words();
  const isWhiteLabel = getBrand().white_label;
  const items = navigation.flatMap((group) => group.items).filter((item) => !(item.hiddenInWhiteLabel && isWhiteLabel));
  return [
    ...items.map((item) => ({
      id: `screen:${item.to}`,
      label: t(`shell.navigation.${item.message}`),
      icon: item.icon,
      names: [item.to],
      keywords: t(`palette.keywords.screens.${item.message}`).split(' '),
      run: ({ go }: { go: (path: string) => void }) => go(item.to),
    })),
    {
      id: 'screen:/user/info',
      label: t('shell.user.account'),
      icon: UserRound,
      names: ['/user/info'],
      keywords: t('palette.keywords.account').split(' '),
      run: ({ go }) => go('/user/info'),
    },
    {
      id: 'screen:/user/info?tab=audit',
      label: t('shell.user.auditLog'),
      icon: ScrollText,
      keywords: t('palette.keywords.auditLog').split(' '),
      run: ({ go }) => go('/user/info?tab=audit'),
    },
    {
      id: 'screen:/pages/test',
      label: t('palette.selfTest'),
      icon: Stethoscope,
      keywords: t('palette.keywords.selfTest').split(' '),
      run: ({ go }) => go('/pages/test'),
    },
  ];
}

/** The languages behind a choice: a press on Enter that comes too soon must not turn every word into another language. */
function languages(): PaletteItem {
  const t = words();
  const others = LOCALES.filter((one) => one !== getIntl().locale);
  const items = others.map((one) => ({
    id: `language:${one}`,
    label: t('palette.language', { language: languageNames[one] }),
    icon: Languages,
    keywords: t(`palette.keywords.languages.${one}`).split(' '),
    run: () => chooseLocale(one),
  }));
  return {
    id: 'languages',
    label: t('palette.languages'),
    hint: others.map((one) => languageNames[one]).join(' · '),
    icon: Languages,
    keywords: [t('palette.keywords.language').split(' '), items.flatMap(({ keywords }) => keywords)].flat(),
    page: {
      title: t('palette.languages'),
      placeholder: t('palette.whichLanguage'),
      find: (query) => rankGroups([{ id: 'languages', label: t('palette.groups.settings'), items }], query),
    },
  };
}

function settings(): PaletteItem[] {
  const t = words();
  const subscriptions = queryClient.getQueryData(subscriptionsOptions.queryKey) ?? [];
  return [
    ...(['light', 'dark', 'system'] as const).map((theme) => ({
      id: `theme:${theme}`,
      label: t('palette.theme', { theme: t(`shell.theme.${theme}`) }),
      icon: themeIcons[theme],
      keywords: [t('palette.keywords.theme'), t(`palette.keywords.themes.${theme}`)].join(' ').split(' '),
      run: () => setTheme(theme),
    })),
    {
      id: 'plan',
      label: t('palette.plan'),
      icon: CreditCard,
      keywords: t('palette.keywords.plan').split(' '),
      // The menu of the top bar says them; where they could not be read, its button reads them again.
      run: () => document.querySelector<HTMLElement>('[data-plan] button')?.click(),
    },
    ...(subscriptions.length > 1 ? subscriptions : []).map((one) => ({
      id: `subscription:${one.cname}`,
      label: t('palette.subscription', { name: one.cname }),
      hint: one.plan_name,
      icon: CreditCard,
      names: [one.cname, one.czone, one.plan_name],
      run: () => selectSubscription(one.cname),
    })),
    {
      id: 'shortcuts',
      label: t('palette.shortcuts'),
      hint: '?',
      icon: Keyboard,
      keywords: t('palette.keywords.shortcuts').split(' '),
      run: showShortcuts,
    },
    languages(),
    ...(getSession().claims
      ? [
          {
            id: 'sign-out',
            label: t('shell.user.signOut'),
            icon: LogOut,
            keywords: t('palette.keywords.signOut').split(' '),
            run: () => signOut(),
          },
        ]
      : []),
  ];
}

/** Screens of the navigation, and what the top bar can do. */
export const shellSource: PaletteSource = {
  groups(): PaletteGroup[] {
    const t = words();
    return [
      { id: 'screens', label: t('palette.groups.screens'), items: screens() },
      { id: 'settings', label: t('palette.groups.settings'), items: settings() },
    ];
  },
};
