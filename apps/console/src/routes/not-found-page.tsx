import { useTranslations } from 'use-intl';
import { Button, buttonClass } from '../ui/button';
import { ProblemPage } from './problem-page';

/** 404: the address leads nowhere. */
export function NotFoundPage() {
  const t = useTranslations('pages');
  return (
    <ProblemPage
      code="404"
      title={t('notFound.title')}
      actions={
        <>
          <Button onClick={() => window.history.back()}>{t('back')}</Button>
          <a href="#/" className={buttonClass('primary')}>
            {t('toDomains')}
          </a>
        </>
      }
    >
      <p>{t('notFound.body')}</p>
    </ProblemPage>
  );
}
