import { useNavigate } from '@tanstack/react-router';
import { SearchX } from 'lucide-react';
import { type ReactNode, useEffect } from 'react';
import { useTranslations } from 'use-intl';
import { Button } from '../../../ui/button';
import { Card } from '../../../ui/card';
import { DottedText } from '../../../ui/dotted-text';
import { findLostFocus } from '../../../ui/lost-focus';
import { dismissNotice, notify } from '../../../ui/notices';
import { PageHeader } from '../../../ui/page-header';
import { EmptyState } from '../../../ui/states';
import { hasUnsavedChanges } from '../../../ui/unsaved-changes';

interface GoneDomainProps {
  /** Of one that was there until now; undefined where nothing is known of it. */
  name: string | undefined;
  breadcrumb: ReactNode;
  /** Something that is typed is still shown, to be copied. */
  isHeld: boolean;
  /** Nothing is left to be copied. */
  onReleased: () => void;
}

/** That a domain is gone: in place of its page, or over it while that holds what was typed. */
export default function GoneDomain({ name, breadcrumb, isHeld, onReleased }: GoneDomainProps) {
  const t = useTranslations('domain.page');
  const navigate = useNavigate();
  useEffect(() => {
    if (!isHeld) return;
    const id = notify({
      tone: 'error',
      title: t('goneHeld'),
      description: t('goneHeldBody'),
      durationMs: 0,
      action: { label: t('toList'), onPress: () => void navigate({ to: '/domain/list' }) },
      isOf: 'screen',
    });
    return () => dismissNotice(id);
  }, [isHeld, t, navigate]);
  // What is typed ends with its form, after this is drawn.
  useEffect(() => {
    if (isHeld && !hasUnsavedChanges()) onReleased();
  });
  // With the page goes what had the focus.
  useEffect(() => {
    if (!isHeld) findLostFocus();
  }, [isHeld]);
  if (isHeld) return null;
  return (
    <>
      <PageHeader
        breadcrumb={[breadcrumb]}
        title={name === undefined ? t('gone') : <DottedText text={name} />}
        documentTitle={[name ?? t('gone')]}
      />
      <Card>
        <EmptyState
          icon={<SearchX size={22} aria-hidden />}
          title={t(name === undefined ? 'goneTitle' : 'goneHeld')}
          description={t(name === undefined ? 'goneBody' : 'goneWho')}
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
