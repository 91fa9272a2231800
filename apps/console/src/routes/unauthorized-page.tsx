import { useTranslations } from 'use-intl';
import { useBrand } from '../app/brand';
import { signOut, useSession } from '../app/session/session';
import { Button, buttonClass } from '../ui/button';
import { textLinkClass } from '../ui/text-link-class';
import { ProblemPage } from './problem-page';

/** The signed-in user lacks a role. */
export function UnauthorizedPage() {
  const t = useTranslations('pages');
  const { claims } = useSession();
  const brand = useBrand();
  return (
    <ProblemPage
      code="403"
      title={t('unauthorized.title')}
      facts={claims ? [{ name: t('unauthorized.user'), value: claims.email }] : []}
      actions={
        <>
          <a href="#/dashboard" className={buttonClass('primary')}>
            {t('toOverview')}
          </a>
          {claims && <Button onClick={() => void signOut()}>{t('unauthorized.signOut')}</Button>}
        </>
      }
    >
      {brand.support_email && (
        <p>
          {t.rich('unauthorized.ask', {
            email: brand.support_email,
            link: (chunks) => (
              <a className={textLinkClass} href={`mailto:${brand.support_email}`}>
                {chunks}
              </a>
            ),
          })}
        </p>
      )}
    </ProblemPage>
  );
}
