import { Autocomplete } from '@base-ui/react/autocomplete';
import { Dialog } from '@base-ui/react/dialog';
import { useRouter } from '@tanstack/react-router';
import { ChevronRight, LoaderCircle, Search } from 'lucide-react';
import { type KeyboardEvent, type ReactNode, type RefObject, useRef, useState } from 'react';
import { useTranslations } from 'use-intl';
import { StatusBadge } from '../../ui/badge';
import { useDocumentTitle } from '../../ui/document-title';
import { Kbd } from '../../ui/kbd';
import { backdropClass } from '../../ui/popup-classes';
import { ErrorState } from '../../ui/states';
import { leadTabRound } from '../../ui/tab-round';
import { describeFailure } from '../failure';
import { takeEarlyKeys } from './early-keys';
import type { PaletteActions, PaletteGroup, PaletteItem, PalettePage, PaletteSource } from './palette-types';
import { usePaletteItems } from './use-palette-items';

function Line({ item, onChoose }: { item: PaletteItem; onChoose: (item: PaletteItem) => void }) {
  return (
    <Autocomplete.Item
      value={item}
      disabled={item.disabled}
      onClick={() => onChoose(item)}
      className="flex min-h-9 cursor-pointer items-center gap-3 rounded-control px-3 py-1.5 outline-none select-none touch:min-h-11 data-disabled:cursor-not-allowed data-disabled:opacity-50 data-highlighted:bg-soft"
    >
      <item.icon size={16} aria-hidden className="shrink-0 text-muted" />
      {/* On a phone what does not fit beside the name goes below it. */}
      <span className="flex min-w-0 flex-1 items-center justify-between gap-x-3 phone:flex-wrap">
        <span className="min-w-0 wrap-anywhere">{item.label}</span>
        {item.hint && item.hintTone && <StatusBadge tone={item.hintTone}>{item.hint}</StatusBadge>}
        {item.hint && !item.hintTone && (
          <span title={item.hint} className="max-w-[45%] shrink-0 truncate text-sm text-muted phone:max-w-full">
            {item.hint}
          </span>
        )}
      </span>
      {item.page && <ChevronRight size={16} aria-hidden className="shrink-0 text-muted" />}
    </Autocomplete.Item>
  );
}

function Groups({ onChoose }: { onChoose: (item: PaletteItem) => void }) {
  return (
    <Autocomplete.List className="max-h-[min(60dvh,26rem)] scroll-py-2 overflow-y-auto overscroll-contain p-2">
      {(group: PaletteGroup) => (
        <Autocomplete.Group key={group.id} items={group.items} className="mb-1 last:mb-0">
          <Autocomplete.GroupLabel className="truncate px-3 pt-1.5 pb-1 text-sm font-medium text-muted">
            {group.label}
          </Autocomplete.GroupLabel>
          <Autocomplete.Collection>
            {(item: PaletteItem) => <Line key={item.id} item={item} onChoose={onChoose} />}
          </Autocomplete.Collection>
        </Autocomplete.Group>
      )}
    </Autocomplete.List>
  );
}

interface SearchLineProps {
  input: RefObject<HTMLInputElement | null>;
  page: PalettePage | undefined;
  isBusy: boolean;
  onFocus: () => void;
}

function SearchLine({ input, page, isBusy, onFocus }: SearchLineProps) {
  const t = useTranslations('palette');
  return (
    <div className="flex items-center gap-3 border-b border-line px-4">
      {isBusy ? (
        <LoaderCircle size={18} aria-hidden className="shrink-0 animate-spin text-muted" />
      ) : (
        <Search size={18} aria-hidden className="shrink-0 text-muted" />
      )}
      {page && <span className="shrink-0 rounded-[6px] bg-sunken px-2 py-0.5 text-sm">{page.title}</span>}
      <Autocomplete.Input
        ref={input}
        onFocus={onFocus}
        aria-label={page?.title ?? t('title')}
        placeholder={page?.placeholder ?? t('placeholder')}
        autoComplete="off"
        spellCheck={false}
        className="h-12 min-w-0 flex-1 bg-transparent text-lg outline-none placeholder:text-muted"
      />
      <Dialog.Close className="sr-only focus-visible:not-sr-only">{t('close')}</Dialog.Close>
    </div>
  );
}

function KeyHints({ canGoBack }: { canGoBack: boolean }) {
  const t = useTranslations('palette.hints');
  const hint = (keys: string[], words: string) => (
    <span className="flex items-center gap-1.5">
      <Kbd keys={keys} /> {words}
    </span>
  );
  return (
    <p
      aria-hidden
      className="flex flex-wrap gap-x-4 gap-y-1 border-t border-line px-4 py-2 text-sm text-muted phone:hidden"
    >
      {hint(['↑', '↓'], t('move'))}
      {hint(['Enter'], t('choose'))}
      {canGoBack && hint(['⌫'], t('back'))}
      {hint(['Esc'], t('close'))}
    </p>
  );
}

/** What is listed is only what is known here: says so, and why. */
function SearchFailure({ failure, onRetry }: { failure: unknown; onRetry: () => void }) {
  const t = useTranslations('palette');
  return (
    <ErrorState
      isLine
      {...describeFailure(failure)}
      title={t('failed')}
      onRetry={onRetry}
      className="border-t border-line"
    />
  );
}

interface PaletteProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  loadSources: () => Promise<PaletteSource[]>;
}

/** What is typed, the pages that were gone into, and what is done with a choice. */
function useChoice(onOpenChange: (open: boolean) => void) {
  const router = useRouter();
  const [query, setQuery] = useState('');
  const [pages, setPages] = useState<readonly PalettePage[]>([]);
  const [dialog, setDialog] = useState<{ key: number; node: ReactNode }>();
  const chosen = useRef<PaletteItem>(null);
  const input = useRef<HTMLInputElement>(null);

  const actions: PaletteActions = {
    go: (path) => router.history.push(path),
    show(make) {
      setDialog({ key: Date.now(), node: make(() => setDialog(undefined)) });
    },
  };
  function choose(item: PaletteItem) {
    if (item.disabled) return;
    setQuery('');
    if (item.page) {
      setPages([...pages, item.page]);
      input.current?.focus();
      return;
    }
    chosen.current = item;
    onOpenChange(false);
  }
  /** What was chosen is done when the palette is gone and the focus is back, so that it may take the focus itself. */
  function onClosed(isOpen: boolean) {
    if (isOpen) return;
    setQuery('');
    setPages([]);
    const item = chosen.current;
    chosen.current = null;
    void item?.run?.(actions);
  }
  function onKeyDown(event: KeyboardEvent<HTMLElement>) {
    if (event.nativeEvent.isComposing) return;
    if (event.key === 'Backspace' && query === '' && pages.length > 0) {
      event.preventDefault();
      setPages(pages.slice(0, -1));
    } else if (event.key.toLowerCase() === 'k' && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      onOpenChange(false);
    } else leadTabRound(event);
  }
  return { query, setQuery, page: pages.at(-1), input, dialog, choose, onClosed, onKeyDown };
}

/** Domains, screens and actions by a few letters; the keyboard alone will do. */
export default function Palette({ open, onOpenChange, loadSources }: PaletteProps) {
  const t = useTranslations('palette');
  const { query, setQuery, page, input, dialog, choose, onClosed, onKeyDown } = useChoice(onOpenChange);
  const { groups, isSearching, failure, isReady, onRetry } = usePaletteItems(open, query, page, loadSources);
  useDocumentTitle(open ? (page?.title ?? t('title')) : undefined);
  const count = groups.reduce((sum, group) => sum + group.items.length, 0);
  return (
    <>
      <Dialog.Root open={open} onOpenChange={onOpenChange} onOpenChangeComplete={onClosed}>
        <Dialog.Portal>
          <Dialog.Backdrop className={backdropClass} />
          <Dialog.Viewport className="fixed inset-0 z-50 flex items-start justify-center p-2 pt-[max(8px,12dvh)] phone:pt-2">
            <Dialog.Popup
              aria-label={t('title')}
              initialFocus={input}
              onKeyDown={onKeyDown}
              className="flex w-full max-w-[620px] flex-col overflow-hidden rounded-card bg-card shadow-float outline-none transition-[opacity,scale] duration-100 data-ending-style:opacity-0 data-starting-style:scale-98 data-starting-style:opacity-0"
            >
              <Autocomplete.Root
                open
                inline
                mode="none"
                items={groups}
                value={query}
                onValueChange={(value, details) => details.reason !== 'item-press' && setQuery(value)}
                itemToStringValue={(item: PaletteItem) => item.label}
                autoHighlight="always"
                keepHighlight
              >
                <SearchLine
                  input={input}
                  page={page}
                  isBusy={isSearching || !isReady}
                  onFocus={() => {
                    const early = takeEarlyKeys();
                    if (early !== '') setQuery((before) => before + early);
                  }}
                />
                <Groups onChoose={choose} />
                {count === 0 && isReady && !isSearching && failure === undefined && (
                  <p className="px-5 pb-4 text-center text-muted">{t('nothing')}</p>
                )}
                {failure !== undefined && (
                  <SearchFailure
                    failure={failure}
                    onRetry={() => {
                      input.current?.focus();
                      onRetry();
                    }}
                  />
                )}
                <Autocomplete.Status className="sr-only">
                  {isSearching || !isReady ? t('searching') : failure === undefined && t('results', { count })}
                </Autocomplete.Status>
                <KeyHints canGoBack={page !== undefined} />
              </Autocomplete.Root>
            </Dialog.Popup>
          </Dialog.Viewport>
        </Dialog.Portal>
      </Dialog.Root>
      {dialog && <div key={dialog.key}>{dialog.node}</div>}
    </>
  );
}
