import { Menu as BaseMenu } from '@base-ui/react/menu';
import clsx from 'clsx';
import { Check } from 'lucide-react';
import { type FocusEvent, Fragment, type KeyboardEvent, type ReactNode, type RefObject, useRef } from 'react';
import { useLandmark } from './landmark';
import type { MenuGroup, MenuItem } from './menu-types';
import { popupItemClass, popupSurfaceClass } from './popup-classes';

interface MenuPopupProps {
  anchor: RefObject<HTMLElement | null>;
  open: boolean;
  onOpenChange: (open: boolean) => void;
  groups: readonly MenuGroup[];
  align: 'start' | 'center' | 'end';
  header?: ReactNode;
  /** Item that has the focus from the start, after the menu was opened by a key. */
  startAt: 'first' | 'last' | undefined;
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

/** One of a set is a radio item, so that a screen reader announces which is chosen and how many there are. */
function Items({ items, onChoose }: { items: readonly MenuItem[]; onChoose: (item: MenuItem) => void }) {
  const parts = items.map((item) =>
    item.href ? (
      <BaseMenu.LinkItem key={item.id} href={item.href} closeOnClick className={itemClass(item)}>
        <ItemContent item={item} />
      </BaseMenu.LinkItem>
    ) : item.isSwitch ? (
      <BaseMenu.CheckboxItem
        key={item.id}
        checked={item.checked ?? false}
        disabled={item.disabled}
        onCheckedChange={() => item.onSelect?.()}
        className={itemClass(item)}
      >
        <ItemContent item={item} />
      </BaseMenu.CheckboxItem>
    ) : item.checked !== undefined ? (
      <BaseMenu.RadioItem
        key={item.id}
        value={item.id}
        disabled={item.disabled}
        closeOnClick
        onClick={() => onChoose(item)}
        className={itemClass(item)}
      >
        <ItemContent item={item} />
      </BaseMenu.RadioItem>
    ) : (
      <BaseMenu.Item key={item.id} disabled={item.disabled} onClick={() => onChoose(item)} className={itemClass(item)}>
        <ItemContent item={item} />
      </BaseMenu.Item>
    ),
  );
  if (items.every(({ checked, isSwitch }) => isSwitch || checked === undefined)) return parts;
  return <BaseMenu.RadioGroup value={items.find(({ checked }) => checked)?.id}>{parts}</BaseMenu.RadioGroup>;
}

function Group({ group, onChoose }: { group: MenuGroup; onChoose: (item: MenuItem) => void }) {
  if (!('label' in group)) return <Items items={group} onChoose={onChoose} />;
  return (
    <BaseMenu.Group>
      <BaseMenu.GroupLabel className="px-2.5 py-1 text-sm font-semibold text-muted">{group.label}</BaseMenu.GroupLabel>
      <Items items={group.items} onChoose={onChoose} />
    </BaseMenu.Group>
  );
}

/** As high as it may become before it scrolls: a long menu is a list beside its button, not a page over the page. */
const HEIGHT_MAX = 'min(var(--available-height), 36rem)';

/** The part of `Menu` that is loaded when a menu is first opened. */
export default function MenuPopup({ anchor, open, onOpenChange, groups, align, header, startAt }: MenuPopupProps) {
  // What is shown while the closing animation runs.
  const shown = useRef(groups);
  if (open) shown.current = groups;
  const popup = useRef<HTMLDivElement>(null);
  const landmark = useLandmark(anchor);
  const hasStarted = useRef(false);
  const hasChosen = useRef(false);
  const wasOpen = useRef(false);
  if (open && !wasOpen.current) {
    hasStarted.current = false;
    hasChosen.current = false;
  }
  wasOpen.current = open;

  /** The focus goes back before the action: a dialog that it opens keeps the focus, and later returns it to the trigger. */
  function choose(item: MenuItem) {
    hasChosen.current = true;
    anchor.current?.focus();
    item.onSelect?.();
  }

  /** Base UI takes the focus back to the item that is pressed: unless the action has moved it on, it still has to go back. */
  function hasMovedOn() {
    const at = document.activeElement;
    return hasChosen.current && at !== null && at !== document.body && !popup.current?.contains(at);
  }

  /** Base UI knows only openings by a trigger of its own; from ours it leaves the focus on the popup. */
  function start(event: FocusEvent<HTMLDivElement>) {
    if (startAt === undefined || hasStarted.current || event.target !== event.currentTarget) return;
    hasStarted.current = true;
    const items = event.currentTarget.querySelectorAll<HTMLElement>('[role^=menuitem]:not([data-disabled])');
    items[startAt === 'first' ? 0 : items.length - 1]?.focus();
  }
  /** Tab goes on from the trigger; Base UI would leave the menu open and the focus nowhere. */
  function leaveByTab(event: KeyboardEvent) {
    if (event.key !== 'Tab') return;
    hasChosen.current = true;
    anchor.current?.focus();
    onOpenChange(false);
  }
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
      <BaseMenu.Portal container={landmark} className="contents">
        <BaseMenu.Positioner anchor={anchor} align={align} sideOffset={6} collisionPadding={8} className="z-50">
          <BaseMenu.Popup
            ref={popup}
            finalFocus={() => (hasMovedOn() ? false : anchor.current)}
            onFocus={start}
            onKeyDown={leaveByTab}
            // One that scrolls is reached by keyboard also before an item is highlighted.
            tabIndex={0}
            className={clsx(popupSurfaceClass, 'min-w-48 max-w-80 overflow-y-auto')}
            style={{ maxHeight: HEIGHT_MAX }}
          >
            {header && <div className="border-b border-line px-2.5 pt-1.5 pb-2 mb-1">{header}</div>}
            {shown.current.map((group, index) => (
              <Fragment key={'label' in group ? group.label : (group[0]?.id ?? index)}>
                {index > 0 && <BaseMenu.Separator className="my-1 h-px bg-line" />}
                <Group group={group} onChoose={choose} />
              </Fragment>
            ))}
          </BaseMenu.Popup>
        </BaseMenu.Positioner>
      </BaseMenu.Portal>
    </BaseMenu.Root>
  );
}
