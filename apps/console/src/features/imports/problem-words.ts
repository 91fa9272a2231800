import type { ImportColumn } from '@cordon/contract';
import { useTranslations } from 'use-intl';
import { useCodeWords } from '../../domain/words/error-words';
import { useFormat } from '../../ui/format';
import type { FileProblem } from './file/sheet';
import type { RowProblem } from './table-state';

/** What a file cannot be read for, in words. */
export function useFileProblemWords(): (problem: FileProblem) => string {
  const t = useTranslations('imports');
  const format = useFormat();
  const columnWords = (names: string) =>
    format.list(names.split(' ').map((column) => t(`columns.${column as ImportColumn}.name`)));
  return ({ code, params }) => {
    const { columns, column, ...rest } = params;
    return t(`file.${code}`, {
      row: 0,
      maximum: 0,
      letters: '',
      ...rest,
      columns: columnWords(String(columns ?? column ?? 'domain_name')),
    });
  };
}

/** What is wrong with a row or a cell, in words. */
export function useRowProblemWords(): (problem: RowProblem) => string {
  const t = useTranslations('imports.cell');
  const codeWords = useCodeWords();
  return ({ code, params }) => {
    if (code === 'IMPORT_CELL_FORMAT' || code === 'IMPORT_CELL_FORMULA' || code === 'IMPORT_EXTRA_CELLS')
      return t(code);
    if (code === 'QUOTA_REACHED') return t('quota');
    const words = codeWords(code, params);
    return params?.target === undefined ? words : t('target', { target: String(params.target), words });
  };
}
