// @vitest-environment happy-dom
import { screen } from '@testing-library/react';
import type { ReactNode } from 'react';
import { afterEach, expect, it, vi } from 'vitest';
import { renderWithWords } from '../testing/render-with-words';
import { Dialog } from './dialog';

afterEach(() => vi.restoreAllMocks());

function show(height: number, children: ReactNode) {
  vi.spyOn(HTMLElement.prototype, 'scrollHeight', 'get').mockReturnValue(height);
  vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(100);
  renderWithWords(
    <Dialog open onOpenChange={() => {}} title="Keys">
      {children}
    </Dialog>,
  );
  return screen.getByTestId('content').parentElement?.getAttribute('tabindex');
}

it('takes the focus where what scrolls holds nothing that would', () => {
  expect(show(500, <p data-testid="content">Words</p>)).toBe('0');
});

it('is no stop of its own where it holds one', () => {
  expect(
    show(
      500,
      <p data-testid="content">
        <button type="button">Press</button>
      </p>,
    ),
  ).toBeNull();
});

it('is no stop of its own where it need not scroll', () => {
  expect(show(80, <p data-testid="content">Words</p>)).toBeNull();
});
