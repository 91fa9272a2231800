import clsx from 'clsx';
import { X } from 'lucide-react';
import { useTranslations } from 'use-intl';

interface TagProps {
  entry: string;
  error: string | undefined;
  disabled: boolean | undefined;
  onRemove: () => void;
}

/** One entry of a list, with the cross that removes it. */
export function Tag({ entry, error, disabled, onRemove }: TagProps) {
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
        className="grid size-6 shrink-0 place-items-center rounded-[6px] hover:bg-line touch:size-10"
      >
        <X size={12} aria-hidden />
      </button>
    </li>
  );
}

/** Matches that are shown; more are counted. */
const MATCHES_MAX = 50;

interface ListMatchesProps {
  value: readonly string[];
  /** Indexes of the entries that match. */
  matches: readonly number[];
  errorOf: (index: number) => string | undefined;
  disabled: boolean | undefined;
  onRemove: (index: number) => void;
}

/** The entries that a filter finds, in place of the whole list. */
export function ListMatches({ value, matches, errorOf, disabled, onRemove }: ListMatchesProps) {
  const t = useTranslations('ui');
  return (
    <div className="control flex max-h-60 flex-wrap gap-1.5 overflow-y-auto px-1.5! py-1.5!">
      {matches.length === 0 && <p className="px-1.5 text-sm text-muted">{t('tags.noMatch')}</p>}
      <ul className="contents" aria-label={t('tags.matches')}>
        {matches.slice(0, MATCHES_MAX).map((index) => (
          <Tag
            key={index}
            entry={value[index] ?? ''}
            error={errorOf(index)}
            disabled={disabled}
            onRemove={() => onRemove(index)}
          />
        ))}
      </ul>
      {matches.length > MATCHES_MAX && (
        <p className="self-center px-1.5 text-sm text-muted">
          {t('tags.moreErrors', { count: matches.length - MATCHES_MAX })}
        </p>
      )}
    </div>
  );
}
