import type { Route } from '@cordon/contract';
import { Rocket } from 'lucide-react';
import { useTranslations } from 'use-intl';
import { Button } from '../../../ui/button';
import { isOperationRunning } from '../model/domain-state';

interface SaveButtonsProps {
  isDirty: boolean;
  /** Which button is being waited for. */
  saving: 'draft' | 'deploy' | undefined;
  disabled?: boolean;
  /** Other words for the two buttons. */
  words?: { draft: string; deploy: string };
  onSave: (deploy: boolean) => void;
}

/** "Save as draft" and, primary, "Save and deploy": the end of every form. */
export function SaveButtons({ isDirty, saving, disabled, words, onSave }: SaveButtonsProps) {
  const t = useTranslations('domains.save');
  const isOff = !isDirty || disabled || saving !== undefined;
  return (
    <>
      <Button loading={saving === 'draft'} disabled={isOff && saving !== 'draft'} onClick={() => onSave(false)}>
        {words?.draft ?? t('draft')}
      </Button>
      <Button
        variant="primary"
        icon={<Rocket size={16} aria-hidden />}
        loading={saving === 'deploy'}
        disabled={isOff && saving !== 'deploy'}
        onClick={() => onSave(true)}
      >
        {words?.deploy ?? t('deploy')}
      </Button>
    </>
  );
}

/** What "Save and deploy" would do besides saving; undefined where it does nothing else. */
export function useAlsoDeployed(): (route: Route) => string | undefined {
  const t = useTranslations('domains.save');
  return (route) => {
    if (isOperationRunning(route)) return t('busy');
    if (route.last_deployed === null) return t('goesLive');
    if (route.status === 'deactivated') return t('comesBack');
    return route.pending_changes > 0 ? t('alsoDeploys', { count: route.pending_changes }) : undefined;
  };
}
