// @vitest-environment happy-dom
import { render, screen } from '@testing-library/react';
import { Suspense } from 'react';
import { expect, it, vi } from 'vitest';
import { loadedPart } from './loaded-part';

const partOf = () => loadedPart(async () => ({ default: ({ name }: { name: string }) => <p>{name}</p> }));
const show = (Part: ReturnType<typeof partOf>) =>
  render(
    <Suspense fallback="loading">
      <Part name="here" />
    </Suspense>,
  );

it('is there at once where it was loaded ahead', async () => {
  const Part = partOf();
  await Part.load();
  show(Part);
  expect(screen.getByText('here')).toBeTruthy();
});

it('loads itself where it was not', async () => {
  show(partOf());
  expect(screen.queryByText('here')).toBeNull();
  expect(await screen.findByText('here')).toBeTruthy();
});

it('is given up where its file does not arrive', async () => {
  vi.useFakeTimers();
  const Part = loadedPart(() => new Promise<{ default: () => null }>(() => {}));
  const failed = vi.fn();
  void Part.load().catch(failed);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(failed).toHaveBeenCalledOnce();
  vi.useRealTimers();
});
