// @vitest-environment happy-dom
import { cleanup, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, it, vi } from 'vitest';
import { renderDomains } from '../../../domain/testing/render-domains';
import { sampleConfig, sampleRoute, sampleSubscription } from '../../../domain/testing/sample-route';
import AtOnce from './at-once';

const api = vi.hoisted(() => ({ listGroups: vi.fn(), listSubscriptions: vi.fn() }));
vi.mock('../../../app/api-client', () => ({ api, queryClient: {} }));

const DEFAULT_ID = '00000000-0000-4000-8000-00000000000a';
beforeEach(() => {
  api.listGroups.mockResolvedValue({ results: [{ id: DEFAULT_ID, name: 'Default', default_group: true }] });
  api.listSubscriptions.mockResolvedValue({ results: [] });
});

it.each([
  ['en', null, 'Default'],
  ['zh', DEFAULT_ID, '默认'],
] as const)('in %s calls the default group as the list and its bulk actions do', async (locale, groupId, name) => {
  await renderDomains(
    <AtOnce route={sampleRoute({ group_id: groupId })} ipv6={null} onPause={vi.fn()} onResume={vi.fn()} />,
    locale,
  );
  expect(await screen.findByText(name)).toBeTruthy();
});

it.each([
  ['en', 'free', '10 at once, 5 min each'],
  ['zh', 'free', '并发 10 个，每个最长 5 分钟'],
  ['en', 'vip', 'Closed after 10 idle min'],
] as const)('says in %s how a %s plan limits WebSockets, where the domain is set up', async (locale, tier, words) => {
  api.listSubscriptions.mockResolvedValue({ results: [sampleSubscription(tier)] });
  const { cname: subscription_cname } = sampleSubscription(tier);
  await renderDomains(
    <AtOnce route={sampleRoute({ subscription_cname })} ipv6={null} onPause={vi.fn()} onResume={vi.fn()} />,
    locale,
  );
  expect(await screen.findByText(words)).toBeTruthy();
});

const paused = { since: '2026-01-01T00:00:00Z', until: null, by: 'ana@example.com' };
const guarded = { ...sampleConfig(), plugins: [{ name: 'ip-restriction', enabled: true, config: {} }] };
const switchedOff = { ...sampleConfig(), plugins: [{ name: 'ip-restriction', enabled: false, config: {} }] };

it.each([
  ['en', 'that is on', { live: guarded }, 'On'],
  ['zh', 'that is on', { live: guarded }, '已开启'],
  ['en', 'that is paused', { live: guarded, paused }, 'Paused'],
] as const)('says in %s of the protection %s what is true', async (locale, _what, change, words) => {
  await renderDomains(<AtOnce route={sampleRoute(change)} ipv6={null} onPause={vi.fn()} onResume={vi.fn()} />, locale);
  expect(screen.getByText(words)).toBeTruthy();
});

it('leaves the protection of a domain that is off to where that is ended', async () => {
  const route = sampleRoute({ live: guarded, status: 'deactivated' });
  await renderDomains(<AtOnce route={route} ipv6={null} onPause={vi.fn()} onResume={vi.fn()} />);
  expect(screen.queryByText('Protection')).toBeNull();
  expect(screen.getByText('Aliases')).toBeTruthy();
});

it.each([
  ['en', 'Protection', 'Pause'],
  ['zh', '防护', '暂停'],
] as const)(
  'has in %s of the protection what takes effect at once, its pause, and not how it is set up',
  async (...row) => {
    const [locale, term, pause] = row;
    const draftOnly = sampleRoute({ live: switchedOff, draft: guarded });
    const ofBoth = (
      <>
        <AtOnce route={draftOnly} ipv6={null} onPause={vi.fn()} onResume={vi.fn()} />
        <AtOnce route={sampleRoute({ live: guarded })} ipv6={null} onPause={vi.fn()} onResume={vi.fn()} />
      </>
    );
    await renderDomains(ofBoth, locale);
    expect(screen.getAllByText(term)).toHaveLength(1);
    expect(screen.getAllByRole('button', { name: pause })).toHaveLength(1);
  },
);

it.each([
  ['en', 'Resume'],
  ['zh', '恢复'],
] as const)('ends in %s a pause where it says that there is one, once', async (locale, resume) => {
  const onResume = vi.fn();
  const route = sampleRoute({ live: guarded, paused });
  await renderDomains(<AtOnce route={route} ipv6={null} onPause={vi.fn()} onResume={onResume} />, locale);
  await userEvent.click(screen.getByRole('button', { name: resume }));
  expect(onResume).toHaveBeenCalledOnce();
  cleanup();
  await renderDomains(<AtOnce route={route} ipv6={null} onPause={vi.fn()} onResume={undefined} />, locale);
  expect(screen.getByRole('button', { name: resume }).getAttribute('aria-busy')).toBe('true');
});

it.each([
  ['en', 'Instant'],
  ['zh', '即时生效'],
] as const)('says in %s that what stands here waits for no deploy', async (locale, words) => {
  await renderDomains(<AtOnce route={sampleRoute()} ipv6={null} onPause={vi.fn()} onResume={vi.fn()} />, locale);
  expect(screen.getByText(words)).toBeTruthy();
});
