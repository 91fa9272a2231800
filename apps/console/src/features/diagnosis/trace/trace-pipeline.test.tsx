// @vitest-environment happy-dom
import type { Trace, TraceStepRow } from '@cordon/contract';
import { screen } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { needCatalogs } from '../../../app/intl-store';
import { renderDomains } from '../../../domain/testing/render-domains';
import { ROUTE_ID } from '../../../domain/testing/sample-route';
import { TracePipeline } from './trace-pipeline';

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
  const trace = { answer: { kind: 'block', status: 403 }, steps } as unknown as Trace;
  await renderDomains(<TracePipeline trace={trace} routeId={ROUTE_ID} />);
}

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
