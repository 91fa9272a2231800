import { Combobox } from '@base-ui/react/combobox';
import { ChevronsUpDown } from 'lucide-react';
import { useTranslations } from 'use-intl';
import { ComboboxPopup } from '../../ui/combobox-popup';
import { useFieldControl, useFieldLabelId } from '../../ui/field';

const SHOWN = 50;

/** IANA names that the browser knows; the one that is set may be another. */
const zonesWith = (value: string): string[] => [...new Set(['UTC', value, ...Intl.supportedValuesOf('timeZone')])];

/** A time zone, found by typing a part of its name. */
export default function TimeZoneInput({
  value,
  onValueChange,
}: {
  value: string;
  onValueChange: (zone: string) => void;
}) {
  const t = useTranslations('accounts.profile');
  const control = useFieldControl({});
  const labelId = useFieldLabelId();
  return (
    <Combobox.Root
      items={zonesWith(value)}
      limit={SHOWN}
      value={value}
      onValueChange={(zone: string | null) => zone !== null && onValueChange(zone)}
    >
      <Combobox.InputGroup className="relative block">
        <Combobox.Input
          id={control.id}
          aria-labelledby={labelId}
          aria-describedby={control['aria-describedby']}
          aria-invalid={control['aria-invalid']}
          autoComplete="off"
          spellCheck={false}
          className="control pr-9!"
        />
        <ChevronsUpDown
          size={14}
          aria-hidden
          className="pointer-events-none absolute inset-y-0 right-3 my-auto text-muted"
        />
      </Combobox.InputGroup>
      <ComboboxPopup<string> empty={t('timeZoneNone')} keyOf={(zone) => zone} nameOf={(zone) => zone} />
    </Combobox.Root>
  );
}
