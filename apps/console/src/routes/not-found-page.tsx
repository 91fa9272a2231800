import { useTranslations } from 'use-intl';
import { Button, buttonClass } from '../ui/button';
import { ProblemPage } from './problem-page';

/** 404: the address leads nowhere. */
export function NotFoundPage() {
  const t = useTranslations('pages');
  const { hash } = window.location;
  return (
    <ProblemPage
      code="404"
      title={t('notFound.title')}
      facts={hash === '#/pages/404' ? [] : [{ name: t('address'), value: hash }]}
      actions={
        <>
          <a href="#/" className={buttonClass('primary')}>
            {t('toDomains')}
          </a>
          {window.history.length > 1 && <Button onClick={() => window.history.back()}>{t('back')}</Button>}
        </>
      }
    >
      <p>{t('notFound.body')}</p>
    </ProblemPage>
  );
}
