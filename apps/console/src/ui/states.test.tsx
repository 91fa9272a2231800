// @vitest-environment happy-dom
import { act, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { expect, it } from 'vitest';
import { renderWithWords } from '../testing/render-with-words';
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

it('leaves a focus that went elsewhere after a Retry', async () => {
  await retry();
  await userEvent.click(screen.getByLabelText('Search'));
  act(() => setState('there'));
  await screen.findByText('Valid');
  await Promise.resolve();
  expect(document.activeElement).toBe(screen.getByLabelText('Search'));
});
