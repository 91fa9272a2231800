import { durationSeconds } from '@cordon/plugin-kit/duration';
import clsx from 'clsx';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { OutsideField } from './field';
import { NumberInput } from './number-input';
import { Select } from './select';

const UNITS = ['s', 'm', 'h', 'd'] as const;
type Unit = (typeof UNITS)[number];
/** As many digits as a duration can have. */
const NUMBER_MAX = 99_999_999;

interface Span {
  readonly number: number | null;
  readonly unit: Unit;
}

/** Number and unit of a text such as `3h`; what is no number is an empty field. */
function readDuration(text: string): Span {
  const unit = UNITS.find((one) => text.endsWith(one)) ?? 'h';
  const digits = text.endsWith(unit) ? text.slice(0, -1) : text;
  return { number: digits === '' || !Number.isFinite(Number(digits)) ? null : Number(digits), unit };
}

const sizeOf = (unit: Unit) => durationSeconds(`1${unit}`) ?? 1;

/** A duration has whole seconds and no fractions: 1.5 h are 90 m. */
function durationText({ number, unit }: Span): string {
  if (number === null) return unit;
  const bounded = Math.min(NUMBER_MAX, Math.max(0, number));
  if (Number.isInteger(bounded)) return `${bounded}${unit}`;
  const seconds = Math.round(bounded * sizeOf(unit));
  const [fitting = 's'] = UNITS.filter((one) => seconds % sizeOf(one) === 0).reverse();
  return `${seconds / sizeOf(fitting)}${fitting}`;
}

export interface DurationInputProps {
  /** A whole number and a unit: `90s`, `15m`, `3h`, `7d`. With an empty field the unit alone. */
  value: string;
  onValueChange: (value: string) => void;
  disabled?: boolean;
  className?: string;
}

/** A time span as its number and its unit; a fraction such as 1.5 h is taken, too. */
export function DurationInput({ value, onValueChange, disabled, className }: DurationInputProps) {
  const t = useTranslations('ui.duration');
  const [typed, setTyped] = useState(() => readDuration(value));
  const { number, unit } = durationText(typed) === value ? typed : readDuration(value);
  const change = (next: Span) => {
    setTyped(next);
    onValueChange(durationText(next));
  };
  return (
    <div className={clsx('flex gap-2', className)}>
      <NumberInput
        value={number}
        onValueChange={(next) => change({ number: next, unit })}
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
          onValueChange={(next) => change({ number, unit: next })}
          disabled={disabled}
          className="max-w-32 min-w-24"
        />
      </OutsideField>
    </div>
  );
}
