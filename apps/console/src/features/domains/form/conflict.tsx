import type { Route } from '@cordon/contract';
import { Split } from 'lucide-react';
import { useTranslations } from 'use-intl';
import { Button } from '../../../ui/button';
import { useFormat } from '../../../ui/format';
import { ChangeList } from '../changes/change-list';
import { Callout } from './callout';

interface ConflictProps {
  base: Route;
  theirs: Route;
  /** Labels of what both sides changed; here the typed one stays. */
  contested: readonly string[];
  onKeepMine: () => void;
  onTakeTheirs: () => void;
}

/** Somebody else changed the draft meanwhile: who, what, and two ways on. Nothing typed is lost without being asked for. */
export function Conflict({ base, theirs, contested, onKeepMine, onTakeTheirs }: ConflictProps) {
  const t = useTranslations('domains.conflict');
  const format = useFormat();
  const who = theirs.draft_updated_by ?? t('somebody');
  return (
    <div role="alert" className="flex flex-col gap-3">
      <Callout
        tone="warning"
        icon={<Split size={16} />}
        actions={
          <>
            <Button size="sm" onClick={onKeepMine}>
              {t('keepMine')}
            </Button>
            <Button size="sm" variant="ghost" onClick={onTakeTheirs}>
              {t('takeTheirs')}
            </Button>
          </>
        }
      >
        <p className="font-medium">{t('title', { who, time: format.relative(theirs.draft_updated_at) })}</p>
        <p className="mt-0.5 text-ink">
          {contested.length > 0 ? t('contested', { fields: format.list(contested) }) : t('body')}
        </p>
      </Callout>
      <ChangeList before={base.draft} after={theirs.draft} />
    </div>
  );
}
