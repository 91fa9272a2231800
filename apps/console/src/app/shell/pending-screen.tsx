import { useTranslations } from 'use-intl';
import { Skeleton } from '../../ui/states';
import { BrandLogo } from '../brand-logo';
import { wasSignedIn } from '../session/hints';

const ContentOutline = () => (
  <div className="flex flex-col gap-4">
    <Skeleton className="h-8 w-48" />
    <Skeleton className="h-24 w-full" />
    <Skeleton className="h-64 w-full" />
  </div>
);

/** What is drawn within the shell while a screen is loaded. */
export function PendingContent() {
  const t = useTranslations('shell');
  return (
    <div role="status" aria-label={t('loading')}>
      <ContentOutline />
    </div>
  );
}

/** What is drawn while the session is checked: the shell's outline after an earlier sign-in, else the brand. */
export function PendingScreen() {
  const t = useTranslations('shell');
  if (!wasSignedIn()) {
    return (
      <div role="status" aria-label={t('loading')} className="grid min-h-dvh place-items-center">
        <BrandLogo className="animate-pulse" />
      </div>
    );
  }
  return (
    <div role="status" aria-label={t('loading')} className="min-h-dvh md:pl-52">
      <div className="fixed inset-y-0 left-0 w-52 border-r border-line bg-card max-md:hidden">
        <div className="flex h-14 items-center px-5">
          <BrandLogo />
        </div>
      </div>
      <div className="h-14 border-b border-line bg-card" />
      <div className="mx-auto max-w-[1440px] px-4 pt-6 pb-4 sm:p-6">
        <ContentOutline />
      </div>
    </div>
  );
}
