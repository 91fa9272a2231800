// @vitest-environment happy-dom
import { ApiError, type SslConfig } from '@cordon/contract';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, it, vi } from 'vitest';
import { needCatalogs } from '../../app/intl-store';
import { renderDomains } from '../../domain/testing/render-domains';
import { ROUTE_ID, sampleRoute } from '../../domain/testing/sample-route';
import SslTab from './ssl-tab';

const api = vi.hoisted(() => ({ getSslConfig: vi.fn(), updateSslConfig: vi.fn() }));
vi.mock('../../app/api-client', () => ({ api, queryClient: {} }));

const user = userEvent.setup({ delay: null });
const params = { id: ROUTE_ID };
const PLAIN: SslConfig = {
  ...{ certificate_id: null, has_certificate: true, force_https: false, hsts: null, change: null },
  preload_of: { name: 'example.com', is_served: true },
};
const DAY = { max_age_seconds: 86_400, include_subdomains: false, preload: false };
const node = (name: string, live_ms: number | null) => ({
  ...{ node: name, state: live_ms === null ? ('waiting' as const) : ('live' as const), version: 1, live_ms },
  ...{ probe_status: 200, refusal: null, at: null },
});

/** What the API has, changed by what it is sent. */
let kept: SslConfig;
const show = (ssl: Partial<SslConfig> = {}, route = sampleRoute(), locale: 'en' | 'zh' = 'en') => {
  kept = { ...PLAIN, ...ssl };
  return renderDomains(<SslTab route={route} />, locale);
};
const force = () => screen.findByRole<HTMLInputElement>('switch');
const press = async (name: string) => user.click(await screen.findByRole('button', { name }));
const isDisabled = (element: HTMLElement) => element.hasAttribute('disabled');

beforeEach(async () => {
  api.getSslConfig.mockReset().mockImplementation(async () => ({ result: kept }));
  api.updateSslConfig.mockReset().mockImplementation(async ({ body }) => {
    kept = { ...kept, ...body };
    return { result: kept };
  });
  await needCatalogs('ssl');
});

it.each([
  ['en', 'Force HTTPS', 'Undo', 'www.example.com now forces HTTPS'],
  ['zh', '强制 HTTPS', '撤销', 'www.example.com 已开启强制 HTTPS'],
] as const)('in %s forces HTTPS at once, and takes it back by the notice', async (locale, label, undo, told) => {
  let answer = () => {};
  api.updateSslConfig.mockImplementationOnce(
    ({ body }) =>
      new Promise((resolve) => {
        answer = () => {
          kept = { ...kept, ...body };
          resolve({ result: kept });
        };
      }),
  );
  await show({}, sampleRoute(), locale);
  const box = await force();
  expect([box.checked, box.labels?.[0]?.textContent?.startsWith(label)]).toEqual([false, true]);
  await user.click(box);
  await waitFor(() => expect(box.checked).toBe(true));
  expect(screen.queryByText(told)).toBeNull();
  answer();
  await screen.findAllByText(told);
  expect(api.updateSslConfig).toHaveBeenLastCalledWith({ params, body: { force_https: true } });
  await press(undo);
  await waitFor(() => expect(box.checked).toBe(false));
  expect(api.updateSslConfig).toHaveBeenLastCalledWith({ params, body: { force_https: false } });
});

it.each([
  ['en', 'Visitors first need to get a certificate for www.example.com that browsers trust. Recheck in Diagnose'],
  ['zh', '需要先让访客获得浏览器信任的 www.example.com 证书。 在诊断中重新检查'],
] as const)(
  'without a certificate it says in %s what is needed and leads there, and cannot be pressed',
  async (locale, words) => {
    await show({ has_certificate: false }, sampleRoute(), locale);
    const box = await force();
    expect(isDisabled(box)).toBe(true);
    const line = screen.getByText((_, element) => element?.tagName === 'P' && element.textContent === words);
    expect(within(line).getByRole('link').getAttribute('href')).toBe(`/domain/list/${ROUTE_ID}?tab=diagnosis`);
  },
);

it('says of names of the demo that they have no certificate, and leads nowhere', async () => {
  await show({ has_certificate: false }, sampleRoute({ certificate_finding: 'demo' }));
  await force();
  expect(within(screen.getByText(/^Names of the demo have no certificate/)).queryByRole('link')).toBeNull();
});

it.each([
  ['en', 'Preload lists take no subdomains, only example.com as a whole'],
  ['zh', '预加载列表不接受子域名，只接受整个 example.com'],
] as const)(
  'offers preload in %s only where the domain serves what the lists take, and says why',
  async (locale, words) => {
    await show({ force_https: true, preload_of: { name: 'example.com', is_served: false } }, sampleRoute(), locale);
    await press(locale === 'en' ? 'Turn on…' : '开启…');
    const dialog = within(await screen.findByRole('dialog'));
    await user.click(dialog.getByRole('radio', { name: locale === 'en' ? '1 year' : /^1\s年$/ }));
    const [wide, preload] = dialog.getAllByRole<HTMLInputElement>('checkbox');
    await user.click(wide as HTMLElement);
    expect([wide?.checked, preload?.disabled]).toEqual([true, true]);
    expect(dialog.getByText(new RegExp(words))).toBeTruthy();
  },
);

it('goes back where it was, with the reason below it, where it was refused; pressed again, it is tried again', async () => {
  const fields = { force_https: 'CERTIFICATE_REQUIRED' } as const;
  api.updateSslConfig.mockRejectedValueOnce(
    new ApiError(422, undefined, { success: false, message: '', request_id: '', ...fields }, [
      'force_https.CERTIFICATE_REQUIRED',
    ]),
  );
  await show();
  await user.click(await force());
  expect((await screen.findByRole('alert')).textContent).toMatch(/^Visitors first need/);
  expect((await force()).checked).toBe(false);
  await user.click(await force());
  await waitFor(() => expect(screen.queryByRole('alert')).toBeNull());
  expect((await force()).checked).toBe(true);
});

it('cannot be switched off under HSTS, which is turned off first: browsers are told to forget it, then it is left out', async () => {
  await show({
    force_https: true,
    hsts: { ...DAY, max_age_seconds: 31_536_000, include_subdomains: true, preload: true },
  });
  expect(isDisabled(await force())).toBe(true);
  expect(screen.getByText('Turn off HSTS first: browsers that remember it still use HTTPS only')).toBeTruthy();
  expect(screen.getByText(/max-age=31536000; includeSubDomains; preload/)).toBeTruthy();
  await press('Turn off');
  const question = await screen.findByRole('alertdialog');
  expect(question.textContent).toMatch(/up to 1 year more.*hstspreload\.org/);
  await user.click(within(question).getByRole('button', { name: 'Turn off' }));
  await screen.findByText(/^Ending: browsers forget it/);
  expect(api.updateSslConfig).toHaveBeenLastCalledWith({ params, body: { hsts: { ...DAY, max_age_seconds: 0 } } });
  expect(isDisabled(await force())).toBe(false);
  await press('Stop sending');
  await user.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'Stop sending' }));
  await screen.findByText(/^Off: what your origin says/);
  expect(api.updateSslConfig).toHaveBeenLastCalledWith({ params, body: { hsts: null } });
});

it('turns HSTS on only after what comes of it was read and confirmed, anew for each change of it', async () => {
  await show({ force_https: true });
  await press('Turn on…');
  const dialog = within(await screen.findByRole('dialog'));
  const confirm = dialog.getByRole('button', { name: 'Turn on HSTS' });
  const box = (name: RegExp) => dialog.getByRole('checkbox', { name });
  expect(dialog.getByText(/remember this for 5 minutes after each visit/)).toBeTruthy();
  expect([isDisabled(confirm), isDisabled(box(/^Allow preload/))]).toEqual([true, true]);
  await user.click(box(/^HTTPS works/));
  expect(isDisabled(confirm)).toBe(false);
  await user.click(dialog.getByRole('radio', { name: '1 year' }));
  expect(isDisabled(confirm)).toBe(true);
  await user.click(box(/^Include subdomains/));
  await user.click(box(/^Allow preload/));
  expect(dialog.getByText(/can no longer be opened/)).toBeTruthy();
  expect(dialog.getByText(/takes months/)).toBeTruthy();
  // Preload that its conditions have left is not sent.
  await user.click(dialog.getByRole('radio', { name: '30 days' }));
  expect(dialog.getByText('Strict-Transport-Security: max-age=2592000; includeSubDomains')).toBeTruthy();
  await user.click(dialog.getByRole('radio', { name: '1 year' }));
  await user.click(box(/^HTTPS works/));
  await user.click(confirm);
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(api.updateSslConfig).toHaveBeenCalledExactlyOnceWith({
    params,
    body: { hsts: { max_age_seconds: 31_536_000, include_subdomains: true, preload: true } },
  });
  expect(await screen.findByText(/max-age=31536000; includeSubDomains; preload/)).toBeTruthy();
});

it('keeps the dialog open where HSTS was refused, with what was chosen', async () => {
  api.updateSslConfig.mockRejectedValueOnce(new ApiError(422, undefined, undefined, ['hsts.FORCE_HTTPS_REQUIRED']));
  await show({ force_https: true });
  await press('Turn on…');
  const dialog = within(await screen.findByRole('dialog'));
  await user.click(dialog.getByRole('radio', { name: '1 day' }));
  await user.click(dialog.getByRole('checkbox', { name: /^HTTPS works/ }));
  const confirm = dialog.getByRole('button', { name: 'Turn on HSTS' });
  await user.click(confirm);
  await waitFor(() => expect(api.getSslConfig).toHaveBeenCalledTimes(2));
  expect(dialog.getByRole<HTMLInputElement>('radio', { name: '1 day' }).checked).toBe(true);
  expect(dialog.getByText('Strict-Transport-Security: max-age=86400')).toBeTruthy();
  await user.click(confirm);
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
});

it('tells on how many nodes the change is, and how fast', async () => {
  const change = { state: 'running' as const, committed_at: '2026-07-01T10:00:00.000Z', finished_at: null };
  await show({ force_https: true, change: { ...change, nodes: [node('a', 31.4), node('b', null)] } });
  expect(await screen.findByText('Live on 1/2 nodes so far…')).toBeTruthy();
  kept = { ...kept, change: { ...change, state: 'successful', nodes: [node('a', 31.4), node('b', 48)] } };
  expect(await screen.findByText(/^Live on 2\/2 nodes in 48\sms$/, {}, { timeout: 3000 })).toBeTruthy();
});

const inDays = (days: number) => new Date(Date.now() + days * 86_400_000 + 60_000).toISOString();
it.each([
  [
    'a good one',
    { certificate_expires_at: inDays(61), certificate_finding: 'valid' },
    /trust, until .+ \(61 days left\)/,
  ],
  [
    'one that browsers do not trust',
    { certificate_expires_at: inDays(61), certificate_finding: 'not_trusted' },
    /do not trust/,
  ],
  ['none', { certificate_finding: 'default_certificate' }, /default certificate, which is for another name/],
  ['nothing yet', { certificate_finding: 'no_handshake' }, /No edge node could be asked/],
  ['that of a domain that is off', { status: 'deactivated' }, /not served/],
] as const)('says of the certificate of visitors who get %s what they meet', async (_what, change, words) => {
  await show({}, sampleRoute(change));
  expect(await screen.findByText(words)).toBeTruthy();
});

it('of a domain that is suspended changes nothing; where it cannot be read, it says why', async () => {
  await show(
    { force_https: true, hsts: DAY },
    sampleRoute({ suspension: { scope: 'domain', since: '2026-07-01T10:00:00.000Z', reason: '' } }),
  );
  expect(isDisabled(await force())).toBe(true);
  for (const name of ['Change…', 'Turn off']) expect(isDisabled(screen.getByRole('button', { name }))).toBe(true);
  api.getSslConfig.mockRejectedValue(new ApiError(500, 'INTERNAL', undefined, ['code.INTERNAL']));
  await show();
  expect(await screen.findByRole('button', { name: 'Retry' })).toBeTruthy();
});
