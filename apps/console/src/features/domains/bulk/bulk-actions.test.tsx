// @vitest-environment happy-dom
import { screen, within } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { renderDomains } from '../../../domain/testing/render-domains';
import { sampleRoute } from '../../../domain/testing/sample-route';
import BulkActions from './bulk-actions';
import { canResume } from './picked';

vi.mock('../../../app/api-client', () => ({ api: {}, queryClient: {} }));

it.each([
  ['en', 1800, undefined],
  ['en', 1801, 'Selected names can total 1,800 characters'],
  ['zh', 1801, '所选域名合计最多 1,800 个字符'],
] as const)('in %s, a selection of %i characters', async (locale, length, words) => {
  const picked = { names: new Map([['x', 'n'.repeat(length)]]), isAllMatching: false };
  await renderDomains(
    <BulkActions
      picked={picked}
      rows={[]}
      filter={{}}
      all={1}
      matching={undefined}
      onSelectAllMatching={vi.fn()}
      onStarted={vi.fn()}
    />,
    locale,
  );
  const bar = within(screen.getByTestId('here'));
  expect(bar.queryByRole('alert')?.textContent?.includes(words ?? '')).toBe(words === undefined ? undefined : true);
  for (const button of bar.getAllByRole('button'))
    expect((button as HTMLButtonElement).disabled).toBe(words !== undefined);
});

it('offers to resume only where something may be off', async () => {
  const rows = [sampleRoute({ id: 'on' }), sampleRoute({ id: 'off', status: 'deactivated' })];
  const of = (...ids: string[]) => ({ names: new Map(ids.map((id) => [id, id])), isAllMatching: false });
  expect([of('on'), of('on', 'off'), of('on', 'elsewhere')].map((picked) => canResume(picked, rows))).toEqual([
    false,
    true,
    true,
  ]);
  await renderDomains(
    <BulkActions
      picked={of('on')}
      rows={rows}
      filter={{}}
      all={1}
      matching={undefined}
      onSelectAllMatching={vi.fn()}
      onStarted={vi.fn()}
    />,
  );
  expect(screen.getByRole('button', { name: 'Deactivate' })).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Resume' })).toBeNull();
});

it.each([
  [10, undefined],
  [58, 'Room for about 2 more'],
  [60, 'No room for more'],
])('with %i names of 30 characters says how many more there is room for', async (count, words) => {
  const names = new Map(Array.from({ length: count }, (_, index) => [`${index}`, 'n'.repeat(30)]));
  await renderDomains(
    <BulkActions
      picked={{ names, isAllMatching: false }}
      rows={[]}
      filter={{}}
      all={count}
      matching={undefined}
      onSelectAllMatching={vi.fn()}
      onStarted={vi.fn()}
    />,
  );
  const bar = screen.getByTestId('here');
  expect(/(no )?room for[a-z0-9 ]*more/i.exec(bar.textContent ?? '')?.[0]).toBe(words);
  expect(bar.textContent).not.toContain('characters');
});
