import { Link } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';
import { useBrand } from '../brand';
import { BrandLogo } from '../brand-logo';
import { navigation } from './navigation';

/** Navigation by area; the same in the sidebar and in the drawer. */
export function Sidebar({ onNavigate }: { onNavigate?: () => void }) {
  const t = useTranslations('shell');
  const brand = useBrand();
  return (
    <div className="flex h-full flex-col">
      <Link
        to="/"
        onClick={onNavigate}
        className="mx-3 flex h-14 shrink-0 items-center rounded-control px-2 text-ink no-underline"
      >
        <BrandLogo />
      </Link>
      <nav aria-label={t('navigation.label')} className="min-h-0 flex-1 overflow-y-auto px-3 pb-4">
        {navigation.map((group) => (
          <div key={group.message ?? 'top'} className="mt-3 first:mt-1">
            {group.message && (
              <h2 className="px-2.5 pb-1 text-sm font-medium text-muted">{t(`navigation.${group.message}`)}</h2>
            )}
            <ul className="flex flex-col gap-0.5">
              {group.items
                .filter((item) => !(item.hiddenInWhiteLabel && brand.white_label))
                .map((item) => (
                  <li key={item.to}>
                    <Link
                      to={item.to}
                      onClick={onNavigate}
                      className="flex h-9 items-center gap-3 rounded-control px-2.5 text-ink no-underline transition-colors touch:h-11"
                      activeProps={{ className: 'bg-soft font-semibold text-primary-ink!' }}
                      inactiveProps={{ className: 'hover:bg-sunken' }}
                    >
                      <item.icon size={18} aria-hidden className="shrink-0" />
                      <span className="truncate">{t(`navigation.${item.message}`)}</span>
                    </Link>
                  </li>
                ))}
            </ul>
          </div>
        ))}
      </nav>
      {brand.support_email && (
        <p className="border-t border-line px-5 py-3 text-sm text-muted">
          {t('support')}{' '}
          <a
            href={`mailto:${brand.support_email}`}
            className="block truncate text-primary-ink hover:underline touch:py-2.5"
            title={brand.support_email}
          >
            {brand.support_email}
          </a>
        </p>
      )}
    </div>
  );
}
