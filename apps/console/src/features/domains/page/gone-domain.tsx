import { useNavigate } from '@tanstack/react-router';
import { SearchX } from 'lucide-react';
import { type ReactNode, useEffect } from 'react';
import { useTranslations } from 'use-intl';
import { Button } from '../../../ui/button';
import { Card } from '../../../ui/card';
import { dismissNotice, notify } from '../../../ui/notices';
import { PageHeader } from '../../../ui/page-header';
import { EmptyState } from '../../../ui/states';
import { hasUnsavedChanges } from '../../../ui/unsaved-changes';

interface GoneDomainProps {
  breadcrumb: ReactNode;
  /** Something that is typed is still shown, to be copied. */
  isHeld: boolean;
  /** Nothing is left to be copied. */
  onReleased: () => void;
}

/** That a domain is gone: in place of its page, or over it while that holds what was typed. */
export default function GoneDomain({ breadcrumb, isHeld, onReleased }: GoneDomainProps) {
  const t = useTranslations('domain.page');
  const navigate = useNavigate();
  useEffect(() => {
    if (!isHeld) return;
    const id = notify({
      tone: 'error',
      title: t('goneHeld'),
      description: t('goneHeldBody'),
      durationMs: 0,
      isOf: 'screen',
    });
    return () => dismissNotice(id);
  }, [isHeld, t]);
  // What is typed ends with its form, after this is drawn.
  useEffect(() => {
    if (isHeld && !hasUnsavedChanges()) onReleased();
  });
  if (isHeld) return null;
  return (
    <>
      <PageHeader breadcrumb={[breadcrumb]} title={t('gone')} />
      <Card>
        <EmptyState
          icon={<SearchX size={22} aria-hidden />}
          title={t('goneTitle')}
          description={t('goneBody')}
          action={
            <Button variant="primary" onClick={() => void navigate({ to: '/domain/list' })}>
              {t('toList')}
            </Button>
          }
        />
      </Card>
    </>
  );
}
