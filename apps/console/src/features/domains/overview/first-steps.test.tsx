// @vitest-environment happy-dom
import type { Route } from '@cordon/contract';
import { screen } from '@testing-library/react';
import { beforeEach, expect, it, vi } from 'vitest';
import { renderDomains } from '../../../domain/testing/render-domains';
import { sampleConfig, sampleRoute, sampleSubscription } from '../../../domain/testing/sample-route';
import { FirstSteps, stepsOf } from './first-steps';
import { HealthCard } from './health-card';

const { useSubscriptions } = vi.hoisted(() => ({ useSubscriptions: vi.fn() }));
vi.mock('../../../app/subscriptions', () => ({ useSubscriptions }));
vi.mock('../../../app/api-client', () => ({ api: {}, queryClient: {} }));

const withNames = (domains: number) => ({ subscriptions: [{ ...sampleSubscription(), usage: { domains } }] });
beforeEach(() => useSubscriptions.mockReturnValue(withNames(1)));
const guarded = {
  ...sampleConfig(),
  plugins: [{ name: 'ip-restriction', enabled: true, config: {} }],
};

it('goes from a name to its protection', () => {
  const done = (route?: Parameters<typeof stepsOf>[0]) => stepsOf(route).map(({ state }) => state === 'done');
  expect(done()).toEqual([false, false, false, false]);
  const { ownership } = sampleRoute();
  expect(done(sampleRoute({ last_deployed: null, ownership: { ...ownership, state: 'pending' } }))).toEqual([
    true,
    false,
    false,
    false,
  ]);
  expect(done(sampleRoute())).toEqual([true, true, true, false]);
  // A name that was proved once, and has no record any more, points nowhere.
  const astray = { check: 'ownership', state: 'error', finding: 'proved_but_no_record', params: {} } as const;
  const health = {
    state: 'error',
    findings: [{ ...astray, advice: 'add_cname', since: null }],
    looked_at: null,
  } as const;
  expect(done(sampleRoute({ health: { ...health, findings: [...health.findings] } }))).toEqual([
    true,
    true,
    false,
    false,
  ]);
  // A draft protects nothing yet.
  expect(done(sampleRoute({ draft: guarded }))).toEqual([true, true, true, false]);
  expect(done(sampleRoute({ live: guarded }))).toEqual([true, true, true, true]);
});

it.each([
  ['running', 1, 'open'],
  ['failed', 1, 'open'],
  ['successful', 1, 'done'],
  ['running', 2, 'done'],
] as const)('takes a deploy that is %s, of version %i, for %s', (state, version_live, expected) => {
  const operation = { id: 'x', action: 'deploy', state, started_at: '', finished_at: null, error: null } as const;
  expect(stepsOf(sampleRoute({ operation, version_live })).find(({ id }) => id === 'deploy')?.state).toBe(expected);
});

it('counts as done only what somebody did: the demo asks for no DNS, and says so', async () => {
  const { ownership } = sampleRoute();
  const route = sampleRoute({ ownership: { ...ownership, method: 'demo' } });
  expect(stepsOf(route).map(({ state }) => state)).toEqual(['done', 'done', 'needless', 'open']);
  await renderDomains(<FirstSteps route={route} />);
  const step = screen.getByText('not needed in the demo').closest('li');
  expect(step?.textContent).not.toContain('(done)');
  expect(step?.getAttribute('aria-current')).toBeNull();
  expect(screen.getByText('Set up protection').closest('li')?.getAttribute('aria-current')).toBe('step');
});

it('offers the next step, and is gone when all are done', async () => {
  await renderDomains(
    <>
      <FirstSteps route={sampleRoute()} />
      <FirstSteps route={sampleRoute({ live: guarded })} />
    </>,
  );
  expect(screen.getAllByRole('list')).toHaveLength(1);
  const press = screen.getByRole('link', { name: 'Set up protection' });
  expect(press.getAttribute('href')).toBe(`#/domain/list/${sampleRoute().id}?tab=protection`);
  expect(press.closest('li')?.getAttribute('aria-current')).toBe('step');
});

it.each([
  [1, 0],
  [40, 1],
])('leaves it to the steps to lead to protection, where they are shown: of %i names', async (names, presses) => {
  useSubscriptions.mockReturnValue(withNames(names));
  await renderDomains(<HealthCard route={sampleRoute()} onAsk={vi.fn()} />);
  expect(screen.queryAllByRole('link', { name: 'Set up protection' })).toHaveLength(presses);
});

it('leads to protection before it is next, too', async () => {
  const ownership = { ...sampleRoute().ownership, state: 'pending' } as const;
  await renderDomains(<FirstSteps route={sampleRoute({ ownership })} />);
  expect(screen.getByRole('link', { name: 'Set up protection' })).toBeTruthy();
  expect(screen.getByText('Point DNS here').closest('li')?.getAttribute('aria-current')).toBe('step');
});

it('asks who has no domain to add one', async () => {
  useSubscriptions.mockReturnValue(withNames(0));
  await renderDomains(<FirstSteps />);
  expect(screen.getByRole('link', { name: 'Add domain' })).toBeTruthy();
});

it('leaves who has many names alone', async () => {
  useSubscriptions.mockReturnValue(withNames(4));
  await renderDomains(<FirstSteps route={sampleRoute()} />);
  expect(screen.queryByRole('list')).toBeNull();
});

it.each([
  ['deploy', { last_deployed: null, live: null }, 'Open domain', ''],
  ['point', { ownership: { ...sampleRoute().ownership, state: 'pending' } }, 'Show record', ''],
  ['protect', {}, 'Set up protection', '?tab=protection'],
] as const)('leads from elsewhere to where one does it: %s', async (_step, change, name, tab) => {
  const route = sampleRoute(change as Partial<Route>);
  await renderDomains(<FirstSteps route={route} isElsewhere />);
  expect(screen.getByRole('link', { name }).getAttribute('href')).toBe(`#/domain/list/${route.id}${tab}`);
});

it('says the next step once where it has a press, and on a phone the others by their signs', async () => {
  const matchMedia = vi.spyOn(window, 'matchMedia').mockReturnValue({ matches: true } as MediaQueryList);
  await renderDomains(<FirstSteps route={sampleRoute()} isElsewhere />);
  expect(screen.getAllByText('Set up protection')).toHaveLength(1);
  expect(screen.getByText('Deploy').className).toBe('sr-only');
  matchMedia.mockRestore();
});

it('says of each step what it takes where there is no domain yet', async () => {
  await renderDomains(<FirstSteps isNarrow />);
  expect(screen.getByText('The name your visitors use, and your origin’s address')).toBeTruthy();
  expect(screen.getByText('One CNAME record at your DNS provider')).toBeTruthy();
});
