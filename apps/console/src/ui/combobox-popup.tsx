import { Combobox } from '@base-ui/react/combobox';
import clsx from 'clsx';
import { Check } from 'lucide-react';
import type { RefObject } from 'react';
import { popupItemClass, popupSurfaceClass } from './popup-classes';

export interface ComboboxPopupProps<Item> {
  /** Said while nothing is found. */
  empty: string;
  keyOf: (item: Item) => string;
  nameOf: (item: Item) => string;
  /** A short form that stands beside the name. */
  codeOf?: (item: Item) => string;
  /** What the popup is as wide as; the input when left out. */
  anchor?: RefObject<HTMLElement | null>;
}

/** What a `Combobox.Root` of Base UI offers for choice, of the items that it was given. */
export function ComboboxPopup<Item>({ empty, keyOf, nameOf, codeOf, anchor }: ComboboxPopupProps<Item>) {
  return (
    <Combobox.Portal>
      <Combobox.Positioner sideOffset={4} anchor={anchor} className="z-60">
        <Combobox.Popup className={clsx(popupSurfaceClass, 'w-(--anchor-width)', !anchor && 'min-w-60')}>
          <Combobox.Empty className="px-2.5 py-2 text-sm text-muted empty:hidden">{empty}</Combobox.Empty>
          <Combobox.List className="max-h-[min(320px,var(--available-height))] overflow-y-auto">
            {(item: Item) => (
              <Combobox.Item key={keyOf(item)} value={item} className={popupItemClass}>
                <span className="min-w-0 flex-1 wrap-anywhere">{nameOf(item)}</span>
                {codeOf && <span className="font-mono text-sm text-muted">{codeOf(item)}</span>}
                <Combobox.ItemIndicator className="text-primary-ink">
                  <Check size={16} aria-hidden />
                </Combobox.ItemIndicator>
              </Combobox.Item>
            )}
          </Combobox.List>
        </Combobox.Popup>
      </Combobox.Positioner>
    </Combobox.Portal>
  );
}
