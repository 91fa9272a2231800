import { IMPORT_COLUMNS, IMPORT_HEADERS_REQUIRED } from '@cordon/contract';
import { Download } from 'lucide-react';
import { useLocale, useTranslations } from 'use-intl';
import { downloadBlob, downloadCsv } from '../../app/download';
import { Badge } from '../../ui/badge';
import { Button } from '../../ui/button';
import { Card } from '../../ui/card';
import { templateHeader } from './file/column-headings';
import type { TemplateWords } from './template';

const RULES = ['header', 'empty', 'format', 'status', 'example'] as const;
const required = new Set<string>(IMPORT_HEADERS_REQUIRED);
const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

function useTemplateWords(): TemplateWords {
  const t = useTranslations('imports');
  return {
    locale: useLocale(),
    domainsSheet: t('template.domainsSheet'),
    notesSheet: t('template.notesSheet'),
    notesHeader: [t('guide.column'), t('guide.needed'), t('guide.what')],
    required: t('guide.required'),
    optional: t('guide.optional'),
    about: (column) => t(`columns.${column}.about`),
    rules: RULES.map((rule) => t(`rules.${rule}`)),
    exampleRemark: t('template.remark'),
  };
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
      <dl className="grid gap-x-6 gap-y-3 sm:grid-cols-[max-content_1fr]">
        {IMPORT_COLUMNS.map((column) => (
          <div key={column} className="contents">
            <dt className="flex items-center gap-2">
              <code className="font-mono text-sm font-medium">{templateHeader(column, words.locale)}</code>
              {!required.has(column) && <Badge>{t('guide.optional')}</Badge>}
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
    </Card>
  );
}
