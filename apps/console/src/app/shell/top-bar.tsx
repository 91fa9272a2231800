import { Languages, Menu as MenuIcon, Monitor, Moon, PanelLeft, Search, Sun } from 'lucide-react';
import { Suspense } from 'react';
import { useTranslations } from 'use-intl';
import { IconButton } from '../../ui/button';
import { Kbd } from '../../ui/kbd';
import { lazyPart } from '../../ui/lazy-part';
import { Menu } from '../../ui/menu';
import { Skeleton } from '../../ui/states';
import { useIntlState } from '../intl-store';
import { LOCALES } from '../locale';
import { chooseLocale } from '../me';
import { signOut, useSession } from '../session/session';
import { setTheme, type Theme, useTheme } from '../theme';
import { languageNames } from './language-names';
import { paletteKeys, showPalette } from './shortcuts';

const themeIcons: Record<Theme, typeof Sun> = { system: Monitor, light: Sun, dark: Moon };

const SubscriptionSelector = lazyPart(() => import('./subscription-selector'));

function initials(text: string): string {
  const words = text.split(/[\s@._-]+/).filter(Boolean);
  return (
    ((words[0]?.[0] ?? '') + (words.length > 1 && !text.includes('@') ? (words[1]?.[0] ?? '') : '')).toUpperCase() ||
    '?'
  );
}

function UserMenu() {
  const t = useTranslations('shell');
  const { claims } = useSession();
  if (!claims) return <span aria-hidden className="size-9 shrink-0 rounded-full bg-soft touch:size-10" />;
  const name = claims.name || claims.email;
  return (
    <Menu
      trigger={
        <button
          type="button"
          aria-label={t('user.menu', { name })}
          title={name}
          className="grid size-9 shrink-0 place-items-center rounded-full bg-soft text-sm font-semibold text-primary-ink touch:size-10"
        >
          {initials(name)}
        </button>
      }
      header={
        <div className="min-w-0">
          <p className="font-medium wrap-anywhere">{name}</p>
          {claims.name && <p className="text-sm text-muted wrap-anywhere">{claims.email}</p>}
        </div>
      }
      groups={[
        [
          { id: 'account', label: t('user.account'), href: '#/user/info' },
          { id: 'audit', label: t('user.auditLog'), href: '#/user/info?tab=audit' },
        ],
        [{ id: 'sign-out', label: t('user.signOut'), onSelect: () => void signOut() }],
      ]}
    />
  );
}

/** The way to everything, with its shortcut; on a phone only its sign. */
function PaletteButton() {
  const t = useTranslations('shell');
  return (
    <button
      type="button"
      aria-label={t('search')}
      aria-keyshortcuts="Control+K Meta+K"
      aria-haspopup="dialog"
      onClick={showPalette}
      className="flex h-9 shrink-0 items-center gap-2 rounded-control border border-line-strong bg-sunken px-3 text-muted transition-colors hover:text-ink touch:h-10 max-lg:border-transparent max-lg:bg-transparent max-lg:px-2.5"
    >
      <Search size={16} aria-hidden />
      <span className="pr-6 text-sm max-lg:hidden">{t('search')}</span>
      <span className="max-lg:hidden">
        <Kbd keys={paletteKeys()} />
      </span>
    </button>
  );
}

/** Subscription, language, theme and who is signed in. */
export function TopBar({ onToggleSidebar, onOpenDrawer }: { onToggleSidebar: () => void; onOpenDrawer: () => void }) {
  const t = useTranslations('shell');
  const { locale } = useIntlState();
  const theme = useTheme();
  const ThemeIcon = themeIcons[theme];
  return (
    <header className="sticky top-0 z-30 flex h-14 items-center gap-1 border-b border-line bg-card px-3 sm:gap-2 sm:px-5">
      <IconButton
        className="md:hidden"
        label={t('navigation.open')}
        icon={<MenuIcon size={18} />}
        onClick={onOpenDrawer}
      />
      <IconButton
        className="max-md:hidden -ml-2"
        label={t('navigation.toggle')}
        icon={<PanelLeft size={18} />}
        onClick={onToggleSidebar}
      />
      <PaletteButton />
      <div className="flex min-w-0 flex-1 justify-end" data-plan>
        <Suspense fallback={<Skeleton className="h-9 w-44" />}>
          <SubscriptionSelector />
        </Suspense>
      </div>
      <Menu
        trigger={<IconButton label={t('language')} icon={<Languages size={18} />} />}
        groups={() => [
          LOCALES.map((one) => ({
            id: one,
            label: languageNames[one],
            checked: one === locale,
            onSelect: () => void chooseLocale(one),
          })),
        ]}
      />
      <Menu
        trigger={<IconButton label={t('theme.label')} icon={<ThemeIcon size={18} />} />}
        groups={() => [
          (['system', 'light', 'dark'] as const).map((one) => {
            const Icon = themeIcons[one];
            return {
              id: one,
              label: t(`theme.${one}`),
              icon: <Icon size={16} aria-hidden />,
              checked: one === theme,
              onSelect: () => setTheme(one),
            };
          }),
        ]}
      />
      <UserMenu />
    </header>
  );
}
