import { Combobox } from '@base-ui/react/combobox';
import { X } from 'lucide-react';
import { type ClipboardEvent, useMemo, useRef, useState } from 'react';
import { useTranslations } from 'use-intl';
import { ComboboxPopup, useCombobox } from './combobox-popup';
import { type Country, createCountrySearch } from './country-search';
import { useFieldControl, useFieldLabelId } from './field';
import { useFormat } from './format';

export interface CountryInputProps {
  /** ISO 3166-1 alpha-2 codes. */
  value: readonly string[];
  onValueChange: (value: string[]) => void;
  disabled?: boolean;
}

/** Several countries, found by typing a name in either language, a code or a short form; a list of them can be pasted. */
export default function CountryInput({ value, onValueChange, disabled }: CountryInputProps) {
  const t = useTranslations('ui');
  const format = useFormat();
  const control = useFieldControl({});
  const labelId = useFieldLabelId();
  const anchor = useRef<HTMLDivElement>(null);
  const combobox = useCombobox();
  const [typed, setTyped] = useState('');
  const search = useMemo(() => createCountrySearch(format.locale), [format]);
  const found = useMemo(() => search.find(typed), [search, typed]);
  const selected = value.map((code) => search.all.find((one) => one.code === code) ?? { code, name: code });

  function onPaste(event: ClipboardEvent<HTMLInputElement>) {
    const list = search.readList(event.clipboardData.getData('text'));
    if (!list || typed !== '') return;
    event.preventDefault();
    onValueChange([...new Set([...value, ...list.countries.map(({ code }) => code)])]);
    // What names no country stays to be corrected.
    setTyped(list.unknown.join(', '));
  }
  return (
    <Combobox.Root
      {...combobox.root}
      items={search.all}
      filteredItems={found}
      inputValue={typed}
      onInputValueChange={setTyped}
      autoHighlight
      multiple
      value={selected}
      disabled={disabled}
      onValueChange={(next: Country[], { reason }) => {
        // Escape closes the list, or is the dialog's: it takes nothing away.
        if (reason !== 'escape-key') onValueChange(next.map(({ code }) => code));
      }}
      itemToStringLabel={({ code, name }: Country) => `${name} ${code}`}
      isItemEqualToValue={(left: Country, right: Country) => left.code === right.code}
    >
      <Combobox.Chips
        ref={anchor}
        className="control flex max-h-60 cursor-text flex-wrap gap-1.5 overflow-y-auto px-1.5! py-1.5!"
        data-invalid={control['aria-invalid'] ? '' : undefined}
      >
        {selected.map(({ code, name }) => (
          <Combobox.Chip
            key={code}
            className="flex min-h-6 max-w-full items-center gap-0.5 rounded-[6px] bg-sunken pl-2 text-sm outline-none data-highlighted:bg-soft focus-visible:bg-soft"
          >
            <span className="min-w-0 wrap-anywhere">{name}</span>
            <Combobox.ChipRemove
              aria-label={t('tags.remove', { name })}
              className="grid size-6 shrink-0 place-items-center rounded-[6px] hover:bg-line touch:size-10"
            >
              <X size={12} aria-hidden />
            </Combobox.ChipRemove>
          </Combobox.Chip>
        ))}
        <Combobox.Input
          {...combobox.input}
          id={control.id}
          aria-labelledby={labelId}
          aria-describedby={control['aria-describedby']}
          aria-invalid={control['aria-invalid']}
          placeholder={value.length === 0 ? t('countries.placeholder') : undefined}
          onPaste={onPaste}
          autoComplete="off"
          spellCheck={false}
          className="min-h-6 min-w-32 flex-1 bg-transparent px-1.5 text-sm outline-none touch:text-lg"
        />
      </Combobox.Chips>
      <ComboboxPopup<Country>
        {...combobox.popup}
        empty={t('countries.none')}
        keyOf={({ code }) => code}
        nameOf={({ name }) => name}
        codeOf={({ code }) => code}
        anchor={anchor}
      />
    </Combobox.Root>
  );
}
