import clsx from 'clsx';
import { ArrowDown, ArrowUp, ChevronDown, Copy, Plus, Trash2 } from 'lucide-react';
import { type KeyboardEvent, type ReactNode, useId, useState } from 'react';
import { useTranslations } from 'use-intl';
import { Badge, type Tone } from './badge';
import { Button, IconButton } from './button';

export interface ListedItem {
  /** Stays the same while the item is edited and moved. */
  key: string;
  title: string;
  summary: string;
  badge?: { label: string; tone: Tone };
  /** In a line of its own, whose place stays; without a text it is on its way. */
  note?: { text: string | undefined; isStale: boolean } | undefined;
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
}

function Note({ text, isStale }: NonNullable<ListedItem['note']>) {
  return (
    <span aria-busy={isStale} className="tabular block text-sm font-medium">
      {text === undefined ? <span aria-hidden className="skeleton inline-block h-3 w-48" /> : text || '\u00a0'}
    </span>
  );
}

function Item({ item, index, count, isOpen, isFull, onToggle, disabled, onMove, onCopy, onRemove }: ItemProps) {
  const t = useTranslations('ui.items');
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
      <div className="flex flex-wrap items-center justify-end gap-1 py-1.5 pr-2 pl-3">
        <button
          type="button"
          aria-expanded={isOpen}
          aria-controls={id}
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
            {!isOpen && (
              <span className="block truncate text-sm text-muted" title={summary}>
                {summary}
              </span>
            )}
            {note && <Note {...note} />}
          </span>
        </button>
        <IconButton
          size="sm"
          label={t('up', { title })}
          icon={<ArrowUp size={16} aria-hidden />}
          disabled={disabled || index === 0}
          onClick={() => move(index - 1)}
        />
        <IconButton
          size="sm"
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
      </div>
      {isOpen && (
        <div id={id} className="flex flex-col gap-4 border-t border-line px-3 py-4">
          {content}
        </div>
      )}
    </li>
  );
}

/** Things in an order that counts: a line each until it is opened; moved by buttons or Alt and an arrow key. */
export function ItemList({ label, addLabel, items, max, error, ...actions }: ItemListProps) {
  const t = useTranslations('ui.items');
  const [open, setOpen] = useState<ReadonlySet<string>>(() => new Set(items.length === 1 ? [items[0]?.key ?? ''] : []));
  const [known, setKnown] = useState<ReadonlySet<string>>(() => new Set(items.map(({ key }) => key)));
  // What has just been added is to be filled in.
  const added = items.filter(({ key }) => !known.has(key)).map(({ key }) => key);
  if (added.length > 0) {
    setKnown(new Set(items.map(({ key }) => key)));
    setOpen(new Set([...open, ...added]));
  }
  const isFull = items.length >= max;
  const toggle = (key: string) => {
    const next = new Set(open);
    if (!next.delete(key)) next.add(key);
    setOpen(next);
  };
  return (
    <section aria-label={label} className="flex flex-col gap-2">
      {items.length === 0 && <p className="text-muted">{t('none')}</p>}
      <ol className="flex flex-col gap-2">
        {items.map((item, index) => (
          <Item
            key={item.key}
            {...actions}
            item={item}
            index={index}
            count={items.length}
            isOpen={open.has(item.key)}
            isFull={isFull}
            onToggle={() => toggle(item.key)}
          />
        ))}
      </ol>
      {error && (
        <p role="alert" className="text-sm text-danger">
          {error}
        </p>
      )}
      <div>
        <Button
          size="sm"
          icon={<Plus size={16} aria-hidden />}
          disabled={actions.disabled || isFull}
          onClick={actions.onAdd}
        >
          {addLabel}
        </Button>
      </div>
    </section>
  );
}
