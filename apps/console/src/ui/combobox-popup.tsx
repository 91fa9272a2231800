import { Combobox } from '@base-ui/react/combobox';
import clsx from 'clsx';
import { Check } from 'lucide-react';
import { type FocusEvent, type RefObject, useEffect, useRef, useState } from 'react';
import { useLandmark } from './landmark';
import { popupItemClass, popupSurfaceClass } from './popup-classes';

const POPUP = 'data-combobox-popup';

/**
 * Props of a `Combobox.Root`, of its input and of its `ComboboxPopup`. Base UI's own popup hides the rest of the page from
 * screen readers though the focus can go there; without it, closing and leaving are done here.
 */
export function useCombobox() {
  const input = useRef<HTMLInputElement>(null);
  const actions = useRef<Combobox.Root.Actions>(null);
  const container = useLandmark(input);
  const [open, setOpen] = useState(false);
  useEffect(() => {
    if (open) return () => actions.current?.unmount();
  }, [open]);
  function onBlur({ relatedTarget }: FocusEvent) {
    if (relatedTarget && !relatedTarget.closest(`[${POPUP}]`)) setOpen(false);
  }
  return {
    root: { open, onOpenChange: setOpen, actionsRef: actions },
    input: { ref: input, onBlur },
    popup: { container },
  };
}

export interface ComboboxPopupProps<Item> {
  container: RefObject<HTMLElement | null>;
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
export function ComboboxPopup<Item>({ container, empty, keyOf, nameOf, codeOf, anchor }: ComboboxPopupProps<Item>) {
  return (
    <Combobox.Portal container={container} className="contents">
      <Combobox.Positioner
        {...{ [POPUP]: '' }}
        sideOffset={4}
        anchor={anchor}
        // The focus stays in the input.
        onMouseDown={(event) => event.preventDefault()}
        className="z-60"
      >
        <div className={clsx(popupSurfaceClass, 'w-(--anchor-width)', !anchor && 'min-w-48')}>
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
        </div>
      </Combobox.Positioner>
    </Combobox.Portal>
  );
}
