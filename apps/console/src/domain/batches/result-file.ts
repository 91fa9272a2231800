import { type BatchItem, PAGE_SIZE_MAX } from '@cordon/contract';
import Papa from 'papaparse';
import { api } from '../../app/api-client';
import { joinSentences } from '../../ui/sentences';

/** Words of the file, in the customer's language. */
export interface ResultWords {
  readonly header: readonly [name: string, result: string, reason: string];
  /** Heads the row of an imported file. */
  readonly row: string;
  readonly stateOf: (item: BatchItem) => string;
  /** Why an item failed, one line per reason. */
  readonly reasonsOf: (item: BatchItem) => readonly string[];
}

async function readItems(batchId: string): Promise<BatchItem[]> {
  const items: BatchItem[] = [];
  for (let page = 1; ; page++) {
    const { results, count } = await api.listBatchItems({
      params: { id: batchId },
      query: { page, perpage: PAGE_SIZE_MAX },
    });
    items.push(...results);
    if (results.length === 0 || items.length >= count) return items;
  }
}

/** Lines of the file. What a spreadsheet would run as a formula gets a leading apostrophe. */
export function resultCsv(items: readonly BatchItem[], words: ResultWords): string {
  const hasRows = items.some(({ row }) => row !== null);
  const withRow = (row: string | number | null, cells: readonly string[]) => (hasRows ? [row, ...cells] : [...cells]);
  const lines = items.map((item) =>
    withRow(item.row, [item.name, words.stateOf(item), joinSentences(words.reasonsOf(item))]),
  );
  return Papa.unparse([withRow(words.row, words.header), ...lines], { newline: '\r\n', escapeFormulae: true });
}

/** What became of each domain of a batch, in the customer's language. */
export const readResultCsv = async (batchId: string, words: ResultWords): Promise<string> =>
  resultCsv(await readItems(batchId), words);
