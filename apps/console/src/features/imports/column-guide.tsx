import { IMPORT_COLUMNS, IMPORT_COLUMNS_REQUIRED, IMPORT_HEADERS_REQUIRED, type ImportColumn } from '@cordon/contract';
import clsx from 'clsx';
import { Download } from 'lucide-react';
import { useLocale, useTranslations } from 'use-intl';
import { downloadBlob, downloadCsv } from '../../app/download';
import { Button } from '../../ui/button';
import { Card } from '../../ui/card';
import { exampleRow } from './example-row';
import { templateHeader } from './file/column-headings';
import type { TemplateWords } from './template';

const RULES = ['header', 'empty', 'format', 'status', 'example'] as const;
const required = new Set<string>(IMPORT_HEADERS_REQUIRED);
const neverNone = new Set<string>(IMPORT_COLUMNS_REQUIRED);
const neededKey = (column: ImportColumn) =>
  required.has(column) ? 'required' : neverNone.has(column) ? 'optional' : 'orNone';
const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

function useTemplateWords(): TemplateWords {
  const t = useTranslations('imports');
  return {
    locale: useLocale(),
    domainsSheet: t('template.domainsSheet'),
    notesSheet: t('template.notesSheet'),
    notesHeader: [t('guide.column'), t('guide.needed'), t('guide.what')],
    needed: (column) => t(`guide.${neededKey(column)}`),
    about: (column) => t(`columns.${column}.about`),
    rules: RULES.map((rule) => t(`rules.${rule}`)),
    exampleRemark: t('template.remark'),
  };
}

/** The parts of an example's cell, a line each. */
function ExampleParts({ column, text }: { column: ImportColumn; text: string }) {
  return (column === 'remarks' ? [text] : text.split(' ')).map((part) => (
    <span key={part} className="block">
      {part}
    </span>
  ));
}

/** The header row and a row below it, as a file has them; on a phone, which has no room for a row, a line for each column. */
function Example({ words }: { words: TemplateWords }) {
  const t = useTranslations('imports.guide');
  const example = exampleRow(words.exampleRemark);
  return (
    <>
      <dl aria-label={t('example')} className="divide-y divide-line text-sm sm:hidden">
        {IMPORT_COLUMNS.map((column) => (
          <div key={column} className="flex flex-wrap items-baseline justify-between gap-x-3 py-2">
            <dt>
              <code className="block font-mono font-medium">{templateHeader(column, words.locale)}</code>
              <span className="text-muted">{t(neededKey(column))}</span>
            </dt>
            <dd className="font-mono wrap-anywhere">
              <ExampleParts column={column} text={example[column]} />
            </dd>
          </div>
        ))}
      </dl>
      <ExampleTable words={words} example={example} />
    </>
  );
}

function ExampleTable({ words, example }: { words: TemplateWords; example: ReturnType<typeof exampleRow> }) {
  const t = useTranslations('imports.guide');
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls sideways is reached by the keyboard
    <section aria-label={t('example')} tabIndex={0} className="overflow-x-auto phone:hidden">
      <table className="w-full text-left text-sm">
        <thead>
          <tr>
            {IMPORT_COLUMNS.map((column) => (
              <th key={column} scope="col" className="py-2 pr-4 align-top font-medium whitespace-nowrap">
                <code className="block font-mono">{templateHeader(column, words.locale)}</code>
                <span className="font-normal text-muted">{t(neededKey(column))}</span>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          <tr className="border-t border-line">
            {IMPORT_COLUMNS.map((column) => (
              <td
                key={column}
                className={clsx('py-2 pr-4 align-top font-mono', column !== 'remarks' && 'whitespace-nowrap')}
              >
                <ExampleParts column={column} text={example[column]} />
              </td>
            ))}
          </tr>
        </tbody>
      </table>
    </section>
  );
}

/** What to write in which column, and the templates. */
export function ColumnGuide() {
  const t = useTranslations('imports');
  const words = useTemplateWords();
  // What makes the files is loaded when one is wanted.
  const download = async (kind: 'csv' | 'xlsx') => {
    const template = await import('./template');
    const name = t('template.fileName');
    if (kind === 'csv') downloadCsv(`${name}.csv`, template.csvTemplate(words));
    else downloadBlob(`${name}.xlsx`, [template.xlsxTemplate(words)], XLSX);
  };
  return (
    <Card
      title={t('guide.title')}
      description={t('guide.description')}
      actions={
        <>
          <Button icon={<Download size={16} aria-hidden />} onClick={() => void download('xlsx')}>
            {t('template.xlsx')}
          </Button>
          <Button icon={<Download size={16} aria-hidden />} onClick={() => void download('csv')}>
            {t('template.csv')}
          </Button>
        </>
      }
    >
      <Example words={words} />
      <details className="mt-4">
        <summary className="reach font-medium text-primary-ink">{t('guide.rules')}</summary>
        <dl className="mt-3 grid gap-x-6 gap-y-3 sm:grid-cols-[max-content_1fr]">
          {IMPORT_COLUMNS.map((column) => (
            <div key={column} className="contents">
              <dt>
                <code className="font-mono text-sm font-medium">{templateHeader(column, words.locale)}</code>
              </dt>
              <dd className="text-muted phone:mb-1">{t(`columns.${column}.about`)}</dd>
            </div>
          ))}
        </dl>
        <ul className="mt-4 list-disc space-y-1 border-t border-line pt-4 pl-5 text-sm text-muted">
          {RULES.map((rule) => (
            <li key={rule}>{t(`rules.${rule}`)}</li>
          ))}
        </ul>
      </details>
    </Card>
  );
}
