// @vitest-environment happy-dom
import { render } from '@testing-library/react';
import { beforeEach, expect, it, vi } from 'vitest';
import { LastHeight } from './last-height';
import { readSizes } from './list-sizes';

let measured: (() => void)[] = [];
beforeEach(() => {
  localStorage.clear();
  measured = [];
  vi.stubGlobal(
    'ResizeObserver',
    class {
      constructor(measure: () => void) {
        measured.push(measure);
      }
      observe() {}
      disconnect() {}
    },
  );
});

const placeOf = (isPending: boolean) =>
  render(
    <LastHeight name="banner" isPending={isPending} skeleton={<i>skeleton</i>}>
      <p>content</p>
    </LastHeight>,
  ).container;

it('keeps the place as high as what was shown last', () => {
  expect(placeOf(true).textContent).toBe('skeleton');
  expect(readSizes()).toEqual({});
  const shown = placeOf(false);
  expect(shown.textContent).toBe('content');
  Object.defineProperty(shown.firstElementChild, 'offsetHeight', { value: 132 });
  for (const measure of measured) measure();
  expect(readSizes()).toEqual({ banner: 132 });
  expect((placeOf(true).firstElementChild as HTMLElement).style.height).toBe('132px');
});
