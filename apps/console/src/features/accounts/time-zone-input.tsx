import { Combobox } from '@base-ui/react/combobox';
import { Check, ChevronsUpDown } from 'lucide-react';
import { useTranslations } from 'use-intl';
import { useFieldControl, useFieldLabelId } from '../../ui/field';
import { popupItemClass, popupSurfaceClass } from '../../ui/popup-classes';

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
      <Combobox.Portal>
        <Combobox.Positioner sideOffset={4} className="z-60">
          <Combobox.Popup className={`${popupSurfaceClass} w-(--anchor-width) min-w-60`}>
            <Combobox.Empty className="px-2.5 py-2 text-sm text-muted empty:hidden">{t('timeZoneNone')}</Combobox.Empty>
            <Combobox.List className="max-h-[min(320px,var(--available-height))] overflow-y-auto">
              {(zone: string) => (
                <Combobox.Item key={zone} value={zone} className={popupItemClass}>
                  <span className="min-w-0 flex-1 wrap-anywhere">{zone}</span>
                  <Combobox.ItemIndicator className="text-primary-ink">
                    <Check size={16} aria-hidden />
                  </Combobox.ItemIndicator>
                </Combobox.Item>
              )}
            </Combobox.List>
          </Combobox.Popup>
        </Combobox.Positioner>
      </Combobox.Portal>
    </Combobox.Root>
  );
}
