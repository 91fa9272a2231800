// @vitest-environment happy-dom
import type { Route } from '@cordon/contract';
import { act, screen } from '@testing-library/react';
import { useState } from 'react';
import { expect, it } from 'vitest';
import { renderDomains } from '../../../domain/testing/render-domains';
import { sampleRoute } from '../../../domain/testing/sample-route';
import { ShadowDomainProgress } from './shadow-domain-progress';

type Operation = NonNullable<Route['immediate_operation']>;
const operation = (id: string, state: Operation['state']): Operation =>
  ({ ...sampleRoute().operation, id, action: 'promote_shadow', state, error: null }) as Operation;

/** The page hears of another state. */
let hear = (_: Operation): void => {};

function Page({ first }: { first: Operation }) {
  const [current, setCurrent] = useState(first);
  hear = (next) => act(() => setCurrent(next));
  return <ShadowDomainProgress route={sampleRoute({ immediate_operation: current })} />;
}

it('tells of a change that was with every node before the page heard that it runs', async () => {
  await renderDomains(<Page first={operation('1', 'successful')} />);
  hear(operation('2', 'successful'));
  expect(await screen.findAllByText('Promoted successfully')).toHaveLength(1);
});

it('tells of a change that was seen running, once, and of none that had ended before', async () => {
  await renderDomains(<Page first={operation('1', 'successful')} />);
  hear(operation('1', 'successful'));
  expect(screen.queryByText('Promoted successfully')).toBeNull();
  hear(operation('2', 'running'));
  expect(await screen.findByText('Promoting…')).toBeTruthy();
  hear(operation('2', 'successful'));
  hear(operation('2', 'successful'));
  expect(await screen.findAllByText('Promoted successfully')).toHaveLength(1);
});
