import { Combobox } from '@base-ui/react/combobox';
import { ChevronsUpDown } from 'lucide-react';
import { useTranslations } from 'use-intl';
import { ComboboxPopup, useCombobox } from '../../ui/combobox-popup';
import { useFieldControl, useFieldLabelId } from '../../ui/field';

const SHOWN = 50;

/** IANA names that the browser knows; the one that is set may be another. */
const zonesWith = (value: string): string[] => [...new Set(['UTC', value, ...Intl.supportedValuesOf('timeZone')])];

interface TimeZoneInputProps {
  value: string;
  onValueChange: (zone: string) => void;
  /** What was typed and left, or sent by Enter, is no time zone; the field shows `value` again once it is left. */
  onUnknown: (typed: string) => void;
}

/** A time zone, found by typing a part of its name. */
export default function TimeZoneInput({ value, onValueChange, onUnknown }: TimeZoneInputProps) {
  const t = useTranslations('accounts.profile');
  const control = useFieldControl({});
  const labelId = useFieldLabelId();
  const combobox = useCombobox();
  const zones = zonesWith(value);
  /** Takes a name that was typed in full, in any case. */
  function settle(typed: string) {
    const text = typed.trim();
    if (text === '' || text === value) return;
    const zone = zones.find((one) => one.toLowerCase() === text.toLowerCase());
    if (zone === undefined) onUnknown(text);
    else onValueChange(zone);
  }
  return (
    <Combobox.Root
      {...combobox.root}
      items={zones}
      limit={SHOWN}
      value={value}
      autoHighlight
      onValueChange={(zone: string | null) => zone !== null && onValueChange(zone)}
    >
      <Combobox.InputGroup className="relative block">
        <Combobox.Input
          ref={combobox.input.ref}
          id={control.id}
          aria-labelledby={labelId}
          aria-describedby={control['aria-describedby']}
          aria-invalid={control['aria-invalid']}
          autoComplete="off"
          spellCheck={false}
          className="control pr-9!"
          onFocus={(event) => event.currentTarget.select()}
          // A press puts the caret somewhere into the zone that is set: what is typed replaces it all the same.
          onClick={(event) => event.currentTarget.value === value && event.currentTarget.select()}
          onBlur={(event) => {
            combobox.input.onBlur(event);
            settle(event.currentTarget.value);
          }}
          onKeyDown={(event) => {
            const text = event.currentTarget.value;
            if (event.key !== 'Enter' || text === value) return;
            // What is typed must not be lost by saving the rest of the form.
            event.preventDefault();
            if (!event.currentTarget.hasAttribute('aria-activedescendant')) settle(text);
          }}
        />
        <ChevronsUpDown
          size={14}
          aria-hidden
          className="pointer-events-none absolute inset-y-0 right-3 my-auto text-muted"
        />
      </Combobox.InputGroup>
      <ComboboxPopup<string>
        {...combobox.popup}
        empty={t('timeZoneNone')}
        keyOf={(zone) => zone}
        nameOf={(zone) => zone}
      />
    </Combobox.Root>
  );
}
