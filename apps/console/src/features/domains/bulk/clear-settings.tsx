import { TASK_CLEARS_MAX } from '@cordon/contract/cache-targets';
import { useTranslations } from 'use-intl';
import { ClearFields } from '../../../domain/clears/clear-fields';
import { isListed } from '../../../domain/clears/use-clear-values';
import ScheduleFields from '../../../domain/tasks/schedule-fields';
import type { useBulkClear } from './use-bulk-clear';

type ClearSettingsProps = ReturnType<typeof useBulkClear>['settings'] & { disabled: boolean };

/** What of the caches of many domains is cleared, how, and when. */
export default function ClearSettings(props: ClearSettingsProps) {
  const { choice, onChoiceChange, values, isTooMany, schedule, disabled } = props;
  const t = useTranslations('bulk.confirm.clear_cache');
  return (
    <>
      <ClearFields
        choice={choice}
        onChoiceChange={onChoiceChange}
        values={values}
        hint={isListed(choice.kind) && t(`hint.${choice.kind}`)}
        urlsExample={t('example')}
        isTriedByLeaving
        disabled={disabled}
      />
      <ScheduleFields {...schedule} disabled={disabled} />
      {isTooMany && (
        <p role="alert" className="text-sm text-danger">
          {t('tooMany', { maximum: TASK_CLEARS_MAX })}
        </p>
      )}
    </>
  );
}
