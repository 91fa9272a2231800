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

it('keeps what is pasted before the palette is there, in its place among what is typed', async () => {
  awaitPalette();
  await userEvent.keyboard('a');
  await userEvent.paste('5f1c0b7e9a3d4c2188e6f0a1b2c3d4e5');
  await userEvent.keyboard('b');
  expect(field()).toBe('');
  expect(takeEarlyKeys()).toBe('a5f1c0b7e9a3d4c2188e6f0a1b2c3d4e5b');
  await userEvent.paste('now');
  expect(field()).toBe('now');
});

it.each([
  ['Escape', () => userEvent.keyboard('{Escape}')],
  ['a press elsewhere', () => userEvent.click(document.querySelector('input') as HTMLElement)],
])('leaves the keyboard alone once it was given up by %s', async (_, giveUp) => {
  awaitPalette();
  await userEvent.keyboard('sh');
  await giveUp();
  await userEvent.keyboard('now');
  await userEvent.paste('2');
  expect(field()).toBe('now2');
  expect(takeEarlyKeys()).toBe('');
});

it('leaves the keyboard alone once the focus goes on by Tab', async () => {
  document.body.append(document.createElement('textarea'));
  awaitPalette();
  await userEvent.keyboard('sh{Tab}now');
  expect(document.querySelector('textarea')?.value).toBe('now');
});

it('leaves alone what goes with Control or Command: a browser’s own', async () => {
  const heard: string[] = [];
  const hear = (event: KeyboardEvent) => heard.push(event.key);
  document.addEventListener('keydown', hear);
  awaitPalette();
  await userEvent.keyboard('s{Control>}c{/Control}{Meta>}v{/Meta}h');
  document.removeEventListener('keydown', hear);
  expect(heard).toEqual(['Control', 'c', 'Meta', 'v']);
  expect(takeEarlyKeys()).toBe('sh');
});

it('keeps nothing of keys that write nothing, and nothing from one time to the next', async () => {
  awaitPalette();
  await userEvent.keyboard('a{Shift}{ArrowLeft}{Backspace}b');
  expect(takeEarlyKeys()).toBe('ab');
  expect(takeEarlyKeys()).toBe('');
});
