import { TASK_DAYS_MAX } from '@cordon/contract';
import { useTimeZone, useTranslations } from 'use-intl';
import { SegmentedControl } from '../../ui/choice';
import { Field } from '../../ui/field';
import { useFormat } from '../../ui/format';
import { TextInput } from '../../ui/text-input';
import { useCodeWords } from '../words/error-words';
import { readSchedule, type Schedule } from './schedule';

export interface ScheduleFieldsProps {
  value: Schedule;
  onValueChange: (schedule: Schedule) => void;
  /** What the API says of the time. */
  refused: string | undefined;
  disabled?: boolean;
}

/** Now, or a day and a time, in the account's time zone. */
export default function ScheduleFields({ value, onValueChange, refused, disabled = false }: ScheduleFieldsProps) {
  const t = useTranslations('domain.tasks.schedule');
  const words = useCodeWords();
  const format = useFormat();
  const timeZone = useTimeZone() ?? 'UTC';
  const { at, faults } = readSchedule(value, timeZone);
  const errorOf = (field: 'day' | 'time'): string | undefined => {
    if (faults === undefined) return field === 'time' ? refused : undefined;
    const code = faults[field];
    if (code === undefined) return undefined;
    return code === 'wrongDay' || code === 'wrongTime' ? t(code) : words(code, { days: TASK_DAYS_MAX });
  };
  const input = (field: 'day' | 'time') => (
    <Field label={t(field)} hint={field === 'day' && t('dayHint', { days: TASK_DAYS_MAX })} error={errorOf(field)}>
      <TextInput
        value={value[field]}
        onChange={(event) => onValueChange({ ...value, [field]: event.target.value })}
        placeholder={t(`${field}Form`)}
        disabled={disabled}
        inputMode="numeric"
        autoComplete="off"
        spellCheck={false}
        className="tabular"
      />
    </Field>
  );
  return (
    <div className="flex flex-col gap-3">
      <Field label={t('when')}>
        <SegmentedControl
          options={(['now', 'later'] as const).map((one) => ({ value: one, label: t(one) }))}
          value={value.isLater ? 'later' : 'now'}
          onValueChange={(one) => onValueChange({ ...value, isLater: one === 'later' })}
          disabled={disabled}
          className="self-start"
        />
      </Field>
      {value.isLater && (
        <div className="grid max-w-md grid-cols-2 items-start gap-x-3 gap-y-2">
          {input('day')}
          {input('time')}
          <p className="col-span-full text-sm text-muted tabular" aria-live="polite">
            {at === undefined
              ? t('zone', { zone: timeZone })
              : t('runs', { time: format.dateTime(at), zone: timeZone })}
          </p>
        </div>
      )}
    </div>
  );
}
