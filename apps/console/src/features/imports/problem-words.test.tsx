// @vitest-environment happy-dom
import { screen } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { renderDomains } from '../../domain/testing/render-domains';
import { readFile } from './file/read-file';
import { FileProblem } from './file/sheet';
import { useFileProblemWords, useRowProblemWords } from './problem-words';
import { readTable } from './read-table';
import { TableState } from './table-state';

vi.mock('../../app/api-client', () => ({ api: {}, queryClient: {} }));

const HEADER = 'domain_name,protocol,upstreams,status,remarks';
/** What the screen says about a file, as a whole or cell by cell. */
function Told({ text }: { text: string }) {
  const fileWords = useFileProblemWords();
  const rowWords = useRowProblemWords();
  try {
    const state = new TableState(readTable(readFile(new TextEncoder().encode(text))));
    const { rows } = state.view({ onlyErrors: true, page: 1, perPage: 9 });
    return rows.flatMap(({ problems }) => problems.map((problem) => <p key={problem.code}>{rowWords(problem)}</p>));
  } catch (problem) {
    if (problem instanceof FileProblem) return fileWords(problem);
    throw problem;
  }
}

describe.each(['en', 'zh'] as const)('the rules of import files (specification section 5), in %s', (locale) => {
  it.each([
    ['', 'The file is empty: there are no rows', '文件为空：表头下没有任何行'],
    [HEADER, 'The file is empty: there are no rows', '文件为空：表头下没有任何行'],
    ['a.example,http,1.1.1.1,running,-', 'The header row is missing', '缺少表头行'],
    ['domain_name,status\na.example,running', 'is missing: Protocol and Upstreams', '缺少：协议和源站'],
    [`${HEADER}\na.example,http,1.1.1.1,running,`, 'No cell may be empty', '单元格不能为空'],
    [`${HEADER}\na.example,http,1.1.1.1,live,-`, 'Choose running or deactivated', '请选择 running 或 deactivated'],
    [
      `${HEADER}\na.example,ftp,1.1.1.1,running,-`,
      'Choose http, https or http_https',
      '请选择 http、https 或 http_https',
    ],
    [
      `${HEADER}\na.example,http,0.0.0.0/0,running,-`,
      '0.0.0.0/0: A /0 mask is not allowed',
      '0.0.0.0/0：不允许 /0 掩码',
    ],
    [`${HEADER}\na.example,http,1.1.1.1,running,-,x`, 'The row has more cells than the header', '此行的单元格多于表头'],
  ])('%j', async (text, en, zh) => {
    await renderDomains(<Told text={text} />, locale);
    expect(screen.getByTestId('here').textContent).toContain(locale === 'en' ? en : zh);
  });
});
