// @vitest-environment happy-dom
import type { Trace, TraceStepRow } from '@cordon/contract';
import { screen } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { needCatalogs } from '../../../app/intl-store';
import { renderDomains } from '../../../domain/testing/render-domains';
import { ROUTE_ID, sampleRoute } from '../../../domain/testing/sample-route';
import { TracePipeline } from './trace-pipeline';
import type { LoggedRequest } from './trace-values';

vi.mock('../../../app/api-client', () => ({ api: {}, queryClient: {} }));

const step = (change: Partial<TraceStepRow>): TraceStepRow => ({
  step: 'plugin',
  plugin: 'ban',
  outcome: 'block',
  status: 403,
  reason: 'banned',
  rule: '4.4.0.0/16',
  detail: '',
  location: '',
  ...change,
});
async function show(...steps: readonly TraceStepRow[]) {
  await needCatalogs('diagnosis');
  await renderDomains(<TracePipeline trace={traceOf(steps)} route={sampleRoute()} />);
}
const traceOf = (steps: readonly TraceStepRow[], version: number | null = 7) =>
  ({ version, answer: { kind: 'block', status: 403 }, steps }) as unknown as Trace;

it('leads from the step that refuses a banned visitor to the ban', async () => {
  await show(step({}));
  const link = screen.getByRole<HTMLAnchorElement>('link', { name: 'Show the ban' });
  const { pathname, searchParams } = new URL(link.href);
  expect([pathname, ...searchParams]).toEqual(['/manage-ip', ['domain', ROUTE_ID], ['q', '4.4.0.0/16']]);
});

it('leads to no ban from steps that let the visitor go on, or refuse for another reason', async () => {
  await show(
    step({ outcome: 'pass', status: null, reason: '', rule: '' }),
    step({ plugin: 'ip-restriction', reason: 'denied_address' }),
  );
  expect(screen.getAllByRole('link', { name: 'Settings' })).toHaveLength(2);
  expect(screen.queryByRole('link', { name: 'Show the ban' })).toBeNull();
});

it.each([
  ['en', 7, /^What happened at/, 'Blocked with status 429', 'What the live configuration would do now'],
  ['en', 6, /^What happened at/, 'Blocked with status 429', 'What version 6 would do now'],
  ['en', null, /^What happened at/, 'Blocked with status 429', 'What the draft would do now'],
  ['zh', 7, /的实际情况$/, '被拦截，状态码 429', '当前线上配置现在会如何处理'],
] as const)(
  'is headed in %s by what happened to a logged request, then says whose the replay is (%s)',
  async (...row) => {
    const [locale, version, at, happened, replay] = row;
    await needCatalogs('diagnosis');
    const logged = { time: '2026-11-20T10:00:00Z', action: 'block', status: 429 } as LoggedRequest;
    await renderDomains(
      <TracePipeline trace={traceOf([step({})], version)} route={sampleRoute()} logged={logged} />,
      locale,
    );
    const texts = [
      screen.getByText(at),
      screen.getByText(happened),
      screen.getByText(replay),
      screen.getByRole('status'),
    ];
    const inOrder = texts.toSorted((left, right) =>
      left.compareDocumentPosition(right) & Node.DOCUMENT_POSITION_FOLLOWING ? -1 : 1,
    );
    expect(inOrder).toEqual(texts);
    expect(screen.getByText(happened).className).toContain('text-danger');
    expect(screen.getByRole('status').className).not.toContain('text-danger');
  },
);

it('shows the values of header fields that a plugin sets, but none that signs somebody in', async () => {
  const fields = [
    { name: 'X-Environment', value: 'production' },
    { name: 'Authorization', value: null },
  ];
  const change = {
    plugin: 'custom-header',
    outcome: 'changes',
    status: null,
    reason: 'origin_fields',
    rule: '',
  } as const;
  await show(step({ ...change, detail: 'X-Environment, Authorization', fields }));
  expect(screen.getByText('Your origin gets these headers:')).toBeTruthy();
  expect(screen.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual(
    expect.arrayContaining(['X-Environment: production', 'Authorization: hidden here']),
  );
});
