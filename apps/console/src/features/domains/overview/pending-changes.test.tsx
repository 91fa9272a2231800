// @vitest-environment happy-dom
import type { Route } from '@cordon/contract';
import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { expect, it, vi } from 'vitest';
import { renderDomains } from '../../../domain/testing/render-domains';
import { sampleConfig, sampleRoute, sampleSuspension } from '../../../domain/testing/sample-route';
import PendingChanges from './pending-changes';

vi.mock('../../../app/api-client', () => ({ api: {}, queryClient: {} }));

const changed = { pending_changes: 1, draft: sampleConfig(['192.0.2.99']) };

it('names what the draft changes, and deploys or discards it', async () => {
  const onAsk = vi.fn();
  await renderDomains(<PendingChanges route={sampleRoute(changed)} onAsk={onAsk} />);
  expect(screen.getByRole('region', { name: 'Pending changes' }).textContent).toContain(
    '1 pending change · not live Origins',
  );
  await userEvent.click(screen.getByRole('button', { name: 'Review and deploy' }));
  await userEvent.click(screen.getByRole('button', { name: 'Discard' }));
  expect(onAsk.mock.calls).toEqual([['deploy'], ['discard']]);
});

it('offers no deploy that would be refused', async () => {
  await renderDomains(
    <PendingChanges route={sampleRoute({ ...changed, suspension: sampleSuspension() })} onAsk={vi.fn()} />,
  );
  expect(screen.getByRole('region', { name: 'Pending changes' })).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Review and deploy' })).toBeNull();
});

it('names four of many changes, and counts the others', async () => {
  const names = ['one', 'two', 'three', 'four', 'five', 'six'];
  const draft = { ...sampleConfig(), plugins: names.map((name) => ({ name, enabled: true, config: {} })) };
  await renderDomains(<PendingChanges route={sampleRoute({ pending_changes: 6, draft })} onAsk={vi.fn()} />);
  const text = screen.getByRole('region', { name: 'Pending changes' }).textContent;
  expect(text).toMatch(/^.*6 pending changes · not live (\S+ · ){3}\S+ and 2 more/);
});

it('breaks no line within the time', async () => {
  const draft_updated_at = new Date(Date.now() - 3 * 60_000).toISOString();
  await renderDomains(<PendingChanges route={sampleRoute({ ...changed, draft_updated_at })} onAsk={vi.fn()} />);
  expect(screen.getByRole('region', { name: 'Pending changes' }).textContent).toContain('3\u00a0minutes\u00a0ago');
});

function Place({ change }: { change: Partial<Route> }) {
  const [isOver, setOver] = useState(false);
  return (
    <>
      <PendingChanges route={sampleRoute(isOver ? change : changed)} onAsk={vi.fn()} />
      <button type="button" onClick={() => setOver(true)}>
        over
      </button>
    </>
  );
}

it('keeps its place, and says there what is live', async () => {
  await renderDomains(<Place change={{ version_live: 8 }} />);
  await userEvent.click(screen.getByRole('button', { name: 'over' }));
  expect(screen.getByRole('region', { name: 'Pending changes' }).textContent).toBe('Version 8 is live');
});

it('leaves it to the notice to tell that they were discarded', async () => {
  await renderDomains(<Place change={{ version_live: 7 }} />);
  await userEvent.click(screen.getByRole('button', { name: 'over' }));
  expect(screen.queryByRole('region', { name: 'Pending changes' })).toBeNull();
});
