// @vitest-environment happy-dom
import { render } from '@testing-library/react';
import { expect, it } from 'vitest';
import { MiniChart } from './mini-chart';

const linesOf = (values: number[], isLastPartial: boolean, top = 0, before = 0) => {
  const shared = { tone: 'primary', top, before, isLastPartial } as const;
  const { container } = render(<MiniChart values={values} {...shared} />);
  return [...container.querySelectorAll('path[stroke]')].map((line) => [
    line.getAttribute('d'),
    line.getAttribute('stroke-dasharray'),
  ]);
};

it('draws the way to what is still being counted dashed, joined to the rest', () => {
  expect(linesOf([0, 0, 5], true)).toEqual([
    ['M0 23.00L1 23.00', null],
    ['M1 23.00L2 1.00', '3 3'],
  ]);
  expect(linesOf([0, 0, 5], false)).toEqual([['M0 23.00L1 23.00L2 1.00', null]]);
});

it('is as high as what is given as its top, or as the largest value', () => {
  expect(linesOf([0, 5], false, 10)).toEqual([['M0 23.00L1 12.00', null]]);
  expect(linesOf([0, 20], false, 10)).toEqual([['M0 23.00L1 1.00', null]]);
});

it('begins where its first value is, and is no wider where that is alone', () => {
  expect(linesOf([0, 5], false, 0, 2)).toEqual([['M2 23.00L3 1.00', null]]);
  expect(linesOf([5], false, 0, 3)).toEqual([['M2.5 1.00L3 1.00', null]]);
});
