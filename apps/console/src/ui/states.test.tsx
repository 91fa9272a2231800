// @vitest-environment happy-dom
import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { expect, it } from 'vitest';
import { renderWithWords } from '../testing/render-with-words';
import { setAway } from './away';
import { ErrorState, Skeleton } from './states';

let setState: (next: 'failed' | 'loading' | 'there') => void;

function Part() {
  const [state, set] = useState<'failed' | 'loading' | 'there'>('failed');
  setState = set;
  return (
    <main>
      <h1 tabIndex={-1}>Domains</h1>
      <section>
        <h2>Certificate</h2>
        {state === 'failed' && <ErrorState reasons={['Out of reach']} onRetry={() => set('loading')} />}
        {state === 'loading' && <Skeleton />}
        {state === 'there' && <p>Valid</p>}
      </section>
      <input aria-label="Search" />
    </main>
  );
}

async function retry() {
  renderWithWords(<Part />);
  await userEvent.click(screen.getByRole('button', { name: 'Retry' }));
  expect(document.activeElement).toBe(document.body);
}

it.each([
  ['there', 'heading', 'Certificate'],
  ['failed', 'button', 'Retry'],
] as const)('leads the focus of a Retry, once that has %s, to the %s', async (state, role, name) => {
  await retry();
  act(() => setState(state));
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole(role, { name })));
});

function CardGone({ hasGone }: { hasGone: boolean }) {
  return (
    <main>
      <h1 tabIndex={-1}>Domains</h1>
      <section>
        <h2>Clear cache</h2>
        {!hasGone && (
          <section aria-label="Scheduled">
            <div>
              <ErrorState reasons={['Out of reach']} onRetry={() => {}} />
            </div>
          </section>
        )}
      </section>
    </main>
  );
}

it('leads the focus of a Retry that went with all that was around it to the heading of what is left', async () => {
  const { rerender } = renderWithWords(<CardGone hasGone={false} />);
  await userEvent.click(screen.getByRole('button', { name: 'Retry' }));
  rerender(<CardGone hasGone />);
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('heading', { name: 'Clear cache' })));
});

it('leaves a focus that went elsewhere after a Retry', async () => {
  await retry();
  await userEvent.click(screen.getByLabelText('Search'));
  act(() => setState('there'));
  await screen.findByText('Valid');
  await Promise.resolve();
  expect(document.activeElement).toBe(screen.getByLabelText('Search'));
});

it('leaves reason and Retry of a screen, not of a dialog, to the line above while that says that nothing answers', () => {
  const failed = <ErrorState isOffline title="No list" reasons={['Out of reach']} onRetry={() => {}} />;
  renderWithWords(
    <>
      <main id="main">{failed}</main>
      <div role="dialog">{failed}</div>
    </>,
  );
  expect(screen.getAllByText('Out of reach')).toHaveLength(2);
  act(() => setAway(true));
  expect(screen.getAllByText('No list')).toHaveLength(2);
  expect(within(screen.getByRole('dialog')).getByText('Out of reach')).toBeDefined();
  expect(screen.getAllByText('Out of reach')).toHaveLength(1);
  expect(screen.getAllByRole('button', { name: 'Retry' })).toHaveLength(1);
  act(() => setAway(false));
  expect(screen.getAllByText('Out of reach')).toHaveLength(2);
});

it('has Retry before where more can be found out', () => {
  const help = { href: '#/pages/test', label: 'Self-test' };
  renderWithWords(<ErrorState reasons={['Out of reach']} onRetry={() => {}} help={help} />);
  const retryButton = screen.getByRole('button', { name: 'Retry' });
  const after = retryButton.compareDocumentPosition(screen.getByRole('link', { name: 'Self-test' }));
  expect(after).toBe(Node.DOCUMENT_POSITION_FOLLOWING);
});

it('says of a line why it failed as wide as there is room, so that it stays as high as its skeleton', () => {
  renderWithWords(<ErrorState isLine title="Tasks" reasons={['Out of reach']} onRetry={() => {}} />);
  const reason = screen.getByText('Out of reach');
  for (const element of [reason, reason.parentElement]) expect(element?.className).not.toContain('max-w');
});
