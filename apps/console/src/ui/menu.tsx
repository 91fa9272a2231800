import {
  cloneElement,
  type KeyboardEvent,
  type MouseEvent,
  type ReactElement,
  type ReactNode,
  Suspense,
  useRef,
  useState,
} from 'react';
import { lazyPart } from './lazy-part';
import type { MenuGroup } from './menu-types';

const MenuPopup = lazyPart(() => import('./menu-popup'));

export interface MenuProps {
  /** A button element; it gets the handlers and the ARIA states. */
  trigger: ReactElement<Record<string, unknown>>;
  /** Groups of items, divided by lines. A function is called only when the menu opens. */
  groups: readonly MenuGroup[] | (() => readonly MenuGroup[]);
  align?: 'start' | 'center' | 'end';
  /** Above the items, for example who is signed in. */
  header?: ReactNode;
}

/** A menu that costs one button until it is first opened, so that a table can have one per row. */
export function Menu({ trigger, groups, align = 'end', header }: MenuProps) {
  const anchor = useRef<HTMLButtonElement>(null);
  const [wasUsed, setUsed] = useState(false);
  const [isOpen, setOpen] = useState(false);
  const [startAt, setStartAt] = useState<'first' | 'last'>();
  function open(at?: 'first' | 'last') {
    setUsed(true);
    setOpen(true);
    setStartAt(at);
  }
  return (
    <>
      {cloneElement(trigger, {
        ref: anchor,
        'aria-haspopup': 'menu',
        'aria-expanded': isOpen,
        // A press by Enter or Space has no pointer's count.
        onClick: (event: MouseEvent) => (isOpen ? setOpen(false) : open(event.detail === 0 ? 'first' : undefined)),
        onKeyDown: (event: KeyboardEvent) => {
          if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
          event.preventDefault();
          event.stopPropagation();
          open(event.key === 'ArrowUp' ? 'last' : 'first');
        },
      })}
      {wasUsed && (
        <Suspense fallback={null}>
          <MenuPopup
            anchor={anchor}
            open={isOpen}
            onOpenChange={setOpen}
            groups={isOpen ? (typeof groups === 'function' ? groups() : groups) : []}
            align={align}
            header={header}
            startAt={startAt}
          />
        </Suspense>
      )}
    </>
  );
}
