// @vitest-environment happy-dom
import type { BatchItem } from '@cordon/contract';
import { expect, it } from 'vitest';
import { resultCsv } from './result-file';

const item = (name: string, error: BatchItem['error'] = null, row: number | null = null): BatchItem => ({
  position: 1,
  route_id: null,
  name,
  name_unicode: name,
  row,
  state: error ? 'failed' : 'successful',
  error,
  operation_id: null,
  deployed: null,
  result: null,
});

it('the file tells each result and reason in words, and holds nothing that a spreadsheet runs', () => {
  const failed = { code: 'QUOTA_REACHED', message: 'x', fields: {}, params: {} };
  const csv = resultCsv([item('a.example'), item('=HYPERLINK("http://x")'), item('b.example', failed)], {
    header: ['域名', '结果', '原因'],
    row: '行',
    stateOf: ({ state }) => (state === 'failed' ? '失败' : '成功'),
    reasonsOf: ({ error }) => (error ? ['名额不足', '请升级, 或删除'] : []),
  });
  expect(csv.split('\r\n')).toEqual([
    '域名,结果,原因',
    'a.example,成功,',
    `"'=HYPERLINK(""http://x"")",成功,`,
    'b.example,失败,"名额不足 请升级, 或删除"',
  ]);
});

it('the file of an import says which row of the imported file each was', () => {
  const csv = resultCsv([item('a.example', null, 2), item('b.example', null, 14)], {
    header: ['Domain', 'Result', 'Reason'],
    row: 'Row',
    stateOf: () => 'successful',
    reasonsOf: () => [],
  });
  expect(csv.split('\r\n')).toEqual([
    'Row,Domain,Result,Reason',
    '2,a.example,successful,',
    '14,b.example,successful,',
  ]);
});
