import { type KeyboardEvent, useState } from 'react';
import { useTranslations } from 'use-intl';
import { Field } from '../../ui/field';
import { TextInput } from '../../ui/text-input';
import { isDay } from '../../ui/zoned-time';
import type { AuditSearch, AuditTabProps } from './audit-search';

type Days = Pick<AuditSearch, 'from' | 'to'>;

/** One end of the period; what is typed counts once the field is left or Enter is pressed. */
function DayField({ end, days, onChange }: { end: keyof Days; days: Days; onChange: (change: Days) => void }) {
  const t = useTranslations('audit.filter.days');
  const known = days[end] ?? '';
  const [typed, setTyped] = useState({ known, text: known });
  const [wasLeft, setLeft] = useState(false);
  // The URL changed, not the field.
  if (typed.known !== known) setTyped({ known, text: known });
  const text = typed.text.trim();
  const isWrong = text !== '' && !isDay(text);
  const isReversed = end === 'to' && days.from !== undefined && isDay(text) && text < days.from;
  function leave() {
    setLeft(true);
    if (!isWrong && text !== known) onChange({ [end]: text === '' ? undefined : text });
  }
  return (
    <Field
      label={t(end)}
      error={(wasLeft && isWrong && t('wrong')) || (isReversed && t('reversed'))}
      className="w-60 phone:w-full"
    >
      <TextInput
        value={typed.text}
        onChange={(event) => setTyped({ known, text: event.target.value })}
        onBlur={leave}
        onKeyDown={(event: KeyboardEvent) => event.key === 'Enter' && leave()}
        placeholder={t('form')}
        inputMode="numeric"
        autoComplete="off"
        spellCheck={false}
        className="tabular"
      />
    </Field>
  );
}

/** The first and the last day of a period of one's own. */
export default function AuditDays({ search: { from, to }, onSearchChange }: AuditTabProps) {
  const change = (part: Days) => onSearchChange({ ...part, page: undefined });
  return (
    <div className="flex w-full flex-wrap items-start justify-end gap-3">
      <DayField end="from" days={{ from, to }} onChange={change} />
      <DayField end="to" days={{ from, to }} onChange={change} />
    </div>
  );
}
