// @vitest-environment happy-dom
import type { DraftReplay as Replayed } from '@cordon/contract';
import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { renderDomains } from '../../../domain/testing/render-domains';
import { sampleConfig, sampleRoute } from '../../../domain/testing/sample-route';
import { DraftReplay } from './draft-replay';

const api = vi.hoisted(() => ({ replayDraft: vi.fn() }));
vi.mock('../../../app/api-client', () => ({ api, queryClient: {} }));

const live = sampleConfig();
const draft = { ...live, plugins: [{ name: 'geoip', enabled: true, config: { blacklist_countries: ['KP'] } }] };
const route = sampleRoute({ version_live: 1, last_deployed: '2026-05-01T10:00:00Z', draft_revision: 4, live, draft });
const replayed: Replayed = {
  requests: 9871,
  is_complete: true,
  newly_blocked: 312,
  newly_challenged: 0,
  newly_passed: 5,
  unknown: 0,
  unknown_rules: [],
  changes: [
    {
      before: 'pass',
      before_plugin: '',
      after: 'block',
      plugin: 'geoip',
      reason: 'country_blocked',
      rule: 'KP',
      requests: 312,
      samples: [{ request_id: 'a', method: 'GET', path: '/shop', client_address: '203.0.113.9', country: 'KP' }],
    },
  ],
  unseen: ['cookies'],
};

beforeEach(() => {
  vi.resetAllMocks();
  api.replayDraft.mockResolvedValue({ result: replayed });
});

describe('what a draft would do to recent requests', () => {
  it('says how many, which rule decides, and one of them', async () => {
    await renderDomains(<DraftReplay route={route} />);
    expect((await screen.findByRole('status')).textContent).toBe(
      'Last 9,871 requests: 312 newly blocked, 5 no longer stopped.',
    );
    expect(screen.getByText('312').className).toContain('text-danger');
    expect(screen.queryByText(/passes → blocked/)).toBeNull();
    await userEvent.click(screen.getByRole('button', { name: 'Details', expanded: false }));
    expect(await screen.findByText(/passes → blocked · Country restriction: North Korea/)).toBeTruthy();
    expect(screen.getByText('GET /shop · 203.0.113.9')).toBeTruthy();
    expect(screen.getByText(/Not checked: cookies/)).toBeTruthy();
    expect(api.replayDraft).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ params: { id: route.id } }));
  });

  it.each([
    ['en', 0, 'Last 9,871 requests: none newly blocked or challenged, 5 no longer stopped.'],
    ['en', 12, 'Last 9,871 requests: 12 newly challenged, 5 no longer stopped.'],
    ['zh', 12, '最近 9,871 个请求中：12 个会新增人机验证，5 个会改为放行。'],
  ] as const)('says in %s of %d that are only challenged that they are', async (locale, newly_challenged, said) => {
    api.replayDraft.mockResolvedValue({ result: { ...replayed, newly_blocked: 0, newly_challenged } });
    await renderDomains(<DraftReplay route={route} />, locale);
    expect((await screen.findByRole('status')).textContent).toBe(said);
  });

  it('says of a wait that it is one', async () => {
    const [change] = replayed.changes;
    const wait = { ...change, plugin: 'seclink', reason: 'wait_required', rule: '^/files', after: 'challenge' };
    api.replayDraft.mockResolvedValue({ result: { ...replayed, changes: [wait] } });
    await renderDomains(<DraftReplay route={route} />);
    await userEvent.click(await screen.findByRole('button', { name: 'Details' }));
    expect(await screen.findByText(/^passes → made to wait · Signed link/)).toBeTruthy();
  });

  it.each([
    ['en', /^challenged \(Challenge\) → blocked · Country restriction/, /^made to wait \(Signed links\) → blocked/],
    ['zh', /^人机验证 → 拦截/, /^等待（签名链接） → 拦截/],
  ] as const)('says in %s of what is live by the plugin that decides there', async (locale, ofOne, ofOther) => {
    const [change] = replayed.changes;
    const changes = ['challenge', 'seclink'].map((plugin) => ({
      ...change,
      before: 'challenge',
      before_plugin: plugin,
    }));
    api.replayDraft.mockResolvedValue({ result: { ...replayed, changes } });
    await renderDomains(<DraftReplay route={route} />, locale);
    await userEvent.click(await screen.findByRole('button', { expanded: false }));
    expect(await screen.findByText(ofOne)).toBeTruthy();
    expect(await screen.findByText(ofOther)).toBeTruthy();
  });

  it('names no plugin twice where what is live decides by the same', async () => {
    const [change] = replayed.changes;
    const passes = { ...change, before: 'block', before_plugin: 'geoip', after: 'pass' };
    api.replayDraft.mockResolvedValue({ result: { ...replayed, changes: [passes] } });
    await renderDomains(<DraftReplay route={route} />);
    await userEvent.click(await screen.findByRole('button', { name: 'Details' }));
    expect(await screen.findByText(/^blocked → passes · Country restriction: North Korea/)).toBeTruthy();
  });

  const [blocked] = replayed.changes;
  const wait = { ...blocked, plugin: 'seclink', reason: 'wait_required', rule: '^/files', after: 'challenge' };
  const check = { ...blocked, plugin: 'challenge', reason: 'proof_required', rule: '.*', after: 'challenge' };
  it.each([
    ['en', [wait], 'Last 9,871 requests: 8 newly made to wait.', 'newly made to wait'],
    ['zh', [wait], '最近 9,871 个请求中：8 个会新增等待。', '新增等待'],
    ['en', [check], 'Last 9,871 requests: 8 newly challenged.', 'newly challenged'],
    [
      'en',
      [check, wait],
      'Last 9,871 requests: 8 newly challenged or made to wait.',
      'newly challenged or made to wait',
    ],
    ['zh', [check, wait], '最近 9,871 个请求中：8 个会新增人机验证或等待。', '新增验证或等待'],
    // What was a wait and is blocked is none any more.
    [
      'en',
      [check, { ...wait, before: 'challenge', after: 'block' }],
      'Last 9,871 requests: 8 newly challenged.',
      'newly challenged',
    ],
  ])('counts in %s challenges and waits by their names (%#)', async (locale, changes, said, label) => {
    const counts = { newly_blocked: 0, newly_challenged: 8, newly_passed: 0 };
    api.replayDraft.mockResolvedValue({ result: { ...replayed, ...counts, changes } });
    await renderDomains(<DraftReplay route={route} />, locale as 'en' | 'zh');
    expect((await screen.findByRole('status')).textContent).toBe(said);
    expect(screen.getByText(label).previousSibling?.textContent).toBe('8');
  });

  it('says where time was not enough for the newest', async () => {
    api.replayDraft.mockResolvedValue({ result: { ...replayed, is_complete: false } });
    await renderDomains(<DraftReplay route={route} />);
    expect((await screen.findByRole('status')).textContent).toBe(
      '9,871 requests of the last 24 hours (no time for the newest): 312 newly blocked, 5 no longer stopped.',
    );
    await userEvent.click(screen.getByRole('button', { name: 'Details' }));
    expect(screen.getByText(/^No time for the newest\./)).toBeTruthy();
  });

  it.each([
    ['en', { newly_blocked: 419 }, '419 of the last 458 requests (91%) would be newly blocked.'],
    ['en', { newly_challenged: 92 }, '92 of the last 458 requests (20%) would be newly challenged.'],
    [
      'en',
      { newly_blocked: 90, newly_challenged: 9 },
      '99 of the last 458 requests (22%) would be newly blocked or challenged.',
    ],
    ['en', { newly_blocked: 91 }, 'Your recent requests'],
    ['zh', { newly_blocked: 419 }, '最近 458 个请求中有 419 个（91%）会新增拦截。'],
  ] as const)(
    'says loudly in %s that a large part of the visitors would be stopped: %j',
    async (locale, counts, said) => {
      const none = { newly_blocked: 0, newly_challenged: 0, newly_passed: 0 };
      api.replayDraft.mockResolvedValue({ result: { ...replayed, requests: 458, ...none, ...counts } });
      await renderDomains(<DraftReplay route={route} />, locale);
      await screen.findByRole('status');
      expect(screen.getByRole('heading', { level: 3 }).textContent).toBe(said);
    },
  );

  it.each([
    [
      'en',
      'Last 9,871 requests: 312 newly blocked, 5 no longer stopped, 40 could not be checked.',
      '1 rule cannot be checked. Not in the log: header Accept.',
    ],
    [
      'zh',
      '最近 9,871 个请求中：312 个会新增拦截，5 个会改为放行，40 个无法检查。',
      '1 条规则无法检查，日志中没有：请求头 Accept。',
    ],
  ] as const)('says in %s which requests it cannot tell of, and why', async (locale, counts, why) => {
    const rule = { plugin: 'blackrules', rule: 'a', verdict: 'block', requests: 40 };
    const unknown_rules = [{ ...rule, fields: [{ field: 'header', name: 'Accept' }] }];
    api.replayDraft.mockResolvedValue({ result: { ...replayed, unknown: 40, unknown_rules } });
    await renderDomains(<DraftReplay route={route} />, locale);
    await waitFor(() => expect(screen.getAllByRole('status').map((one) => one.textContent)).toEqual([counts, why]));
  });

  it.each([
    ['en', 9871, 'Last 9,871 requests: 9,871 could not be checked.', ['9,871', '—', '—', '—', '9,871'], 'not checked'],
    [
      'en',
      40,
      'Last 9,871 requests: 40 could not be checked, none of the others newly blocked or challenged.',
      ['9,871', '0', '0', '0', '40'],
      'not checked',
    ],
    ['zh', 9871, '最近 9,871 个请求中：9,871 个无法检查。', ['9,871', '—', '—', '—', '9,871'], '无法检查'],
    [
      'zh',
      40,
      '最近 9,871 个请求中：40 个无法检查，其余均不会新增拦截或人机验证。',
      ['9,871', '0', '0', '0', '40'],
      '无法检查',
    ],
  ] as const)(
    'lets no zero stand in %s for what could not be checked: %d',
    async (locale, unknown, said, shown, label) => {
      const none = { newly_blocked: 0, newly_challenged: 0, newly_passed: 0, changes: [] };
      api.replayDraft.mockResolvedValue({ result: { ...replayed, ...none, unknown } });
      await renderDomains(<DraftReplay route={route} />, locale);
      expect((await screen.findByRole('status')).textContent).toBe(said);
      const number = screen.getByText(label).previousSibling as HTMLElement;
      expect(number.className).toContain('text-warning');
      const counts = [...(number.closest('ul')?.children ?? [])].map((one) => one.firstChild?.textContent);
      expect(counts).toEqual(shown);
    },
  );

  it('says so where it cannot be told, and asks again', async () => {
    api.replayDraft
      .mockRejectedValueOnce(new Error('no'))
      .mockResolvedValueOnce({ result: { ...replayed, is_complete: false } });
    await renderDomains(<DraftReplay route={route} />);
    expect(await screen.findByText('Recent requests could not be checked.')).toBeTruthy();
    await userEvent.click(screen.getByRole('button', { name: 'Retry' }));
    expect((await screen.findByRole('status')).textContent).toContain('9,871 requests');
  });

  it('has a place for each count before it is known, and no press yet', async () => {
    api.replayDraft.mockReturnValue(new Promise(() => {}));
    await renderDomains(<DraftReplay route={route} />);
    const place = screen.getByRole('region', { name: 'Your recent requests' });
    expect(place.textContent).toContain('newly blocked');
    // A part of the height of what has none is none.
    expect([...place.querySelectorAll('.skeleton')].map((one) => /\bh-\d/.test(one.className))).toEqual(
      Array(4).fill(true),
    );
    expect(screen.queryByRole('button')).toBeNull();
  });

  it('says so where nothing was recorded', async () => {
    api.replayDraft.mockResolvedValue({ result: { ...replayed, requests: 0, changes: [] } });
    await renderDomains(<DraftReplay route={route} />);
    expect(await screen.findByText('No requests were recorded in the last 24 hours.')).toBeTruthy();
    expect(screen.queryByRole('button')).toBeNull();
  });

  it.each([
    ['no plugin is changed', { draft: { ...live, upstreams: { ...live.upstreams, connection_limit: 5 } } }],
    ['nothing is live', { live: null }],
  ])('is not asked where %s', async (_, change) => {
    await renderDomains(<DraftReplay route={{ ...route, ...change }} />);
    expect(screen.queryByText('Your recent requests')).toBeNull();
    expect(api.replayDraft).not.toHaveBeenCalled();
  });
});
