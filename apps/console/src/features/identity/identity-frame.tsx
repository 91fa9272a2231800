import { Activity, RotateCcw, ShieldCheck } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import { useBrand } from '../../app/brand';
import { BrandLogo } from '../../app/brand-logo';
import { setLocale, useIntlState } from '../../app/intl-store';
import { LOCALES } from '../../app/locale';

const languageNames = { en: 'English', zh: '简体中文' };

/* Meridians of a globe, drawn once; decoration only. */
function Globe() {
  return (
    <svg
      viewBox="0 0 400 400"
      fill="none"
      stroke="currentColor"
      aria-hidden
      className="pointer-events-none absolute -right-40 -bottom-52 w-[440px] opacity-[0.16]"
    >
      <circle cx="200" cy="200" r="190" />
      {[40, 95, 145].map((radius) => (
        <ellipse key={radius} cx="200" cy="200" rx={radius} ry="190" />
      ))}
      {[-120, -60, 0, 60, 120].map((y) => (
        <path key={y} d={`M${200 - Math.sqrt(190 ** 2 - y ** 2)} ${200 + y}h${2 * Math.sqrt(190 ** 2 - y ** 2)}`} />
      ))}
      {[
        [118, 128],
        [262, 92],
        [300, 214],
        [170, 262],
        [226, 318],
        [92, 214],
      ].map(([x, y]) => (
        <circle key={x} cx={x} cy={y} r="5" fill="currentColor" stroke="none" />
      ))}
    </svg>
  );
}

/** Frame of the sign-in and registration forms: what the service does on the left, the form on the right. */
export function IdentityFrame({ children }: { children: ReactNode }) {
  const t = useTranslations('identity');
  const brand = useBrand();
  const { locale } = useIntlState();
  return (
    <div className="grid min-h-dvh bg-card md:grid-cols-[minmax(380px,5fr)_7fr]">
      <aside className="relative overflow-hidden bg-[#0d1b45] p-12 text-white max-md:hidden">
        <div aria-hidden className="absolute inset-0 bg-linear-160 from-primary/70 to-transparent" />
        <Globe />
        <div className="relative flex h-full max-w-md flex-col justify-center">
          <p className="text-[34px] leading-[1.15] font-semibold tracking-tight text-balance">{t('panel.title')}</p>
          <ul className="mt-6 flex flex-col gap-4 text-lg text-white/85">
            <li className="flex gap-3">
              <Activity size={20} className="mt-0.5 shrink-0" aria-hidden />
              {t('panel.speed')}
            </li>
            <li className="flex gap-3">
              <ShieldCheck size={20} className="mt-0.5 shrink-0" aria-hidden />
              {t('panel.shield')}
            </li>
            <li className="flex gap-3">
              <RotateCcw size={20} className="mt-0.5 shrink-0" aria-hidden />
              {t('panel.control')}
            </li>
          </ul>
        </div>
      </aside>
      <div className="flex min-w-0 flex-col">
        <header className="flex h-16 items-center justify-between px-5 sm:px-6">
          <BrandLogo />
          <label className="text-muted">
            <span className="sr-only">{t('language')}</span>
            <select
              value={locale}
              onChange={(event) => void setLocale(event.target.value as 'en' | 'zh')}
              className="h-9 cursor-pointer rounded-control border border-transparent bg-card px-2 text-ink hover:bg-sunken touch:h-10"
            >
              {LOCALES.map((one) => (
                <option key={one} value={one}>
                  {languageNames[one]}
                </option>
              ))}
            </select>
          </label>
        </header>
        <main className="grid flex-1 place-items-center px-5 pt-4 pb-16">
          <div className="w-full max-w-[380px]">{children}</div>
        </main>
        {brand.support_email && (
          <footer className="px-5 py-4 text-center text-sm text-muted">
            <a href={`mailto:${brand.support_email}`} className="reach hover:underline">
              {brand.support_email}
            </a>
          </footer>
        )}
      </div>
    </div>
  );
}
