// @vitest-environment happy-dom
import { cleanup, fireEvent, screen } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { renderDomains } from '../../../domain/testing/render-domains';
import { sampleRoute, sampleSuspension } from '../../../domain/testing/sample-route';
import { DomainHeader, HeaderStatus } from './domain-header';

vi.mock('../../../app/api-client', () => ({ api: {}, queryClient: {} }));

const unseen = { state: 'ok', findings: [], looked_at: null } as const;

it.each([
  ['en', 'Checking', 'Healthy'],
  ['zh', '检查中', '正常'],
] as const)('calls in %s no domain healthy that has not been looked at', async (locale, checking, healthy) => {
  await renderDomains(<HeaderStatus route={sampleRoute({ health: { ...unseen, findings: [] } })} />, locale);
  expect(await screen.findByText(checking)).toBeTruthy();
  expect(screen.queryByText(healthy)).toBeNull();
  cleanup();
  await renderDomains(<HeaderStatus route={sampleRoute()} />, locale);
  expect(await screen.findByText(healthy)).toBeTruthy();
  expect(screen.queryByText(checking)).toBeNull();
});

const shared = { tab: 'Protection', breadcrumb: '', onPause: vi.fn() };

it.each([
  ['is served', {}, true],
  ['is switched off', { status: 'deactivated' }, false],
  ['has its protection paused', { paused: { since: '2026-01-01T00:00:00Z', until: '2026-01-01T01:00:00Z' } }, false],
] as const)('has the way into Under Attack mode in sight where a domain %s: %#', async (_, change, isOffered) => {
  const onAsk = vi.fn();
  const route = sampleRoute(change as object);
  await renderDomains(<DomainHeader {...shared} route={route} isStarted={false} onAsk={onAsk} />);
  await screen.findByRole('button', { name: 'Test' });
  const buttons = screen.queryAllByRole('button', { name: 'Under Attack mode' });
  for (const button of buttons) fireEvent.click(button);
  expect(onAsk.mock.calls).toEqual(isOffered ? [['attack']] : []);
});

it.each([
  ['en', 'End Under Attack…'],
  ['zh', '结束攻击防御…'],
] as const)('has the way out of it there while it is on, in %s', async (locale, name) => {
  const onAsk = vi.fn();
  await renderDomains(<DomainHeader {...shared} route={sampleRoute()} isStarted onAsk={onAsk} />, locale);
  fireEvent.click(await screen.findByRole('button', { name }));
  expect(onAsk.mock.calls).toEqual([['attack']]);
  expect(screen.queryByRole('button', { name: /Under Attack mode|攻击防御模式/ })).toBeNull();
});

it.each([
  ['is served', {}, [['clear_cache'], ['force_https']]],
  ['is suspended', { suspension: sampleSuspension() }, []],
] as const)('has in its menu where a domain %s what takes effect at once', async (_, change, asked) => {
  const onAsk = vi.fn();
  await renderDomains(<DomainHeader {...shared} route={sampleRoute(change)} isStarted={false} onAsk={onAsk} />);
  fireEvent.click(await screen.findByRole('button', { name: 'More actions' }));
  await screen.findByRole('menuitem', { name: 'Clone' });
  for (const name of ['Clear cache', 'Force HTTPS…'])
    for (const item of screen.queryAllByRole('menuitem', { name })) fireEvent.click(item);
  expect(onAsk.mock.calls).toEqual(asked);
});
