// @vitest-environment happy-dom
import { render, screen } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { FoldingCard } from './folding-card';

const onPhone = (isPhone: boolean) =>
  vi.spyOn(window, 'matchMedia').mockReturnValue({ matches: isPhone } as MediaQueryList);
afterEach(() => vi.restoreAllMocks());

const card = (isOpen?: boolean) => (
  <FoldingCard title="Settings" aside="Instant" isOpen={isOpen ?? false}>
    <p>all of it</p>
  </FoldingCard>
);

it('is an ordinary card where there is room, and stays one when the phone is turned', () => {
  onPhone(false);
  const { rerender } = render(card());
  expect(screen.getByText('all of it').closest('details')).toBeNull();
  onPhone(true);
  rerender(card());
  expect(screen.getByText('all of it').closest('details')).toBeNull();
});

it.each([false, true])('is one line on a phone, with what stands beside its title, unless it is open: %s', (isOpen) => {
  onPhone(true);
  render(card(isOpen));
  expect(screen.getByText('all of it').closest('details')?.open).toBe(isOpen);
  expect(screen.getByText('Instant').closest('summary')).not.toBeNull();
  expect(screen.getByRole('heading', { name: 'Settings' })).toBeTruthy();
});
