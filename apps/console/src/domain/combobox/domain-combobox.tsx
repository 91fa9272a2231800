import { Combobox } from '@base-ui/react/combobox';
import { useQuery } from '@tanstack/react-query';
import clsx from 'clsx';
import { ChevronsUpDown, X } from 'lucide-react';
import { useDeferredValue, useState } from 'react';
import { useTranslations } from 'use-intl';
import { ComboboxPopup, useCombobox } from '../../ui/combobox-popup';
import { useFieldControl, useFieldLabelId } from '../../ui/field';
import { routeListOptions, routeOptions } from '../data/queries';

const SHOWN = 20;

interface Domain {
  readonly id: string;
  readonly name: string;
}

export interface DomainComboboxProps {
  /** Accessible name outside a `Field`. */
  label?: string;
  /** Shown while none is chosen. */
  placeholder: string;
  /** None chosen is a choice, too: the placeholder says which. */
  isOptional?: boolean;
  /** Id of a domain. */
  value: string | undefined;
  onValueChange: (id: string | undefined) => void;
  className?: string;
}

/** One domain of the account, found by typing a part of its name. Needs the catalog `combobox`. */
export default function DomainCombobox({
  label,
  placeholder,
  isOptional,
  value,
  onValueChange,
  className,
}: DomainComboboxProps) {
  const t = useTranslations('combobox');
  const control = useFieldControl({});
  const labelId = useFieldLabelId();
  const [typed, setTyped] = useState('');
  const [picked, setPicked] = useState<Domain | null>(null);
  const combobox = useCombobox();
  // A link may bring a domain that was not picked here.
  const isUnknown = value !== undefined && picked?.id !== value;
  const given = useQuery({ ...routeOptions(value ?? ''), enabled: isUnknown });
  const known = isUnknown ? { id: value, name: given.data?.domain_name_unicode ?? '…' } : picked;
  const selected = value === undefined ? null : known;
  const asked = useDeferredValue(typed.trim() === selected?.name ? '' : typed.trim());
  const list = useQuery({
    ...routeListOptions({ page: 1, perpage: SHOWN, ...(asked === '' ? {} : { q: asked }) }),
    enabled: combobox.root.open,
  });
  const found = list.data?.results.map(({ id, domain_name_unicode: name }): Domain => ({ id, name })) ?? [];
  // Enter takes the first: of an answer to less than what is typed, only what fits this too.
  const isAnswered = asked === typed.trim() && !list.isPlaceholderData;
  const domains =
    isAnswered || asked === '' ? found : found.filter(({ name }) => name.includes(typed.trim().toLowerCase()));
  return (
    <Combobox.Root
      items={domains}
      filter={null}
      autoHighlight
      {...combobox.root}
      value={selected}
      onValueChange={(next: Domain | null) => {
        setPicked(next);
        onValueChange(next?.id);
      }}
      onInputValueChange={setTyped}
      itemToStringLabel={({ name }: Domain) => name}
      isItemEqualToValue={(left: Domain, right: Domain) => left.id === right.id}
    >
      <Combobox.InputGroup className={clsx('relative block', className)}>
        <Combobox.Input
          {...combobox.input}
          id={control.id}
          aria-label={label}
          aria-labelledby={label ? undefined : labelId}
          aria-describedby={control['aria-describedby']}
          aria-invalid={control['aria-invalid']}
          placeholder={placeholder}
          title={selected?.name}
          autoComplete="off"
          spellCheck={false}
          className={clsx(
            'control pr-9! text-ellipsis',
            isOptional && 'placeholder:text-ink! placeholder:opacity-100!',
          )}
        />
        {selected === null && (
          <ChevronsUpDown
            size={14}
            aria-hidden
            className="pointer-events-none absolute inset-y-0 right-3 my-auto text-muted"
          />
        )}
        <Combobox.Clear
          aria-label={t('clear')}
          className="absolute inset-y-0 right-1 my-auto grid size-7 place-items-center rounded-[6px] text-muted hover:bg-sunken hover:text-ink touch:size-10"
        >
          <X size={14} aria-hidden />
        </Combobox.Clear>
      </Combobox.InputGroup>
      <ComboboxPopup<Domain>
        {...combobox.popup}
        empty={list.isPending ? t('loading') : t('none')}
        keyOf={({ id }) => id}
        nameOf={({ name }) => name}
      />
    </Combobox.Root>
  );
}
