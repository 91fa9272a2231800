import clsx from 'clsx';
import { ArrowDown, ArrowUp, ChevronDown, Copy, Plus, Trash2 } from 'lucide-react';
import { type KeyboardEvent, type ReactNode, useId, useLayoutEffect, useRef, useState } from 'react';
import { useTranslations } from 'use-intl';
import { Badge, type Tone } from '../../ui/badge';
import { Button, IconButton } from '../../ui/button';
import { focusFirst, INVALID_FIELD } from '../../ui/lead-to-error';

const ONE_LINE = { minHeight: '1.25rem' };

export interface ListedItem {
  /** Stays the same while the item is edited and moved. */
  key: string;
  title: string;
  /** Empty where the title says it. */
  summary: string;
  badge?: { label: string; tone: Tone };
  /** In a line of its own; without a text it is on its way, with an empty one there is none. */
  note?: { text: string | undefined; isStale: boolean; isLacking?: boolean } | undefined;
  errorCount: number;
  content: ReactNode;
}

export interface ItemListProps {
  label: string;
  addLabel: string;
  items: readonly ListedItem[];
  max: number;
  disabled?: boolean;
  error?: string;
  /** What was removed last, and how it comes back to its place. */
  undo?: { text: string; label: string; index: number; onUndo: () => void } | undefined;
  onAdd: () => void;
  onMove: (from: number, to: number) => void;
  onCopy: (index: number) => void;
  onRemove: (index: number) => void;
}

interface ItemProps extends Pick<ItemListProps, 'disabled' | 'onMove' | 'onCopy' | 'onRemove'> {
  item: ListedItem;
  index: number;
  count: number;
  isOpen: boolean;
  isFull: boolean;
  onToggle: () => void;
  onLedToError: () => void;
}

function Note({ text, isStale, isLacking }: NonNullable<ListedItem['note']>) {
  if (text === '') return null;
  return (
    <span
      aria-busy={isStale}
      className={clsx('tabular block text-sm', isStale ? 'text-muted' : 'font-medium', isLacking && 'text-warning')}
    >
      {text === undefined ? <span aria-hidden className="skeleton inline-block h-3 w-48" /> : text}
    </span>
  );
}

function Item({ item, index, count, isOpen, isFull, disabled, ...on }: ItemProps) {
  const { onToggle, onLedToError, onMove, onCopy, onRemove } = on;
  const t = useTranslations('domain.items');
  const id = useId();
  const { title, summary, badge, note, errorCount, content } = item;
  const move = (to: number) => {
    if (to >= 0 && to < count) onMove(index, to);
  };
  function onKeyDown(event: KeyboardEvent) {
    if (!event.altKey || (event.key !== 'ArrowUp' && event.key !== 'ArrowDown')) return;
    event.preventDefault();
    move(index + (event.key === 'ArrowUp' ? -1 : 1));
  }
  return (
    <li className={clsx('rounded-card border', errorCount > 0 ? 'border-danger' : 'border-line')}>
      {/* Who is led to the first field in error is led to this one while the fields are folded away. */}
      {errorCount > 0 && !isOpen && (
        <button type="button" tabIndex={-1} aria-hidden aria-invalid onFocus={onLedToError} className="sr-only" />
      )}
      {/* While it is edited, what it says and what comes of it stay in sight. */}
      <div
        className={clsx(
          'flex flex-wrap justify-end gap-1 rounded-card bg-card py-1.5 pr-2 pl-3',
          isOpen ? 'sticky z-10 items-start border-b border-line' : 'items-center',
        )}
        // Up to the edge of what scrolls, over the room that it leaves above its content.
        style={isOpen ? { top: '-1rem' } : undefined}
      >
        <button
          type="button"
          aria-expanded={isOpen}
          aria-controls={id}
          data-focus="head"
          onClick={onToggle}
          onKeyDown={onKeyDown}
          className="flex min-w-0 flex-1 items-start gap-2 text-left phone:basis-full touch:min-h-10"
        >
          <ChevronDown size={16} aria-hidden className={clsx('mt-1 shrink-0 text-muted', !isOpen && '-rotate-90')} />
          <span className="tabular mt-0.5 text-muted">{index + 1}</span>
          <span className="min-w-0">
            <span className="flex flex-wrap items-center gap-x-2">
              <span className="font-medium wrap-anywhere">{title}</span>
              {badge && <Badge tone={badge.tone}>{badge.label}</Badge>}
              {errorCount > 0 && <Badge tone="danger">{t('errors', { count: errorCount })}</Badge>}
            </span>
            {summary !== '' && (
              <span className={clsx('text-sm text-muted', isOpen ? 'line-clamp-2' : 'block truncate')} title={summary}>
                {summary}
              </span>
            )}
            {note && <Note {...note} />}
            {/* What is edited below does not move when there is a summary again. */}
            {isOpen && summary === '' && <span className="block" style={ONE_LINE} />}
          </span>
        </button>
        {/* A phone shows more of the others while this one is closed. */}
        <span className={clsx('flex gap-1', !isOpen && 'phone:hidden')}>
          <IconButton
            size="sm"
            data-focus="up"
            label={t('up', { title })}
            icon={<ArrowUp size={16} aria-hidden />}
            disabled={disabled || index === 0}
            onClick={() => move(index - 1)}
          />
          <IconButton
            size="sm"
            data-focus="down"
            label={t('down', { title })}
            icon={<ArrowDown size={16} aria-hidden />}
            disabled={disabled || index === count - 1}
            onClick={() => move(index + 1)}
          />
          <IconButton
            size="sm"
            label={t('copy', { title })}
            icon={<Copy size={16} aria-hidden />}
            disabled={disabled || isFull}
            onClick={() => onCopy(index)}
          />
          <IconButton
            size="sm"
            label={t('remove', { title })}
            icon={<Trash2 size={16} aria-hidden />}
            disabled={disabled}
            onClick={() => onRemove(index)}
          />
        </span>
      </div>
      {isOpen && (
        <div id={id} data-focus="content" className="flex flex-col gap-4 px-3 py-4 [&_*]:scroll-mt-36">
          {content}
        </div>
      )}
    </li>
  );
}

interface Lead {
  index: number;
  /** Of the item: its head, a button, what it holds, or what is wrong in it. */
  part: string;
}

/** The focus follows what was done: to what came, with what was moved, to what stands where something was. */
function useLead(items: readonly ListedItem[], open: ReadonlySet<string>) {
  const list = useRef<HTMLElement>(null);
  const wanted = useRef<Lead>(undefined);
  // biome-ignore lint/correctness/useExhaustiveDependencies: it looks once the items, or which are open, have changed
  useLayoutEffect(() => {
    const { current: lead } = wanted;
    if (!lead) return;
    wanted.current = undefined;
    const item = list.current?.querySelector('ol')?.children[lead.index];
    if (lead.part === 'error') {
      focusFirst(item, [INVALID_FIELD, '[data-focus=head]']);
      return;
    }
    const part = item?.querySelector<HTMLElement>(`[data-focus=${lead.part}]`);
    const field = lead.part === 'content' ? part?.querySelector('input') : null;
    const target = lead.part === 'content' ? field : part?.matches(':disabled') ? null : part;
    (target ?? (item ?? list.current)?.querySelector<HTMLElement>(`[data-focus=${item ? 'head' : 'add'}]`))?.focus();
    // The name of what came is only a proposal.
    field?.select();
  }, [items, open]);
  return {
    list,
    lead(next: Lead) {
      wanted.current = next;
    },
  };
}

/** Things in an order that counts: a line each until it is opened; moved by buttons or Alt and an arrow key. */
export function ItemList({ label, addLabel, items, max, error, undo, ...actions }: ItemListProps) {
  const t = useTranslations('domain.items');
  const [open, setOpen] = useState<ReadonlySet<string>>(() => new Set(items.length === 1 ? [items[0]?.key ?? ''] : []));
  const [known, setKnown] = useState<ReadonlySet<string>>(() => new Set(items.map(({ key }) => key)));
  // What has just been added is to be filled in.
  const added = items.filter(({ key }) => !known.has(key)).map(({ key }) => key);
  if (added.length > 0) {
    setKnown(new Set(items.map(({ key }) => key)));
    setOpen(new Set([...open, ...added]));
  }
  const isFull = items.length >= max;
  const { list, lead } = useLead(items, open);
  const { onAdd, onMove, onCopy, onRemove, disabled } = actions;
  const [moved, setMoved] = useState<string>();
  const led = {
    disabled,
    onMove(from: number, to: number) {
      lead({ index: to, part: document.activeElement?.getAttribute('data-focus') ?? 'head' });
      onMove(from, to);
      setMoved(t('moved', { title: items[from]?.title ?? '', place: to + 1, count: items.length }));
    },
    onCopy(index: number) {
      lead({ index: index + 1, part: 'content' });
      onCopy(index);
    },
    onRemove(index: number) {
      lead({ index: Math.min(index, items.length - 2), part: 'head' });
      onRemove(index);
    },
  };
  const toggle = (key: string) => {
    const next = new Set(open);
    if (!next.delete(key)) next.add(key);
    setOpen(next);
  };
  return (
    <section ref={list} aria-label={label} className="flex flex-col gap-2">
      {items.length === 0 && <p className="text-muted">{t('none')}</p>}
      <ol className="flex flex-col gap-2">
        {items.map((item, index) => (
          <Item
            key={item.key}
            {...led}
            item={item}
            index={index}
            count={items.length}
            isOpen={open.has(item.key)}
            isFull={isFull}
            onToggle={() => toggle(item.key)}
            onLedToError={() => {
              lead({ index, part: 'error' });
              toggle(item.key);
            }}
          />
        ))}
      </ol>
      <span aria-live="polite" className="sr-only">
        {moved}
      </span>
      {error && (
        <p role="alert" className="text-sm text-danger">
          {error}
        </p>
      )}
      <div className="flex flex-wrap items-center gap-3">
        <Button
          size="sm"
          icon={<Plus size={16} aria-hidden />}
          data-focus="add"
          disabled={disabled || isFull}
          onClick={() => {
            lead({ index: items.length, part: 'content' });
            onAdd();
          }}
        >
          {addLabel}
        </Button>
        <p role="status" className="flex flex-wrap items-center gap-2 text-sm">
          {undo?.text}
          {undo && (
            <Button
              size="sm"
              variant="ghost"
              disabled={disabled || isFull}
              onClick={() => {
                lead({ index: undo.index, part: 'head' });
                undo.onUndo();
              }}
            >
              {undo.label}
            </Button>
          )}
        </p>
      </div>
    </section>
  );
}
