import clsx from 'clsx';
import { X } from 'lucide-react';
import { type ChangeEvent, type ClipboardEvent, type KeyboardEvent, useRef, useState } from 'react';
import { useTranslations } from 'use-intl';
import { useFieldControl, useFieldLabelId } from './field';

const SEPARATORS = /[\s,;，；、]+/;
const WRONG_SHOWN = 5;

export interface TagListInputProps {
  /** Accessible name outside a `Field`. */
  label?: string;
  value: readonly string[];
  onValueChange: (value: string[]) => void;
  /** What is wrong with one entry, in the current language; it stays in the list, marked, until mended. */
  errorOf?: (entry: string, index: number) => string | undefined;
  /** Brings an entry into its written form before it is added. */
  normalize?: (entry: string) => string;
  placeholder?: string;
  disabled?: boolean;
}

/** Entries by the keyboard and the clipboard. `announcement` says what came of it. */
function useTyping({ value, onValueChange, normalize }: TagListInputProps) {
  const t = useTranslations('ui');
  const [text, setText] = useState('');
  const [announcement, setAnnouncement] = useState('');

  function add(raw: string) {
    const entries = raw
      .split(SEPARATORS)
      .filter(Boolean)
      .map((entry) => normalize?.(entry) ?? entry);
    const known = new Set(value);
    const fresh = entries.filter((entry) => !known.has(entry) && known.add(entry));
    if (fresh.length > 0) onValueChange([...value, ...fresh]);
    setAnnouncement(t('tags.added', { count: fresh.length, duplicates: entries.length - fresh.length }));
    setText('');
  }
  function onKeyDown(event: KeyboardEvent) {
    if (event.nativeEvent.isComposing) return;
    if ((event.key === 'Enter' || event.key === ',' || event.key === 'Escape') && text.trim() !== '') {
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
    if (!SEPARATORS.test(pasted.trim())) return;
    event.preventDefault();
    add(`${text}${pasted}`);
  }
  return {
    input: {
      value: text,
      onChange: (event: ChangeEvent<HTMLInputElement>) => setText(event.target.value),
      onKeyDown,
      onPaste,
      onBlur: () => text.trim() !== '' && add(text),
    },
    announcement,
  };
}

interface TagProps {
  entry: string;
  error: string | undefined;
  disabled: boolean | undefined;
  onRemove: () => void;
}

function Tag({ entry, error, disabled, onRemove }: TagProps) {
  const t = useTranslations('ui');
  return (
    <li
      title={error}
      className={clsx(
        'flex min-h-6 max-w-full items-center gap-0.5 rounded-[6px] pl-2 font-mono text-sm',
        error ? 'bg-danger-soft text-danger line-through decoration-danger/50' : 'bg-sunken',
      )}
    >
      <span className="min-w-0 wrap-anywhere">{entry}</span>
      <button
        type="button"
        disabled={disabled}
        aria-label={t('tags.remove', { name: entry })}
        onClick={onRemove}
        className="grid size-6 shrink-0 place-items-center rounded-[6px] hover:bg-line touch:size-9"
      >
        <X size={12} aria-hidden />
      </button>
    </li>
  );
}

interface WrongEntry {
  entry: string;
  error: string;
}

function WrongEntries({ wrong }: { wrong: readonly WrongEntry[] }) {
  const t = useTranslations('ui');
  return (
    <ul className="mt-1.5 text-sm text-danger">
      {wrong.slice(0, WRONG_SHOWN).map(({ entry, error }) => (
        <li key={entry} className="wrap-anywhere">
          <code className="font-mono">{entry}</code>: {error}
        </li>
      ))}
      {wrong.length > WRONG_SHOWN && <li>{t('tags.moreErrors', { count: wrong.length - WRONG_SHOWN })}</li>}
    </ul>
  );
}

/** A list of short entries (addresses, paths, extensions): type and press Enter, or paste many at once. */
export function TagListInput(props: TagListInputProps) {
  const { label, value, onValueChange, errorOf, placeholder, disabled } = props;
  const control = useFieldControl({});
  const labelId = useFieldLabelId();
  const input = useRef<HTMLInputElement>(null);
  const typing = useTyping(props);
  const errors = value.map((entry, index) => errorOf?.(entry, index));
  const wrong = errors.flatMap((error, index) => (error ? [{ entry: value[index] ?? '', error }] : []));

  function remove(index: number) {
    onValueChange(value.filter((_, other) => other !== index));
    input.current?.focus();
  }
  return (
    <div>
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: a convenience for pointers; the input itself is the keyboard's way */}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: same */}
      <div
        onClick={(event) => event.target === event.currentTarget && input.current?.focus()}
        data-invalid={control['aria-invalid'] || wrong.length > 0 ? '' : undefined}
        className="control flex max-h-60 cursor-text flex-wrap gap-1.5 overflow-y-auto px-1.5! py-1.5!"
      >
        <ul className="contents" aria-labelledby={label ? undefined : labelId} aria-label={label}>
          {value.map((entry, index) => (
            <Tag key={entry} entry={entry} error={errors[index]} disabled={disabled} onRemove={() => remove(index)} />
          ))}
        </ul>
        <input
          {...control}
          {...typing.input}
          ref={input}
          disabled={disabled}
          aria-label={label}
          aria-labelledby={label ? undefined : labelId}
          placeholder={value.length === 0 ? placeholder : undefined}
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          className="min-h-6 min-w-32 flex-1 bg-transparent px-1.5 font-mono text-sm outline-none placeholder:font-sans touch:text-lg"
        />
      </div>
      {wrong.length > 0 && <WrongEntries wrong={wrong} />}
      <p className="sr-only" aria-live="polite">
        {typing.announcement}
      </p>
    </div>
  );
}
