import { Menu as BaseMenu } from '@base-ui/react/menu';
import clsx from 'clsx';
import { Check } from 'lucide-react';
import { Fragment, type ReactNode, type RefObject, useRef } from 'react';
import type { MenuItem } from './menu';
import { popupItemClass, popupSurfaceClass } from './popup-classes';

interface MenuPopupProps {
  anchor: RefObject<HTMLElement | null>;
  open: boolean;
  onOpenChange: (open: boolean) => void;
  groups: readonly (readonly MenuItem[])[];
  align: 'start' | 'center' | 'end';
  header?: ReactNode;
}

function itemClass(item: MenuItem) {
  return clsx(
    popupItemClass,
    'text-ink no-underline',
    item.tone === 'danger' && 'text-danger! data-highlighted:bg-danger-soft',
  );
}

function ItemContent({ item }: { item: MenuItem }) {
  return (
    <>
      {item.icon && <span className="shrink-0">{item.icon}</span>}
      <span className="min-w-0 flex-1">
        {item.label}
        {item.description && <span className="block text-sm text-muted">{item.description}</span>}
      </span>
      {item.checked && <Check size={16} className="text-primary-ink" aria-hidden />}
    </>
  );
}

/** The part of `Menu` that is loaded when a menu is first opened. */
export default function MenuPopup({ anchor, open, onOpenChange, groups, align, header }: MenuPopupProps) {
  // What is shown while the closing animation runs.
  const shown = useRef(groups);
  if (open) shown.current = groups;
  return (
    <BaseMenu.Root
      open={open}
      onOpenChange={(next, details) => {
        const target = details.event.target;
        // The trigger's own press toggles; closing here as well would open it again.
        if (details.reason === 'outside-press' && target instanceof Node && anchor.current?.contains(target)) {
          details.cancel();
          return;
        }
        onOpenChange(next);
      }}
    >
      <BaseMenu.Portal>
        <BaseMenu.Positioner anchor={anchor} align={align} sideOffset={6} collisionPadding={8} className="z-50">
          <BaseMenu.Popup
            finalFocus={anchor}
            className={clsx(popupSurfaceClass, 'max-h-(--available-height) min-w-48 max-w-80 overflow-y-auto')}
          >
            {header && <div className="border-b border-line px-2.5 pt-1.5 pb-2.5 mb-1">{header}</div>}
            {shown.current.map((group, index) => (
              <Fragment key={group[0]?.id ?? index}>
                {index > 0 && <BaseMenu.Separator className="my-1 h-px bg-line" />}
                {group.map((item) =>
                  item.href ? (
                    <BaseMenu.LinkItem key={item.id} href={item.href} closeOnClick className={itemClass(item)}>
                      <ItemContent item={item} />
                    </BaseMenu.LinkItem>
                  ) : item.checked !== undefined ? (
                    <BaseMenu.CheckboxItem
                      key={item.id}
                      checked={item.checked}
                      disabled={item.disabled}
                      closeOnClick
                      onClick={() => item.onSelect?.()}
                      className={itemClass(item)}
                    >
                      <ItemContent item={item} />
                    </BaseMenu.CheckboxItem>
                  ) : (
                    <BaseMenu.Item
                      key={item.id}
                      disabled={item.disabled}
                      onClick={() => item.onSelect?.()}
                      className={itemClass(item)}
                    >
                      <ItemContent item={item} />
                    </BaseMenu.Item>
                  ),
                )}
              </Fragment>
            ))}
          </BaseMenu.Popup>
        </BaseMenu.Positioner>
      </BaseMenu.Portal>
    </BaseMenu.Root>
  );
}
