import { getRouteApi } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';
import { useBrand } from '../app/brand';
import { forgetSignInFailures } from '../app/session/hints';
import { Button, buttonClass } from '../ui/button';
import { textLinkClass } from '../ui/text-link-class';
import { ProblemPage } from './problem-page';

const route = getRouteApi('/pages/500');

/** 500, and the place where a sign-in that fails again and again comes to rest. */
export function ServerErrorPage() {
  const t = useTranslations('pages');
  const brand = useBrand();
  const { reason } = route.useSearch();
  const message = reason === 'sign-in' ? 'signInFailed' : 'serverError';
  function again() {
    forgetSignInFailures();
    window.location.hash = '#/';
    window.location.reload();
  }
  return (
    <ProblemPage
      code={reason === 'sign-in' ? undefined : '500'}
      title={t(`${message}.title`)}
      actions={
        <>
          <Button variant="primary" onClick={again}>
            {t('tryAgain')}
          </Button>
          <a href="#/pages/test" className={buttonClass()}>
            {t('selfTest')}
          </a>
        </>
      }
    >
      <p>{t(`${message}.body`)}</p>
      {brand.support_email && (
        <p>
          {t.rich('serverError.support', {
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
