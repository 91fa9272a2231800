import clsx from 'clsx';
import { useTranslations } from 'use-intl';
import { OutsideField } from './field';
import { NumberInput } from './number-input';
import { Select } from './select';

const UNITS = ['s', 'm', 'h', 'd'] as const;
type Unit = (typeof UNITS)[number];

/** Number and unit of a text such as `3h`; what is no number is an empty field. */
function readDuration(text: string): { number: number | null; unit: Unit } {
  const unit = UNITS.find((one) => text.endsWith(one)) ?? 'h';
  const digits = text.endsWith(unit) ? text.slice(0, -1) : text;
  return { number: digits === '' || !Number.isFinite(Number(digits)) ? null : Number(digits), unit };
}

export interface DurationInputProps {
  /** A number and a unit: `90s`, `15m`, `3h`, `7d`. With an empty field the unit alone. */
  value: string;
  onValueChange: (value: string) => void;
  disabled?: boolean;
  className?: string;
}

/** A time span as a number and its unit. */
export function DurationInput({ value, onValueChange, disabled, className }: DurationInputProps) {
  const t = useTranslations('ui.duration');
  const { number, unit } = readDuration(value);
  return (
    <div className={clsx('flex gap-2', className)}>
      <NumberInput
        value={number}
        onValueChange={(next) => onValueChange(`${next ?? ''}${unit}`)}
        min={1}
        disabled={disabled}
        className="w-24 shrink-0"
      />
      {/* The field's label and error are the number's. */}
      <OutsideField>
        <Select
          label={t('unit')}
          options={UNITS.map((one) => ({ value: one, label: t(one) }))}
          value={unit}
          onValueChange={(next) => onValueChange(`${number ?? ''}${next}`)}
          disabled={disabled}
          className="max-w-32 min-w-24"
        />
      </OutsideField>
    </div>
  );
}
