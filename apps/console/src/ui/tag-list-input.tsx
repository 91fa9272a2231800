import { Copy, Search, Type, Undo2, X } from 'lucide-react';
import {
  type ChangeEvent,
  type ClipboardEvent,
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
  useEffect,
  useId,
  useRef,
  useState,
} from 'react';
import { flushSync } from 'react-dom';
import { useTranslations } from 'use-intl';
import { Button } from './button';
import { copyText } from './copy-button';
import { OutsideField, useFieldControl, useFieldLabelId } from './field';
import { ListCount } from './list-count';
import { hasSeparator, splitEntries } from './list-entries';
import { ListMatches, Tag } from './list-tags';
import { describedBy, LISTED_MAX, ListText, WrongEntries, type WrongEntry } from './list-text';
import { TextInput } from './text-input';
import { useUnsavedChanges } from './unsaved-changes';
import { useLiveEntry } from './use-live-entry';

/** A longer list is lines of text: an element for each entry would take seconds. */
const TAGS_MAX = 200;
/** A shorter list is read at a glance. */
const FILTER_MIN = 20;

export interface TagListInputProps {
  /** Accessible name outside a `Field`. */
  label?: string;
  value: readonly string[];
  onValueChange: (value: string[]) => void;
  /** What is wrong with one entry, in the current language; it stays in the list, marked, until mended. */
  errorOf?: (entry: string, index: number) => string | undefined;
  /** Brings an entry into its written form before it is added. */
  normalize?: (entry: string) => string;
  /** Entries that the list may have. */
  max?: number | undefined;
  /** Remarks about entries, of which the first are shown. */
  remarks?: readonly string[] | undefined;
  /** How many remarks there are besides `remarks`. */
  moreRemarks?: number | undefined;
  placeholder?: string;
  disabled?: boolean;
  /** Of a few entries: nothing stands below it until there are many. */
  compact?: boolean | undefined;
  /** What is typed counts once typing rests, before it is added: for entries that any text may be. */
  isLive?: boolean | undefined;
  /** Told when an entry is begun, and when it is added or gone. */
  onTyping?: ((isTyping: boolean) => void) | undefined;
}

/** What a form is sent or left by, and that may leave the focus in the field. */
const PRESSES = ['pointerdown', 'click', 'submit'] as const;

interface TypingParts extends TagListInputProps {
  text: string;
  setText: (text: string) => void;
  input: RefObject<HTMLInputElement | null>;
  onAdded: (value: string[], added: number, duplicates: number) => void;
}

/** Entries by the keyboard and the clipboard. */
function useTyping({ input, text, setText, value, onValueChange, normalize, onAdded, onTyping }: TypingParts) {
  const isTyped = text.trim() !== '';
  useUnsavedChanges(isTyped);
  const tell = useRef(onTyping);
  tell.current = onTyping;
  useEffect(() => {
    if (!isTyped) return;
    tell.current?.(true);
    return () => tell.current?.(false);
  }, [isTyped]);

  function add(raw: string) {
    const entries = splitEntries(raw).map((entry) => normalize?.(entry) ?? entry);
    const known = new Set(value);
    const fresh = entries.filter((entry) => !known.has(entry) && known.add(entry));
    onAdded(fresh.length > 0 ? [...value, ...fresh] : [...value], fresh.length, entries.length - fresh.length);
    setText('');
  }
  function onKeyDown(event: KeyboardEvent) {
    if (event.nativeEvent.isComposing) return;
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
      // Sends the form, which the entry is part of by then.
      if (isTyped) flushSync(() => add(text));
    } else if ((event.key === 'Enter' || event.key === ',' || event.key === 'Escape') && isTyped) {
      event.preventDefault();
      // Escape, too, only ends the entry: the dialog around it, which does not know the text yet, would close and lose it.
      if (event.key === 'Escape') event.stopPropagation();
      add(text);
    } else if (event.key === 'Backspace' && text === '' && value.length > 0) {
      // Back into the field to be mended, not lost.
      event.preventDefault();
      setText(value.at(-1) ?? '');
      onValueChange(value.slice(0, -1));
    }
  }
  function onPaste(event: ClipboardEvent) {
    const pasted = event.clipboardData.getData('text');
    if (!hasSeparator(pasted)) return;
    event.preventDefault();
    add(`${text}${pasted}`);
  }
  // Before what is pressed elsewhere hears of it: what is typed counts.
  const take = useRef(() => {});
  take.current = () => flushSync(() => add(text));
  useEffect(() => {
    if (!isTyped) return;
    const onPress = ({ target }: Event) => {
      if (target !== input.current) take.current();
    };
    for (const press of PRESSES) document.addEventListener(press, onPress, true);
    return () => {
      for (const press of PRESSES) document.removeEventListener(press, onPress, true);
    };
  }, [isTyped, input]);
  return {
    value: text,
    onChange: (event: ChangeEvent<HTMLInputElement>) => setText(event.target.value),
    onKeyDown,
    onPaste,
    onBlur: () => isTyped && add(text),
  };
}

interface TagsProps {
  list: TagListInputProps;
  errors: readonly (string | undefined)[];
  wrong: readonly WrongEntry[];
  wrongId: string;
  labelId: string | undefined;
  input: RefObject<HTMLInputElement | null>;
  onAdded: TypingParts['onAdded'];
  text: string;
  setText: (text: string) => void;
}

function Tags({ list, errors, wrong, wrongId, labelId, input, onAdded, text, setText }: TagsProps) {
  const { label, value, onValueChange, placeholder, disabled } = list;
  const control = useFieldControl({});
  const typing = useTyping({ ...list, input, onAdded, text, setText });
  const invalid = control['aria-invalid'] ?? (wrong.length > 0 || undefined);
  function remove(index: number) {
    onValueChange(value.filter((_, other) => other !== index));
    input.current?.focus();
  }
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: a convenience for pointers; the input itself is the keyboard's way
    // biome-ignore lint/a11y/noStaticElementInteractions: same
    <div
      onClick={(event) => event.target === event.currentTarget && input.current?.focus()}
      data-invalid={invalid ? '' : undefined}
      className="control flex max-h-60 cursor-text flex-wrap gap-1.5 overflow-y-auto px-1.5! py-1.5!"
    >
      <ul className="contents" aria-labelledby={label ? undefined : labelId} aria-label={label}>
        {value.map((entry, index) => (
          <Tag key={entry} entry={entry} error={errors[index]} disabled={disabled} onRemove={() => remove(index)} />
        ))}
      </ul>
      <input
        {...control}
        {...typing}
        ref={input}
        disabled={disabled}
        aria-label={label}
        aria-labelledby={label ? undefined : labelId}
        aria-describedby={describedBy(wrong, wrongId, control['aria-describedby'])}
        aria-invalid={invalid}
        placeholder={value.length === 0 ? placeholder : undefined}
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
        className="min-h-6 min-w-32 flex-1 bg-transparent px-1.5 font-mono text-sm outline-none placeholder:font-sans touch:text-lg"
      />
    </div>
  );
}

function ToolButton(props: {
  icon: ReactNode;
  onClick: () => void;
  disabled: boolean | undefined;
  children: ReactNode;
}) {
  return <Button size="sm" variant="ghost" {...props} />;
}

/**
 * A list of short entries (addresses, paths, extensions): type and press Enter, or paste many at once. A long one, and any
 * other by choice, is edited as lines of text.
 */
export function TagListInput(given: TagListInputProps) {
  const [typed, setTyped] = useState('');
  const live = useLiveEntry({ ...given, isLive: given.isLive ?? false }, typed);
  const props = { ...given, value: live.settled };
  const { label, value, onValueChange, errorOf, normalize, max, remarks = [], moreRemarks = 0 } = props;
  const { placeholder, disabled, compact } = props;
  const t = useTranslations('ui.tags');
  const labelId = useFieldLabelId();
  const input = useRef<HTMLInputElement>(null);
  const area = useRef<HTMLTextAreaElement>(null);
  const [startedAsText] = useState(value.length > TAGS_MAX);
  const [isText, setText] = useState(startedAsText);
  const [query, setQuery] = useState('');
  /** What was last done with the list, for as long as the list is what it became by it. */
  const [said, setSaid] = useState<{ text: string; of: readonly string[]; isPlain?: boolean }>();
  /** The list before much of it was changed at once, and after. */
  const [undo, setUndo] = useState<{ before: readonly string[]; after: readonly string[] }>();
  const hadFocus = useRef(false);
  const isLong = value.length > TAGS_MAX;
  if (isLong && !isText) setText(true);
  const asText = isText || isLong;

  // The field that had the focus has made room for the other.
  useEffect(() => {
    if (hadFocus.current) (asText ? area : input).current?.focus();
    hadFocus.current = false;
  }, [asText]);

  const wrongId = useId();
  const errors = value.map((entry, index) => errorOf?.(entry, index));
  const wrong = errors.flatMap((error, index) => (error ? [{ index, entry: value[index] ?? '', error }] : []));
  const wanted = query.trim().toLowerCase();
  const matches =
    wanted === '' ? [] : value.flatMap((entry, index) => (entry.toLowerCase().includes(wanted) ? [index] : []));

  function takeMany(after: string[]) {
    setUndo({ before: value, after });
    onValueChange(after);
  }
  function onAdded(after: string[], added: number, duplicates: number) {
    live.end();
    const of = added > 0 ? after : value;
    setSaid({ text: t('added', { count: added, duplicates }), of, isPlain: added === 1 && duplicates === 0 });
    hadFocus.current = after.length > TAGS_MAX && !asText;
    if (added > 1) takeMany(after);
    else if (added > 0) onValueChange(after);
  }
  function clear() {
    const removed = new Set(matches);
    takeMany(wanted === '' ? [] : value.filter((_, index) => !removed.has(index)));
    setQuery('');
    (asText ? area : input).current?.focus();
  }
  function takeBack() {
    if (undo) onValueChange([...undo.before]);
    setUndo(undefined);
  }
  const isBare = compact && !asText && value.length < FILTER_MIN;
  const canUndo = undo !== undefined && undo.after === value;
  return (
    // Parts of the `Field` around it, whose error stands at what it is about, before the tools.
    <div className="contents">
      {(value.length >= FILTER_MIN || wanted !== '') && (
        <OutsideField>
          <TextInput
            type="search"
            icon={<Search size={16} aria-hidden />}
            value={query}
            aria-label={t('filter')}
            placeholder={t('filter')}
            onChange={(event) => setQuery(event.target.value)}
          />
        </OutsideField>
      )}
      {wanted !== '' && (
        <ListMatches
          value={value}
          matches={matches}
          errorOf={(index) => errors[index]}
          disabled={disabled}
          onRemove={(index) => onValueChange(value.filter((_, other) => other !== index))}
        />
      )}
      <div hidden={wanted !== ''}>
        {asText ? (
          <ListText
            label={label}
            labelId={labelId}
            value={value}
            onValueChange={onValueChange}
            normalize={normalize ?? ((entry) => entry)}
            wrong={wrong}
            placeholder={placeholder}
            disabled={disabled}
            area={area}
            startAtEnd={!startedAsText}
            onPasted={({ value: after, added, duplicates }) => onAdded(after, added, duplicates)}
          />
        ) : (
          <>
            <Tags
              list={props}
              errors={errors}
              wrong={wrong}
              wrongId={wrongId}
              labelId={labelId}
              input={input}
              onAdded={onAdded}
              text={typed}
              setText={setTyped}
            />
            {wrong.length > 0 && <WrongEntries id={wrongId} wrong={wrong} />}
          </>
        )}
      </div>
      {remarks.length > 0 && (
        <ul className="order-1 text-sm text-warning">
          {remarks.slice(0, LISTED_MAX).map((remark) => (
            <li key={remark} className="wrap-anywhere">
              {remark}
            </li>
          ))}
          {moreRemarks > 0 && <li>{t('moreErrors', { count: moreRemarks })}</li>}
        </ul>
      )}
      <div className={isBare ? 'sr-only' : 'order-1 flex flex-wrap items-center gap-x-3 gap-y-1 text-sm text-muted'}>
        {(value.length > 0 || asText) && <ListCount count={value.length} wrong={wrong.length} max={max} />}
        {wanted !== '' && <span>{t('matching', { count: matches.length })}</span>}
        <span aria-live="polite" className={said?.isPlain ? 'sr-only' : undefined}>
          {said?.of === value && said.text}
        </span>
        <span className="ml-auto flex flex-wrap items-center" hidden={isBare}>
          {canUndo && (
            <ToolButton icon={<Undo2 size={14} aria-hidden />} onClick={takeBack} disabled={disabled}>
              {t('undo')}
            </ToolButton>
          )}
          {asText && value.length > 1 && (
            <ToolButton
              icon={<Copy size={14} aria-hidden />}
              onClick={() =>
                void copyText(value.join('\n')).then(
                  (isCopied) => isCopied && setSaid({ text: t('copied'), of: value }),
                )
              }
              disabled={disabled}
            >
              {t('copy')}
            </ToolButton>
          )}
          {isLong ? (
            <span className="px-2">{t('textOnly', { max: TAGS_MAX })}</span>
          ) : (
            <ToolButton icon={<Type size={14} aria-hidden />} onClick={() => setText(!asText)} disabled={disabled}>
              {t(asText ? 'asTags' : 'asText')}
            </ToolButton>
          )}
          {(wanted === '' ? value.length > 1 : matches.length > 0) && (
            <ToolButton icon={<X size={14} aria-hidden />} onClick={clear} disabled={disabled}>
              {wanted === '' ? t('clear') : t('clearMatching', { count: matches.length })}
            </ToolButton>
          )}
        </span>
      </div>
    </div>
  );
}
