import { Plus, Trash2 } from 'lucide-react';
import type { ClipboardEvent } from 'react';
import { useTranslations } from 'use-intl';
import { Button, IconButton } from '../../ui/button';
import { Field } from '../../ui/field';
import { TextInput } from '../../ui/text-input';

export type Row = Readonly<Record<string, string>>;

export interface RowsInputProps {
  /** What the rows are together, for screen readers. */
  label: string;
  columns: readonly { readonly name: string; readonly label: string }[];
  rows: readonly Row[];
  onRowsChange: (rows: Row[]) => void;
  /** What is wrong with a cell, in the current language. */
  errorOf?: (row: number, column: string) => string | undefined;
  /** What is wrong with the rows as a whole; stands at the first. */
  error?: string | undefined;
  disabled?: boolean;
}

/** `X-A: 1` lines as cells; undefined for what is one line without a colon. */
function readPairs(text: string): [string, string][] | undefined {
  const lines = text.split(/\r?\n/).filter((line) => line.trim() !== '');
  const pairs = lines.map((line): [string, string] => {
    const at = line.indexOf(':');
    return at < 0 ? [line.trim(), ''] : [line.slice(0, at).trim(), line.slice(at + 1).trim()];
  });
  return lines.length > 1 || lines[0]?.includes(':') ? pairs : undefined;
}

/** Rows of short texts, such as names and values. In two columns, lines of `name: value` can be pasted into the first. */
export function RowsInput({ label, columns, rows, onRowsChange, errorOf, error, disabled }: RowsInputProps) {
  const t = useTranslations('domain.rows');
  const empty: Row = Object.fromEntries(columns.map(({ name }) => [name, '']));
  // An empty list shows a row to begin with, which is none until something is typed.
  const shown = rows.length === 0 ? [empty] : rows;
  const set = (index: number, column: string, text: string) =>
    onRowsChange(shown.map((row, at) => (at === index ? { ...row, [column]: text } : row)));

  function onPaste(event: ClipboardEvent<HTMLInputElement>, index: number) {
    const [first, second] = columns;
    const pairs = columns.length === 2 ? readPairs(event.clipboardData.getData('text')) : undefined;
    if (!pairs || !first || !second || event.currentTarget.value !== '') return;
    event.preventDefault();
    const pasted = pairs.map(([name, value]) => ({ [first.name]: name, [second.name]: value }));
    onRowsChange([...shown.slice(0, index), ...pasted, ...shown.slice(index + 1)]);
  }
  return (
    <fieldset className="flex min-w-0 flex-col gap-2">
      <legend className="sr-only">{label}</legend>
      {shown.map((row, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: rows have no identity but their place
        <div key={index} className="flex items-start gap-2">
          <div className="grid min-w-0 flex-1 gap-2 sm:grid-cols-[9fr_11fr]">
            {columns.map((column, at) => (
              <Field
                key={column.name}
                label={column.label}
                hideLabel={index > 0}
                error={errorOf?.(index, column.name) ?? (index === 0 && at === 0 ? error : undefined)}
              >
                <TextInput
                  mono
                  value={row[column.name] ?? ''}
                  aria-label={t('cell', { label: column.label, number: index + 1 })}
                  placeholder={index > 0 ? column.label : undefined}
                  title={row[column.name] || undefined}
                  autoComplete="off"
                  autoCapitalize="off"
                  spellCheck={false}
                  disabled={disabled}
                  onPaste={at === 0 ? (event) => onPaste(event, index) : undefined}
                  onChange={(event) => set(index, column.name, event.target.value)}
                />
              </Field>
            ))}
          </div>
          <IconButton
            label={t('remove', { number: index + 1 })}
            icon={<Trash2 size={16} aria-hidden />}
            variant="ghost"
            className={index === 0 ? 'mt-7' : undefined}
            disabled={disabled || rows.length === 0}
            onClick={() => onRowsChange(rows.filter((_, at) => at !== index))}
          />
        </div>
      ))}
      <div>
        <Button
          size="sm"
          icon={<Plus size={16} aria-hidden />}
          disabled={disabled}
          onClick={() => onRowsChange([...shown, empty])}
        >
          {t('add')}
        </Button>
      </div>
    </fieldset>
  );
}
