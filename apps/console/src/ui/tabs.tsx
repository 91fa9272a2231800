import clsx from 'clsx';
import { type KeyboardEvent, type MouseEvent, type ReactNode, useEffect, useRef } from 'react';

export interface TabItem<Id extends string> {
  id: Id;
  label: ReactNode;
  icon?: ReactNode;
  /** Small number or badge after the label. */
  badge?: ReactNode;
}

export interface TabsProps<Id extends string> {
  /** Accessible name of the list. */
  label: string;
  tabs: readonly TabItem<Id>[];
  /** The tab in the URL. */
  value: Id;
  /** Navigate here: the URL holds the tab. */
  onValueChange: (id: Id) => void;
  /** Makes each tab a real link, so that it opens in a new browser tab. */
  hrefOf?: (id: Id) => string;
  /** Connects the tabs with their `TabPanel`. */
  idPrefix: string;
}

/** Tabs whose state lives in the URL; arrows move, Home and End jump, and a phone scrolls them sideways. */
export function Tabs<Id extends string>({ label, tabs, value, onValueChange, hrefOf, idPrefix }: TabsProps<Id>) {
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const selected = list.current?.querySelector<HTMLElement>(`[data-tab="${CSS.escape(value)}"]`);
    if (!selected || !list.current) return;
    // Not scrollIntoView: that would move the page too.
    list.current.scrollLeft = selected.offsetLeft - (list.current.clientWidth - selected.clientWidth) / 2;
  }, [value]);

  function move(event: KeyboardEvent) {
    const index = tabs.findIndex((tab) => tab.id === value);
    const next =
      event.key === 'ArrowRight'
        ? (index + 1) % tabs.length
        : event.key === 'ArrowLeft'
          ? (index - 1 + tabs.length) % tabs.length
          : event.key === 'Home'
            ? 0
            : event.key === 'End'
              ? tabs.length - 1
              : -1;
    const tab = tabs[next];
    if (!tab) return;
    event.preventDefault();
    onValueChange(tab.id);
    list.current?.querySelector<HTMLElement>(`[data-tab="${CSS.escape(tab.id)}"]`)?.focus();
  }
  function press(event: MouseEvent, id: Id) {
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0) return;
    event.preventDefault();
    onValueChange(id);
  }
  return (
    <div className="border-b border-line">
      <div
        ref={list}
        role="tablist"
        aria-label={label}
        onKeyDown={move}
        // The first label stands at the edge of the page, the line of the one that is selected on that of the list.
        className="relative -mx-3 -mb-px flex overflow-x-auto [scrollbar-width:none]"
      >
        {tabs.map((tab) => (
          <a
            key={tab.id}
            id={`${idPrefix}-tab-${tab.id}`}
            data-tab={tab.id}
            href={hrefOf?.(tab.id) ?? '#'}
            role="tab"
            aria-selected={tab.id === value}
            aria-controls={tab.id === value ? `${idPrefix}-panel` : undefined}
            tabIndex={tab.id === value ? 0 : -1}
            onClick={(event) => press(event, tab.id)}
            className={clsx(
              'flex h-10 shrink-0 items-center gap-2 border-b-2 px-3 font-medium whitespace-nowrap no-underline -outline-offset-2!',
              tab.id === value ? 'border-primary-ink text-primary-ink' : 'border-transparent text-muted hover:text-ink',
            )}
          >
            {tab.icon}
            {tab.label}
            {tab.badge}
          </a>
        ))}
      </div>
    </div>
  );
}

/** What the selected tab shows. */
export function TabPanel({
  idPrefix,
  value,
  className,
  children,
}: {
  idPrefix: string;
  value: string;
  className?: string;
  children: ReactNode;
}) {
  return (
    <div
      role="tabpanel"
      id={`${idPrefix}-panel`}
      aria-labelledby={`${idPrefix}-tab-${value}`}
      tabIndex={-1}
      className={clsx('outline-none', className)}
    >
      {children}
    </div>
  );
}
