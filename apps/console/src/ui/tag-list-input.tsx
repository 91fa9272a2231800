import clsx from 'clsx';
import { X } from 'lucide-react';
import { type ClipboardEvent, type KeyboardEvent, useRef, useState } from 'react';
import { useTranslations } from 'use-intl';
import { useFieldControl, useFieldLabelId } from './field';

const SEPARATORS = /[\s,;，；、]+/;

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

/** A list of short entries (addresses, paths, extensions): type and press Enter, or paste many at once. */
export function TagListInput({
  label,
  value,
  onValueChange,
  errorOf,
  normalize,
  placeholder,
  disabled,
}: TagListInputProps) {
  const t = useTranslations('ui');
  const control = useFieldControl({});
  const labelId = useFieldLabelId();
  const input = useRef<HTMLInputElement>(null);
  const [text, setText] = useState('');
  const [announcement, setAnnouncement] = useState('');
  const errors = value.map((entry, index) => errorOf?.(entry, index));

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
  function remove(index: number) {
    onValueChange(value.filter((_, other) => other !== index));
    input.current?.focus();
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
  const wrong = errors.flatMap((error, index) => (error ? [{ entry: value[index] ?? '', error }] : []));
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
            <li
              key={entry}
              title={errors[index]}
              className={clsx(
                'flex min-h-6 max-w-full items-center gap-0.5 rounded-[6px] pl-2 font-mono text-sm',
                errors[index] ? 'bg-danger-soft text-danger line-through decoration-danger/50' : 'bg-sunken',
              )}
            >
              <span className="min-w-0 wrap-anywhere">{entry}</span>
              <button
                type="button"
                disabled={disabled}
                aria-label={t('tags.remove', { name: entry })}
                onClick={() => remove(index)}
                className="grid size-6 shrink-0 place-items-center rounded-[6px] hover:bg-line touch:size-9"
              >
                <X size={12} aria-hidden />
              </button>
            </li>
          ))}
        </ul>
        <input
          {...control}
          ref={input}
          value={text}
          disabled={disabled}
          aria-label={label}
          aria-labelledby={label ? undefined : labelId}
          placeholder={value.length === 0 ? placeholder : undefined}
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          onChange={(event) => setText(event.target.value)}
          onKeyDown={onKeyDown}
          onPaste={onPaste}
          onBlur={() => text.trim() !== '' && add(text)}
          className="min-h-6 min-w-32 flex-1 bg-transparent px-1.5 font-mono text-sm outline-none placeholder:font-sans touch:text-lg"
        />
      </div>
      {wrong.length > 0 && (
        <ul className="mt-1.5 text-sm text-danger">
          {wrong.slice(0, 5).map(({ entry, error }) => (
            <li key={entry} className="wrap-anywhere">
              <code className="font-mono">{entry}</code>: {error}
            </li>
          ))}
          {wrong.length > 5 && <li>{t('tags.moreErrors', { count: wrong.length - 5 })}</li>}
        </ul>
      )}
      <p className="sr-only" aria-live="polite">
        {announcement}
      </p>
    </div>
  );
}
