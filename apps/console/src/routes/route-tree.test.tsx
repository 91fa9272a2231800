// @vitest-environment happy-dom
import type { AnyRoute } from '@tanstack/react-router';
import { render, screen } from '@testing-library/react';
import { IntlProvider } from 'use-intl';
import { expect, it } from 'vitest';
import { PendingScreen } from '../app/shell/pending-screen';
import { routeTree } from './route-tree';

const childrenOf = (route: AnyRoute) => Object.values((route.children ?? []) as AnyRoute[]);

it('draws only the content of a screen within the shell while it is loaded', () => {
  const shell = childrenOf(routeTree).find(({ options }) => 'id' in options && options.id === 'shell') as AnyRoute;
  const screens = childrenOf(shell);
  expect(screens.length).toBeGreaterThan(7);
  const [Pending, ...others] = new Set(screens.map(({ options }) => options.pendingComponent));
  expect(others).toEqual([]);
  expect(Pending).not.toBe(PendingScreen);
  if (!Pending) throw new Error('a screen without an outline');
  render(
    <IntlProvider locale="en" messages={{ shell: { loading: 'Loading' } } as never}>
      <Pending />
    </IntlProvider>,
  );
  expect(screen.getByRole('status', { name: 'Loading' }).querySelectorAll('.skeleton')).toHaveLength(3);
  // Neither a frame of its own nor its place beside a sidebar.
  expect(document.body.innerHTML).not.toMatch(/fixed|border|pl-64/);
});
