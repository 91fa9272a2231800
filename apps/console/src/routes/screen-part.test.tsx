// @vitest-environment happy-dom
import { act, render, screen } from '@testing-library/react';
import { Suspense } from 'react';
import { expect, it, vi } from 'vitest';
import { screenPart } from './screen-part';

const needed = vi.hoisted(() => ({ names: [] as string[], arrive: () => {} }));
vi.mock('../app/intl-store', async (original) => ({
  ...(await original<object>()),
  needCatalogs: (...names: string[]) => {
    needed.names = names;
    return new Promise<void>((resolve) => {
      needed.arrive = resolve;
    });
  },
}));

const Greeting = () => <p>hello</p>;

it('is drawn when its words have arrived, not before', async () => {
  const Screen = screenPart(async () => ({ Greeting }), 'Greeting', 'domain', 'health');
  await act(async () => {
    render(
      <Suspense fallback="wait">
        <Screen />
      </Suspense>,
    );
  });
  expect(needed.names).toEqual(['domain', 'health']);
  expect(screen.queryByText('hello')).toBeNull();
  await act(async () => needed.arrive());
  expect(screen.getByText('hello')).toBeDefined();
});
