import { ChevronLeft, ChevronRight } from 'lucide-react';
import { type ClipboardEvent, type RefObject, useId, useLayoutEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { useLocale, useTranslations } from 'use-intl';
import { IconButton } from './button';
import { useFieldControl } from './field';
import { findEntries, splitEntries } from './list-entries';

/** Wrong entries and remarks that are shown; more are counted. */
export const LISTED_MAX = 5;

export interface WrongEntry {
  readonly index: number;
  readonly entry: string;
  readonly error: string;
}

interface WrongEntriesProps {
  /** By which the control names it as its description. */
  id: string;
  wrong: readonly WrongEntry[];
  /** Of a list that is a text: each entry is named by its line, which leads there. */
  onLead?: (index: number) => void;
}

/** Ids that describe a control: of what is wrong with its entries first. */
export const describedBy = (wrong: readonly unknown[], wrongId: string, others: string | undefined) =>
  [wrong.length > 0 && wrongId, others].filter(Boolean).join(' ') || undefined;

/** What is wrong with which entries. */
export function WrongEntries({ id, wrong, onLead }: WrongEntriesProps) {
  const t = useTranslations('ui');
  const colon = useLocale().startsWith('zh') ? '：' : ': ';
  return (
    <ul id={id} className="mt-1.5 text-sm text-danger">
      {wrong.slice(0, LISTED_MAX).map(({ index, entry, error }) => (
        <li key={index} className="wrap-anywhere">
          {onLead && (
            <button type="button" onClick={() => onLead(index)} className="mr-2 font-medium underline">
              {t('tags.line', { line: index + 1 })}
            </button>
          )}
          <code className="font-mono">{entry}</code>
          {colon}
          {error}
        </li>
      ))}
      {wrong.length > LISTED_MAX && <li>{t('tags.moreErrors', { count: wrong.length - LISTED_MAX })}</li>}
    </ul>
  );
}

/** Lines that the text field has at once: the browser needs a tenth of a second to lay out some thousands. */
const PAGE_LINES = 1000;

interface Page {
  readonly start: number;
  readonly length: number;
}

/** The last page is as full as the others: one line alone would look as if the rest were lost. */
const pageFrom = (value: readonly string[], wanted: number): Page => {
  const start = Math.max(0, Math.min(wanted, value.length - PAGE_LINES));
  return { start, length: Math.min(PAGE_LINES, value.length - start) };
};
const pageOf = (value: readonly string[], index: number): Page =>
  pageFrom(value, Math.floor(index / PAGE_LINES) * PAGE_LINES);
const textOf = (value: readonly string[], { start, length }: Page): string =>
  value.slice(start, start + length).join('\n');

/** A text with a line to go on in. */
const withLine = (text: string) => {
  const line = text === '' ? '' : `${text}\n`;
  return { text: line, at: line.length };
};

/** Brings a line, counted from 1, into sight. */
function showLine(area: HTMLTextAreaElement, line: number) {
  area.scrollTop = ((line - 1) / area.value.split('\n').length) * area.scrollHeight - area.clientHeight / 2;
}

interface ListTextProps {
  label: string | undefined;
  labelId: string | undefined;
  value: readonly string[];
  onValueChange: (value: string[]) => void;
  normalize: (entry: string) => string;
  wrong: readonly WrongEntry[];
  placeholder: string | undefined;
  disabled: boolean | undefined;
  area: RefObject<HTMLTextAreaElement | null>;
  /** Begins where one goes on typing: below the last entry. */
  startAtEnd: boolean;
  /** Many were pasted at once. */
  onPasted: (result: { value: string[]; added: number; duplicates: number }) => void;
}

type EditorParts = Pick<ListTextProps, 'value' | 'onValueChange' | 'normalize' | 'area' | 'startAtEnd' | 'onPasted'>;

/** The part of a list that the text field shows, what is typed and pasted into it, and the way to the other parts. */
function useListEditor({ value, onValueChange, normalize, area, startAtEnd, onPasted }: EditorParts) {
  const [page, setPage] = useState(() => (startAtEnd ? pageOf(value, value.length) : pageFrom(value, 0)));
  /** What the list becomes by the text; another list came from elsewhere. */
  const [own, setOwn] = useState(value);
  /** The text as it was written here; after that it is the browser's. */
  const [written, setWritten] = useState(() =>
    startAtEnd ? withLine(textOf(value, page)) : { text: textOf(value, page), at: 0 },
  );

  function show(list: readonly string[], next: Page, text = { text: textOf(list, next), at: 0 }) {
    setOwn(list);
    setPage(next);
    setWritten(text);
  }
  if (own !== value) {
    if (own.length === value.length && own.every((entry, index) => entry === value[index])) setOwn(value);
    else show(value, pageFrom(value, page.start));
  }
  useLayoutEffect(() => {
    if (!area.current) return;
    area.current.value = written.text;
    area.current.setSelectionRange(written.at, written.at);
    showLine(area.current, written.text.slice(0, written.at).split('\n').length);
  }, [written, area]);

  const around = (entries: readonly string[]): string[] => [
    ...value.slice(0, page.start),
    ...entries,
    ...value.slice(page.start + page.length),
  ];
  function takeText() {
    const entries = splitEntries(area.current?.value ?? '').map(normalize);
    const next = around(entries);
    if (entries.length === 0 && next.length > 0) {
      const rest = pageFrom(next, page.start);
      const text = textOf(next, rest);
      show(next, rest, rest.start < page.start ? withLine(text) : { text, at: 0 });
    } else {
      setOwn(next);
      setPage({ start: page.start, length: entries.length });
    }
    onValueChange(next);
  }
  const latest = useRef(takeText);
  latest.current = takeText;
  /** Whether the text was read in this task, and has changed since. */
  const read = useRef<'no' | 'yes' | 'changed'>('no');
  /**
   * A program that inserts many lines (dictation, the clipboard of a phone's keyboard) is heard of once for each, with all that is due in
   * between, in one task: React takes no more than 50 updates so. The first is read at once, the others together.
   */
  function onInput() {
    if (read.current !== 'no') {
      read.current = 'changed';
      return;
    }
    read.current = 'yes';
    queueMicrotask(() => latest.current());
    window.setTimeout(() => {
      const isDue = read.current === 'changed';
      read.current = 'no';
      if (isDue && area.current) latest.current();
    });
  }
  function onPaste(event: ClipboardEvent<HTMLTextAreaElement>) {
    const pasted = splitEntries(event.clipboardData.getData('text')).map(normalize);
    if (pasted.length < 2) return;
    event.preventDefault();
    const { value: text, selectionStart, selectionEnd } = event.currentTarget;
    const before = splitEntries(text.slice(0, selectionStart)).map(normalize);
    const after = splitEntries(text.slice(selectionEnd)).map(normalize);
    const known = new Set(around([...before, ...after]));
    const fresh = pasted.filter((entry) => !known.has(entry) && known.add(entry));
    const next = around([...before, ...fresh, ...after]);
    const end = page.start + before.length + fresh.length;
    // Where the hand is, with what stands before and after it.
    const shown = pageFrom(next, end > page.start + PAGE_LINES ? end - PAGE_LINES / 2 : page.start);
    const at = textOf(next, { start: shown.start, length: end - shown.start }).length;
    const whole = textOf(next, shown);
    show(next, shown, at === whole.length ? withLine(whole) : { text: whole, at });
    onPasted({ value: next, added: fresh.length, duplicates: pasted.length - fresh.length });
  }
  /** Shows the entry with this index, and selects it. */
  function leadTo(index: number) {
    const isShown = index >= page.start && index < page.start + page.length;
    const target = isShown ? page : pageOf(value, index);
    // The text is written at once: the selection is one of it.
    if (!isShown) flushSync(() => show(value, target));
    const element = area.current;
    const place = element && findEntries(element.value, new Set([index - target.start])).get(index - target.start);
    if (!element || !place) return;
    element.focus();
    element.setSelectionRange(place.start, place.end);
    showLine(element, place.line);
  }
  return { page, onInput, onPaste, leadTo, turnTo: (start: number) => show(value, pageFrom(value, start)) };
}

/** Which lines are shown, and the way to the others. */
function Pages({ page, count, onTurn }: { page: Page; count: number; onTurn: (start: number) => void }) {
  const t = useTranslations('ui.tags');
  const end = page.start + page.length;
  const number = 1 + Math.ceil(page.start / PAGE_LINES);
  const pages = number + Math.ceil((count - end) / PAGE_LINES);
  return (
    <div className="mt-1 flex items-center gap-1 text-sm text-muted">
      <IconButton
        size="sm"
        variant="ghost"
        label={t('linesBefore')}
        icon={<ChevronLeft size={16} aria-hidden />}
        disabled={page.start === 0}
        onClick={() => onTurn(Math.max(0, page.start - PAGE_LINES))}
      />
      <span aria-live="polite">{t('lines', { page: number, pages, from: page.start + 1, to: end, count })}</span>
      <IconButton
        size="sm"
        variant="ghost"
        label={t('linesAfter')}
        icon={<ChevronRight size={16} aria-hidden />}
        disabled={end >= count}
        onClick={() => onTurn(end)}
      />
    </div>
  );
}

/** A list as lines of text, for thousands of entries: nothing is made for each entry, and the browser draws a page of them. */
export function ListText(props: ListTextProps) {
  const { label, labelId, value, wrong, placeholder, disabled, area } = props;
  const control = useFieldControl({});
  const wrongId = useId();
  const { page, onInput, onPaste, leadTo, turnTo } = useListEditor(props);
  return (
    <>
      <textarea
        {...control}
        ref={area}
        rows={10}
        wrap="off"
        aria-label={label}
        aria-labelledby={label ? undefined : labelId}
        aria-describedby={describedBy(wrong, wrongId, control['aria-describedby'])}
        aria-invalid={control['aria-invalid'] ?? (wrong.length > 0 || undefined)}
        placeholder={placeholder}
        disabled={disabled}
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
        onInput={onInput}
        onPaste={onPaste}
        className="control resize-y font-mono text-sm touch:text-lg"
      />
      {page.length < value.length && <Pages page={page} count={value.length} onTurn={turnTo} />}
      {wrong.length > 0 && <WrongEntries id={wrongId} wrong={wrong} onLead={leadTo} />}
    </>
  );
}
