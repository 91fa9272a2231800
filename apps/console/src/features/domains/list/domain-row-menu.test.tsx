// @vitest-environment happy-dom
import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it, vi } from 'vitest';
import { renderDomains } from '../../../domain/testing/render-domains';
import { sampleRoute } from '../../../domain/testing/sample-route';
import DomainRowMenu from './domain-row-menu';

vi.mock('../../../app/api-client', () => ({ api: {}, queryClient: {} }));

it.each([
  ['of a domain that is served', {}, true],
  ['that is paused already', { is_paused: true }, false],
  ['that is off', { status: 'deactivated' as const }, false],
])('the menu of a row %s offers a pause and Under Attack mode: %#', async (_which, change, isOffered) => {
  const onAsk = vi.fn();
  const route = sampleRoute(change);
  await renderDomains(<DomainRowMenu route={route} onAsk={onAsk} />);
  await userEvent.click(screen.getByRole('button', { name: 'Actions for www.example.com' }));
  await screen.findByRole('menuitem', { name: 'Clone' });
  const pause = screen.queryByRole('menuitem', { name: 'Pause protection' });
  const attack = screen.queryByRole('menuitem', { name: 'Under Attack mode' });
  expect([pause !== null, attack !== null]).toEqual([isOffered, isOffered]);
  pause?.click();
  attack?.click();
  expect(onAsk.mock.calls).toEqual(
    isOffered
      ? [
          ['pause', route],
          ['attack', route],
        ]
      : [],
  );
});
