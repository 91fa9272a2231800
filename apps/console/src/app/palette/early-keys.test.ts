// @vitest-environment happy-dom
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { awaitPalette, takeEarlyKeys } from './early-keys';

beforeEach(() => {
  document.body.innerHTML = '<input>';
  document.querySelector('input')?.focus();
});
afterEach(() => void takeEarlyKeys());
const field = () => document.querySelector('input')?.value;

it('keeps what is typed before the palette is there, in place of the field that had the focus', async () => {
  awaitPalette();
  await userEvent.keyboard('shop');
  expect(field()).toBe('');
  expect(takeEarlyKeys()).toBe('shop');
  await userEvent.keyboard('now');
  expect(field()).toBe('now');
});

it('leaves the keyboard alone once it was given up', async () => {
  awaitPalette();
  await userEvent.keyboard('sh{Escape}now');
  expect(field()).toBe('now');
  expect(takeEarlyKeys()).toBe('');
});
