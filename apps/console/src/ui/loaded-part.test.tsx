// @vitest-environment happy-dom
import { render, screen } from '@testing-library/react';
import { Suspense } from 'react';
import { expect, it } from 'vitest';
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
