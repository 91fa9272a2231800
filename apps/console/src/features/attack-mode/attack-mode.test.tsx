// @vitest-environment happy-dom
import { ApiError } from '@cordon/contract';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { needCatalogs } from '../../app/intl-store';
import { renderDomains } from '../../domain/testing/render-domains';
import { ROUTE_ID, sampleRoute } from '../../domain/testing/sample-route';
import AttackBanner from './attack-banner';
import AttackButton from './attack-button';
import AttackDialog from './attack-dialog';

const api = vi.hoisted(() => ({
  listFeedGaps: vi.fn(),
  listAttackModes: vi.fn(),
  startAttackMode: vi.fn(),
  endAttackMode: vi.fn(),
  restoreAttackMode: vi.fn(),
  getTrafficOverview: vi.fn(),
}));
vi.mock('../../app/api-client', () => ({ api, queryClient: {} }));

const mode = (routeId: string | null) => ({
  route_id: routeId,
  domain_name: routeId && 'shop.example.com',
  started_by: 'ann@example.com',
  started_at: '2026-11-20T10:00:00Z',
  ends_at: '2026-11-20T11:00:00Z',
});

const ended = { ended: true, rests: true, holding: [] };

beforeEach(async () => {
  for (const mock of Object.values(api)) mock.mockReset();
  api.listFeedGaps.mockResolvedValue({ result: { plugin: 'under-attack', count: 0, domains: [] } });
  api.listAttackModes.mockResolvedValue({ result: [] });
  await needCatalogs('attackMode');
});

it.each([
  ['en', '6 hours', 'Turn on', ROUTE_ID],
  ['zh', '6 小时', '开启', null],
] as const)('in %s is turned on for as long as is chosen', async (locale, length, confirm, routeId) => {
  api.startAttackMode.mockResolvedValue({ result: mode(routeId) });
  const onOpenChange = vi.fn();
  const route = routeId === null ? undefined : sampleRoute();
  await renderDomains(<AttackDialog route={route} open onOpenChange={onOpenChange} />, locale);
  const dialog = within(await screen.findByRole('dialog'));
  const user = userEvent.setup({ delay: null });
  await user.click(dialog.getByRole('radio', { name: length }));
  await user.click(dialog.getByRole('button', { name: confirm }));
  await waitFor(() => expect(onOpenChange).toHaveBeenCalledWith(false));
  expect(api.startAttackMode).toHaveBeenCalledExactlyOnceWith({ body: { route_id: routeId, seconds: 21_600 } });
});

it('stays open, with what was chosen, where it could not be turned on', async () => {
  api.startAttackMode.mockRejectedValue(new Error('gone'));
  const onOpenChange = vi.fn();
  await renderDomains(<AttackDialog open onOpenChange={onOpenChange} />);
  const dialog = within(await screen.findByRole('dialog', { name: 'Under Attack mode for all domains?' }));
  const user = userEvent.setup({ delay: null });
  await user.click(dialog.getByRole('radio', { name: '15 minutes' }));
  await user.click(dialog.getByRole('button', { name: 'Turn on' }));
  await waitFor(() => expect(api.startAttackMode).toHaveBeenCalledOnce());
  expect(dialog.getByRole('radio', { name: '15 minutes', checked: true })).toBeTruthy();
  expect(onOpenChange).not.toHaveBeenCalled();
});

it('says on a domain what holds for it, until when and by whom, and ends each by itself', async () => {
  api.listAttackModes.mockResolvedValue({ result: [mode(null), mode(ROUTE_ID)] });
  api.endAttackMode.mockResolvedValue({ result: ended });
  await renderDomains(<AttackBanner routeId={ROUTE_ID} />);
  expect(await screen.findByText('Under Attack · 1 min left')).toBeTruthy();
  expect(screen.getByText('Under Attack, all domains · 1 min left')).toBeTruthy();
  // What the checks did is of both, and said once: in the line, and below it on a phone.
  expect(screen.getAllByText(/^Last hour/)).toHaveLength(2);
  expect(screen.getAllByText('Until Nov 20, 2026, 11:00:00')).toHaveLength(2);
  expect(screen.getAllByText('Turned on by ann@example.com, Nov 20, 2026, 10:00:00')).toHaveLength(2);
  const user = userEvent.setup({ delay: null });
  await user.click(screen.getByRole('button', { name: 'End now' }));
  expect(api.endAttackMode).toHaveBeenLastCalledWith({ body: { route_id: ROUTE_ID } });
  expect((await screen.findAllByText('Under Attack mode is off')).length).toBeGreaterThan(0);
  await user.click(screen.getByRole('button', { name: 'End for all domains' }));
  expect(api.endAttackMode).toHaveBeenLastCalledWith({ body: { route_id: null } });
});

it.each([
  ['en', 1200, 'Started automatically Nov 20, 2026, 10:00:00: 9,000 requests a minute, usually at most 1,200'],
  ['en', null, 'Started automatically Nov 20, 2026, 10:00:00: 9,000 requests a minute'],
  ['zh', 1200, /9,000.*1,200/],
] as const)(
  'in %s says of a mode that started by itself what the requests usually are: %s',
  async (locale, usual, text) => {
    const automatic = { started_by: '', requests_per_minute: 9000, usual_per_minute: usual };
    api.listAttackModes.mockResolvedValue({ result: [{ ...mode(ROUTE_ID), ...automatic }] });
    await renderDomains(<AttackBanner routeId={ROUTE_ID} />, locale);
    expect(await screen.findByText(text)).toBeTruthy();
  },
);

it.each([
  ['en', null, 'End for all domains', 'Undo', true, 'Under Attack mode is on'],
  ['zh', ROUTE_ID, '结束模式', '撤销', true, '攻击防御模式已开启'],
  ['en', ROUTE_ID, 'End now', 'Undo', false, /^Not turned on again/],
] as const)('in %s takes the end of it back, as it was', async (...given) => {
  const [locale, routeId, end, undo, restored, said] = given;
  const rests = locale === 'en' ? 'It does not turn on automatically for 1 hour.' : '1 小时内不会自动开启。';
  api.listAttackModes.mockResolvedValue({ result: [mode(routeId)] });
  api.endAttackMode.mockResolvedValue({ result: ended });
  api.restoreAttackMode.mockResolvedValue({ result: { restored } });
  await renderDomains(<AttackBanner routeId={ROUTE_ID} />, locale);
  const user = userEvent.setup({ delay: null });
  await user.click(await screen.findByRole('button', { name: end }));
  expect((await screen.findAllByText(rests)).length).toBeGreaterThan(0);
  await user.click(await screen.findByRole('button', { name: undo }));
  expect((await screen.findAllByText(said)).length).toBeGreaterThan(0);
  expect(api.restoreAttackMode).toHaveBeenCalledExactlyOnceWith({ body: { route_id: routeId } });
});

const named = (id: string) => ({ ...mode(id), domain_name: `${id}.example.com` });
const rests = 'It does not turn on automatically for 1 hour.';
it.each([
  ['en', ROUTE_ID, [], true, 'Under Attack mode is off', rests],
  ['en', ROUTE_ID, [], false, 'Under Attack mode is off', undefined],
  [
    'en',
    ROUTE_ID,
    [mode(null)],
    true,
    /^Under Attack mode ended for shop\.example\.com\. .* on for all domains/,
    undefined,
  ],
  ['en', null, [named('a')], true, /^Under Attack mode ended for all domains\. .* on for a\.example\.com alone/, rests],
  ['zh', null, [named('a'), named('b')], false, /^所有域名的攻击防御模式已关闭；2 个域名单独开启的/, undefined],
] as const)('in %s says after an end of %j what is on still, and of rest where there is any', async (...given) => {
  const [locale, routeId, holding, isResting, said, more] = given;
  api.listAttackModes.mockResolvedValue({ result: [mode(routeId)] });
  api.endAttackMode.mockResolvedValue({ result: { ended: true, rests: isResting, holding } });
  await renderDomains(<AttackBanner routeId={ROUTE_ID} />, locale);
  await userEvent.click((await screen.findAllByRole('button', { name: /^End|^结束/ }))[0] as HTMLElement);
  expect((await screen.findAllByText(said)).length).toBeGreaterThan(0);
  expect(screen.queryAllByText(rests).length > 0).toBe(more !== undefined);
});

it('says of an end that failed what the mode is by that, which is not known where nothing answered', async () => {
  api.listAttackModes.mockResolvedValue({ result: [mode(ROUTE_ID)] });
  api.endAttackMode.mockRejectedValue(new ApiError(0, undefined, undefined, []));
  const { client } = await renderDomains(<AttackBanner routeId={ROUTE_ID} />);
  await userEvent.click(await screen.findByRole('button', { name: 'End now' }));
  const [failed] = client.getMutationCache().getAll();
  expect(failed?.state.status).toBe('error');
  expect(failed?.meta?.whatFailed?.(failed.state.error)).toBe('Under Attack mode may still be on');
  expect(failed?.meta?.whatFailed?.(new ApiError(403, 'FORBIDDEN', undefined, []))).toBe(
    'Under Attack mode is still on',
  );
});

it('has nothing to take back of what was not on', async () => {
  api.listAttackModes.mockResolvedValue({ result: [mode(null)] });
  api.endAttackMode.mockResolvedValue({ result: { ...ended, ended: false } });
  await renderDomains(<AttackBanner />);
  await userEvent.click(await screen.findByRole('button', { name: 'End for all domains' }));
  expect((await screen.findAllByText('Under Attack mode is off')).length).toBeGreaterThan(0);
  expect(screen.queryByRole('button', { name: 'Undo' })).toBeNull();
});

it('takes one line: how long yet and the end of it, the rest behind a press', async () => {
  api.listAttackModes.mockResolvedValue({ result: [mode(null)] });
  await renderDomains(<AttackBanner />);
  const short = await screen.findByText(/^Under Attack, all · /);
  expect(short.className).toBe('sm:hidden');
  const rest = screen.getByText(/^All visitors are checked/).parentElement;
  expect(rest?.hidden).toBe(true);
  await userEvent.click(screen.getByRole('button', { name: 'Details of Under Attack mode', expanded: false }));
  expect(rest?.hidden).toBe(false);
  screen.getByRole('button', { name: 'Details of Under Attack mode', expanded: true });
});

it('says what the checks do, and what they did in the last hour', async () => {
  api.listAttackModes.mockResolvedValue({ result: [mode(ROUTE_ID)] });
  api.getTrafficOverview.mockResolvedValue({ result: { totals: { challenged: 1240, passed: 31 } } });
  await renderDomains(<AttackBanner routeId={ROUTE_ID} />);
  const [inLine] = await screen.findAllByText('Last hour: 1,240 challenged, 31 passed');
  expect(inLine?.closest('[hidden]')).toBeNull();
  expect(screen.getByText(/^All visitors are checked/)).toBeTruthy();
  const asked = api.getTrafficOverview.mock.calls[0]?.[0].query;
  expect(asked).toEqual({ range: '1h', route_id: ROUTE_ID });
});

it.each([
  ['en', 'Last hour: 1,774 challenged, 0 passed', 'End', '1 min left'],
  ['zh', '最近 1 小时：验证 1,774 次，通过 0 次', '结束模式', /^剩 1.分钟$/],
] as const)(
  'says in %s on the dashboard what the checks of all domains did, for how long yet, and what the press on a phone ends',
  async (locale, checked, end, left) => {
    api.listAttackModes.mockResolvedValue({ result: [mode(null)] });
    api.getTrafficOverview.mockResolvedValue({ result: { totals: { challenged: 1774, passed: 0 } } });
    await renderDomains(
      <>
        <AttackButton route={undefined} />
        <AttackBanner />
      </>,
      locale,
    );
    expect((await screen.findAllByText(checked))[0]?.closest('[hidden]')).toBeNull();
    expect(api.getTrafficOverview.mock.calls[0]?.[0].query).toEqual({ range: '1h' });
    expect(screen.getByText(end).className).toBe('sm:hidden');
    expect(screen.getByText(left).className).toBe('sm:hidden');
    expect(screen.getByText(/^(Under Attack, all · 1.min|全部防御中 · 剩 1.分钟)$/).className).toBe('sm:hidden');
  },
);

it('names on the dashboard a domain that is in the mode by itself, with the minutes that are left, and ends it', async () => {
  const ends = new Date(Date.now() + 59 * 60_000).toISOString();
  api.endAttackMode.mockResolvedValue({ result: ended });
  api.listAttackModes.mockResolvedValue({ result: [{ ...mode(ROUTE_ID), ends_at: ends }] });
  await renderDomains(<AttackBanner />);
  expect(await screen.findByText('Under Attack mode, 59 min left')).toBeTruthy();
  expect(screen.getByRole('link', { name: 'shop.example.com' }).getAttribute('href')).toContain(ROUTE_ID);
  await userEvent.click(screen.getByRole('button', { name: 'End now: shop.example.com' }));
  expect(api.endAttackMode).toHaveBeenLastCalledWith({ body: { route_id: ROUTE_ID } });
});

it('says of an hour that has just begun that an hour is left, also where the time was read before it', async () => {
  const ends = new Date(Date.now() + 3_609_000).toISOString();
  api.listAttackModes.mockResolvedValue({ result: [{ ...mode(ROUTE_ID), ends_at: ends }] });
  await renderDomains(<AttackBanner />);
  expect(await screen.findByText('Under Attack mode, 1 h left')).toBeTruthy();
});

describe('while the mode is on', () => {
  const hour = () => new Date(Date.now() + 3_600_000).toISOString();
  it.each([
    [
      'en',
      /^Under Attack mode: On · 1.h ?1.h left$/,
      'Under Attack mode is on for all domains',
      'Change end',
      'End for all domains',
    ],
    [
      'zh',
      /^攻击防御模式： ?防御中 · 1.小时 ?剩 1.小时$/,
      '所有域名的攻击防御模式已开启',
      '修改结束时间',
      '结束模式（所有域名）',
    ],
  ] as const)(
    'in %s the switch says for how long yet, and changes or ends what is on',
    async (locale, text, title, change, stop) => {
      api.listAttackModes.mockResolvedValue({ result: [{ ...mode(null), ends_at: hour() }] });
      api.startAttackMode.mockResolvedValue({ result: mode(null) });
      api.endAttackMode.mockResolvedValue({ result: ended });
      // The one of the account holds for a domain too, and is not turned on a second time.
      await renderDomains(<AttackButton route={sampleRoute()} />, locale);
      const user = userEvent.setup({ delay: null });
      const button = await screen.findByRole('button', { name: text });
      await user.click(button);
      const dialog = within(await screen.findByRole('dialog', { name: title }));
      await user.click(dialog.getByRole('button', { name: change }));
      expect(api.startAttackMode).toHaveBeenCalledExactlyOnceWith({ body: { route_id: null, seconds: 3600 } });
      await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
      await user.click(button);
      const again = within(await screen.findByRole('dialog', { name: title }));
      await user.click(again.getByRole('button', { name: stop }));
      expect(api.endAttackMode).toHaveBeenCalledExactlyOnceWith({ body: { route_id: null } });
    },
  );
});

describe('where the plugin of the mode is off', () => {
  const named = (id: string, domain_name: string, is_paused = false) => ({ id, domain_name, is_paused });
  const gapsAre = (count: number, ...domains: ReturnType<typeof named>[]) =>
    api.listFeedGaps.mockResolvedValue({ result: { plugin: 'under-attack', count, domains } });

  it.each([
    ['en', 'No effect on shop.example.com: the plugin “Under Attack mode” is off there.', 'Turn it on', 'Turn on'],
    ['zh', '对 shop.example.com 无效：该域名未开启“攻击防御模式”插件。', '去开启', '开启'],
  ] as const)('in %s the dialog of a domain says so before and after', async (locale, text, link, confirm) => {
    gapsAre(1, named(ROUTE_ID, 'shop.example.com'));
    api.startAttackMode.mockResolvedValue({ result: mode(ROUTE_ID) });
    await renderDomains(<AttackDialog route={sampleRoute()} open onOpenChange={vi.fn()} />, locale);
    const dialog = within(await screen.findByRole('dialog'));
    const turnOn = await dialog.findByRole('link', { name: link });
    expect(turnOn.parentElement?.textContent).toBe(`${text}${locale === 'en' ? ' ' : ''}${link}`);
    expect(turnOn.getAttribute('href')).toBe(`#/domain/list/${ROUTE_ID}?tab=protection&edit=under-attack`);
    expect(api.listFeedGaps.mock.calls[0]?.[0].query).toEqual({ feed: 'under-attack', route_id: ROUTE_ID });
    await userEvent.click(dialog.getByRole('button', { name: confirm }));
    expect((await screen.findAllByText(text)).length).toBeGreaterThan(0);
  });

  it('the banner of a domain claims no checks', async () => {
    api.listAttackModes.mockResolvedValue({ result: [mode(null)] });
    gapsAre(1, named(ROUTE_ID, 'shop.example.com'));
    await renderDomains(<AttackBanner routeId={ROUTE_ID} />);
    expect(await screen.findByText(/^No effect on shop\.example\.com/)).toBeTruthy();
    expect(screen.queryByText(/^All visitors are checked/)).toBeNull();
    expect(screen.queryByText(/challenged/)).toBeNull();
  });

  it.each([
    ['en', 'No effect on shop.example.com: protection is paused there.'],
    ['zh', '对 shop.example.com 无效：该域名已暂停防护。'],
  ] as const)('and where protection is paused, the banner says so in %s and claims no checks', async (locale, text) => {
    api.listAttackModes.mockResolvedValue({ result: [mode(ROUTE_ID)] });
    gapsAre(1, named(ROUTE_ID, 'shop.example.com', true));
    await renderDomains(<AttackBanner routeId={ROUTE_ID} />, locale);
    const link = await screen.findByRole('link', { name: 'shop.example.com' });
    expect(link.getAttribute('href')).toBe(`#/domain/list/${ROUTE_ID}`);
    expect(link.closest('p')?.textContent).toBe(text);
    expect(screen.queryByText(/^All visitors are checked|^所有访客/)).toBeNull();
  });

  it.each([
    ['en', 'No effect while protection is paused.'],
    ['zh', '暂停防护期间无效。'],
  ] as const)('and on the page of such a domain, in %s, without a link to it', async (locale, text) => {
    api.listAttackModes.mockResolvedValue({ result: [mode(ROUTE_ID)] });
    gapsAre(1, named(ROUTE_ID, 'shop.example.com', true));
    await renderDomains(<AttackBanner routeId={ROUTE_ID} isOnPage />, locale);
    expect(await screen.findByText(text)).toBeTruthy();
    expect(screen.queryByRole('link')).toBeNull();
  });

  it('the dialog of the account names those where protection is paused beside those where it is off', async () => {
    gapsAre(2, named('1', 'a.example.com', true), named('2', 'b.example.com'));
    await renderDomains(<AttackDialog open onOpenChange={vi.fn()} />);
    const said = await screen.findByText(/^No effect on 2 domains/);
    expect(said.textContent).toBe(
      'No effect on 2 domains, where the plugin “Under Attack mode” is off or protection is paused: a.example.com, b.example.com',
    );
    const links = [...said.querySelectorAll('a')].map((link) => link.getAttribute('href'));
    expect(links).toEqual(['#/domain/list/1', '#/domain/list/2?tab=protection&edit=under-attack']);
  });

  it('the banner of the account counts the domains, and names the first', async () => {
    api.listAttackModes.mockResolvedValue({ result: [mode(null)] });
    gapsAre(5, ...['a', 'b', 'c', 'd'].map((name) => named(name, `${name}.example.com`)));
    await renderDomains(<AttackBanner />);
    const said = await screen.findByText(/^No effect on 5 domains/);
    expect(said.textContent).toBe(
      'No effect on 5 domains, where the plugin “Under Attack mode” is off: a.example.com, b.example.com, c.example.com, …',
    );
    expect(screen.getByText(/^All visitors are checked/)).toBeTruthy();
  });
});
