// @vitest-environment happy-dom
import { ApiError, type ErrorBody } from '@cordon/contract';
import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { renderDomains } from '../../../domain/testing/render-domains';
import { sampleRoute, sampleSubscription } from '../../../domain/testing/sample-route';
import { accessibleDescription } from '../../../testing/accessible-description';
import { enterText } from '../../../testing/enter-text';
import AddDomainDialog from './add-domain-dialog';

const api = vi.hoisted(() => ({
  findDomains: vi.fn(),
  createRoute: vi.fn(),
  listSubscriptions: vi.fn(),
  verifyUpstreamProtocol: vi.fn(),
  getRoute: vi.fn(),
}));
vi.mock('../../../app/api-client', () => ({ api, queryClient: { setQueryData: vi.fn(), invalidateQueries: vi.fn() } }));

const refusal = (status: number, body: Partial<ErrorBody> & Record<string, unknown>) => {
  const full = { success: false, message: 'No', request_id: 'r', ...body } as ErrorBody;
  return new ApiError(
    status,
    full.code,
    full,
    Object.entries(body).map(([key, value]) => `${key}.${String(value)}`),
  );
};

async function open(tier: 'free' | 'vip' = 'vip', used?: number) {
  const subscription = sampleSubscription(tier);
  if (used !== undefined)
    Object.assign(subscription, { features: { ...subscription.features, domains: 50 }, usage: { domains: used } });
  api.listSubscriptions.mockResolvedValue({ results: [subscription] });
  const onClose = vi.fn();
  const user = userEvent.setup({ delay: null });
  const view = await renderDomains(<AddDomainDialog onClose={onClose} />);
  const name = await screen.findByRole('textbox', { name: /Domain name/ });
  return { user, onClose, name, ...view };
}
async function toTraffic(user: ReturnType<typeof userEvent.setup>, name: HTMLElement, typed = 'www.example.com') {
  await enterText(user, name, typed);
  await user.click(screen.getByRole('button', { name: 'Continue' }));
  return screen.findByRole('textbox', { name: /Address/ });
}
async function toReview(
  user: ReturnType<typeof userEvent.setup>,
  name: HTMLElement,
  typed?: string,
  host = '192.0.2.10',
) {
  await enterText(user, await toTraffic(user, name, typed), host);
  await user.click(screen.getByRole('button', { name: 'Continue' }));
  return screen.findByRole('button', { name: 'Save and deploy' });
}

beforeEach(() => {
  window.localStorage.clear();
  for (const mock of Object.values(api)) mock.mockReset();
  api.verifyUpstreamProtocol.mockResolvedValue({ result: [] });
  api.findDomains.mockResolvedValue({ result: { domains: [] } });
});

/** What detection finds of a target that fails. */
const failing = (upstream: string, error: 'UPSTREAM_UNREACHABLE' | 'UPSTREAM_FORBIDDEN') => ({
  result: [{ upstream, protocols: [], suggested: null, error }],
});

it('has its steps at once, so that nothing moves when they come', async () => {
  await open();
  expect(screen.getByRole('list', { name: 'Steps' })).toBeTruthy();
});

it('goes no further with a plan that has no name left, and offers no import of more', async () => {
  const { user, name } = await open('vip', 50);
  expect(screen.getByText(/Upgrade it to add more/)).toBeTruthy();
  expect(screen.queryByRole('link', { name: /[Ii]mport/ })).toBeNull();
  await enterText(user, name, 'www.example.com{Enter}');
  expect((screen.getByRole('button', { name: 'Continue' }) as HTMLButtonElement).disabled).toBe(true);
});
it('suggests the import to who has many', async () => {
  await open('vip', 49);
  expect(screen.getByRole('link', { name: /[Ii]mport/ })).toBeTruthy();
});

describe('the name', () => {
  it('is checked as it is typed, but an unfinished name shows no error', async () => {
    const { user, name } = await open();
    await enterText(user, name, 'exam');
    expect(name.getAttribute('aria-invalid')).toBeNull();
    await enterText(user, name, '_ple.com');
    expect(screen.getByText('Use letters, digits, hyphens and dots only')).toBeTruthy();
  });
  it('is taken out of a pasted URL, and the field says so until it is changed', async () => {
    const { user, name } = await open();
    await user.click(name);
    await user.paste('https://shop.example.com/cart');
    expect((name as HTMLInputElement).value).toBe('shop.example.com');
    expect(screen.getByText(/^Taken from the URL\. Covers shop\.example\.com only/)).toBeTruthy();
    await user.type(name, '.mx');
    expect(screen.getByText('Covers shop.example.com.mx only.')).toBeTruthy();
  });
  it('is taken out of a typed URL on the way on', async () => {
    const { user, name } = await open();
    await user.type(name, 'https://shop.example.com:8443/cart');
    await user.click(screen.getByRole('button', { name: 'Continue' }));
    expect((name as HTMLInputElement).value).toBe('shop.example.com');
    expect(await screen.findByRole('textbox', { name: /Address/ })).toBeTruthy();
  });
  it('says of a typed URL the same before and after it is taken apart: the press that leaves the field finds its button', async () => {
    const { user, name } = await open();
    await user.type(name, 'https://shop.example.com/cart?x=1');
    const before = accessibleDescription(name);
    expect(before).toMatch(/^Taken from the URL\. Covers shop\.example\.com only/);
    await user.tab();
    expect((name as HTMLInputElement).value).toBe('shop.example.com');
    expect(accessibleDescription(name)).toBe(before);
  });
  it.each([
    ['main', 'shop.example.com'],
    ['shadow_domain', 'main.example.com'],
  ])('that is %s in the account already is told at once, with a link to its domain', async (found, domain) => {
    const route = { ...sampleRoute(), domain_name_unicode: domain };
    api.findDomains.mockResolvedValue({ result: { domains: [{ found, route }] } });
    const { user, name } = await open();
    await enterText(user, name, 'Shop.example.com');
    await user.click(screen.getByRole('button', { name: 'Continue' }));
    expect(await screen.findByText('You have already added this name')).toBeTruthy();
    expect(api.findDomains).toHaveBeenCalledWith({ query: {}, body: { names: ['shop.example.com'] } });
    expect(screen.getByRole('link', { name: `Open ${domain}` }).getAttribute('href')).toContain(route.id);
    expect(screen.queryByRole('textbox', { name: /Address/ })).toBeNull();
    await user.type(name, '.mx');
    expect(screen.queryByText('You have already added this name')).toBeNull();
    expect(screen.queryByRole('link', { name: /^Open/ })).toBeNull();
  });
  it.each([
    [
      'only a wildcard of the account answers for',
      () => Promise.resolve({ result: { domains: [{ found: 'wildcard', route: sampleRoute() }] } }),
    ],
    ['could not be looked up', () => Promise.reject(new TypeError('offline'))],
  ])('that %s goes on', async (_what, answer) => {
    api.findDomains.mockImplementation(answer);
    const { user, name } = await open();
    expect(await toTraffic(user, name)).toBeTruthy();
  });
  it('loses its error once it is taken out of a URL', async () => {
    const { user, name } = await open();
    await user.click(screen.getByRole('button', { name: 'Continue' }));
    await waitFor(() => expect(name.getAttribute('aria-invalid')).toBe('true'));
    await user.click(name);
    await user.paste('https://shop.example.com/cart');
    expect(name.getAttribute('aria-invalid')).toBeNull();
  });
  it('teaches what it will cover', async () => {
    const { user, name } = await open();
    await enterText(user, name, '*.example.com');
    expect(
      screen.getByText(/Covers one level below example.com.*not a\.www\.example\.com.*all levels later/),
    ).toBeTruthy();
    await user.clear(name);
    await enterText(user, name, 'bücher.example');
    expect(screen.getByText(/xn--bcher-kva.example/)).toBeTruthy();
  });
  it('as a wildcard needs a VIP plan, and shows the upgrade prompt', async () => {
    const { user, name } = await open('free');
    await enterText(user, name, '*.example.com');
    await user.click(screen.getByRole('button', { name: 'Continue' }));
    expect((await screen.findAllByText(/Wildcard domains need a VIP plan/)).length).toBeGreaterThan(0);
    expect(screen.getByText(/VIP plans cover wildcards/)).toBeTruthy();
    expect(screen.queryByText(/Covers/)).toBeNull();
    expect(screen.queryByRole('textbox', { name: /Address/ })).toBeNull();
  });
  it('as a wildcard says again in the review how far it goes', async () => {
    const { user, name } = await open();
    await toReview(user, name, '*.example.com');
    expect(screen.getByText(/Covers one level below example.com.*all levels later/)).toBeTruthy();
  });
});

describe.each(['en', 'zh'] as const)(
  'the rules of names (specification section 5), told at the field in %s',
  (locale) => {
    it.each([
      ['exa_mple.com', 'Use letters, digits, hyphens and dots only', '只能使用字母、数字、连字符和点'],
      [
        `${'a'.repeat(64)}.example.com`,
        'Each part between dots can have at most 63 characters',
        '两个点之间最多 63 个字符',
      ],
      ['wildcard.example.com', 'The subdomain “wildcard” is reserved', '子域名“wildcard”为保留名称'],
      ['a.*.example.com', 'The * must be the whole first part', '泛域名的 * 须单独位于最前'],
      ['*.example.com', 'Wildcard domains need a VIP plan', '泛域名需要 VIP 套餐'],
    ])('%s', async (typed, en, zh) => {
      api.listSubscriptions.mockResolvedValue({ results: [sampleSubscription('free')] });
      await renderDomains(<AddDomainDialog onClose={vi.fn()} />, locale);
      const user = userEvent.setup({ delay: null });
      const name = await screen.findByRole('textbox', { name: locale === 'en' ? 'Domain name' : '域名' });
      await enterText(user, name, typed);
      await user.click(screen.getByRole('button', { name: locale === 'en' ? 'Continue' : '继续' }));
      await waitFor(() => expect(accessibleDescription(name)).toContain(locale === 'en' ? en : zh));
      expect(document.activeElement).toBe(name);
    });
  },
);

it.each([
  ['one', [sampleSubscription('free')], 'Free'],
  [
    'two of different plans',
    [sampleSubscription('free'), { ...sampleSubscription('vip'), cname: 's2.vip01.test' }],
    'Free',
  ],
  [
    'two of one plan',
    [sampleSubscription('free'), { ...sampleSubscription('free'), cname: 's2.free01.test' }],
    `Free – ${sampleSubscription('free').cname}`,
  ],
])('names the plan of %s, and its CNAME only to tell two apart', async (_what, results, label) => {
  api.listSubscriptions.mockResolvedValue({ results });
  await renderDomains(<AddDomainDialog onClose={vi.fn()} />);
  await screen.findByRole('textbox', { name: /Domain name/ });
  expect(screen.getByRole('combobox').textContent).toBe(label);
});

describe('the targets', () => {
  it('are required, and a /0 mask is refused in its own words', async () => {
    const { user, name } = await open();
    const host = await toTraffic(user, name);
    await user.click(screen.getByRole('button', { name: 'Continue' }));
    expect(await screen.findByText('Add at least one origin')).toBeTruthy();
    await enterText(user, host, '192.0.2.0/0');
    await user.click(screen.getByRole('button', { name: 'Continue' }));
    expect(await screen.findByText(/A \/0 mask is not allowed/)).toBeTruthy();
  });
  it('lose the error of a field with what is typed into it', async () => {
    const { user, name } = await open();
    const host = await toTraffic(user, name);
    await enterText(user, host, '192.0.2.0/0');
    await user.click(screen.getByRole('button', { name: 'Continue' }));
    await waitFor(() => expect(host.getAttribute('aria-invalid')).toBe('true'));
    await enterText(user, host, '192.0.2.10');
    expect(host.getAttribute('aria-invalid')).toBeNull();
  });
  it('take a typed port into its own field', async () => {
    const { user, name } = await open();
    const host = await toTraffic(user, name);
    await enterText(user, host, '192.0.2.10:8080');
    await user.tab();
    expect((host as HTMLInputElement).value).toBe('192.0.2.10');
    expect((screen.getByRole('spinbutton', { name: 'Port' }) as HTMLInputElement).value).toBe('8080');
  });
  it('show what answered, and take the suggestion', async () => {
    api.verifyUpstreamProtocol.mockResolvedValue({
      result: [
        {
          upstream: '192.0.2.10',
          protocols: [
            { protocol: 'http', port: 80, answers: false, status: null, ms: null, certificate: null },
            {
              protocol: 'https',
              port: 443,
              answers: true,
              status: 200,
              ms: 41.7,
              certificate: {
                problem: 'self_signed',
                subject: 'my-server',
                issuer: 'my-server',
                expires_at: '2027-01-01T00:00:00Z',
              },
            },
          ],
          suggested: { protocol: 'https', port: 443 },
          error: null,
        },
      ],
    });
    const { user, name } = await open();
    await enterText(user, await toTraffic(user, name), '192.0.2.10');
    await user.click(screen.getByRole('button', { name: 'Detect' }));
    expect((await screen.findByText('HTTPS on 443')).parentElement?.textContent).toMatch(/status 200 · 42\sms/);
    await user.click(screen.getByRole('button', { name: 'Use it' }));
    expect((screen.getByRole('radio', { name: 'HTTPS' }) as HTMLInputElement).checked).toBe(true);
    expect(api.verifyUpstreamProtocol).toHaveBeenCalledWith({
      query: { upstreams: ['192.0.2.10'], server_name: 'www.example.com' },
    });
    // The customer is not to learn from an error page that the certificate does not verify.
    expect(await screen.findByText(/the certificate “my-server” is self-signed/)).toBeTruthy();
    expect(screen.queryByText('The settings below match.')).toBeNull();
    await user.click(await screen.findByRole('button', { name: 'Do not verify' }));
    expect(screen.queryByText(/is self-signed/)).toBeNull();
    expect(screen.getByText('The settings below match.')).toBeTruthy();
  });
});

describe('going on from the targets', () => {
  it('asks them by itself; one that does not answer stands at its field, and can be kept knowingly', async () => {
    api.verifyUpstreamProtocol.mockResolvedValue(failing('origin.example.net', 'UPSTREAM_UNREACHABLE'));
    const { user, name } = await open();
    const host = await toTraffic(user, name);
    await enterText(user, host, 'origin.example.net');
    await user.click(screen.getByRole('button', { name: 'Continue' }));
    await waitFor(() =>
      expect(accessibleDescription(host)).toContain('No answer from this address on the public Internet'),
    );
    expect(document.activeElement).toBe(host);
    expect(screen.queryByRole('button', { name: 'Save and deploy' })).toBeNull();
    await user.click(screen.getByRole('button', { name: 'Keep anyway' }));
    expect(await screen.findByRole('button', { name: 'Save and deploy' })).toBeTruthy();
    // Kept is kept: going back and on asks no more.
    await user.click(screen.getByRole('button', { name: 'Back' }));
    await user.click(await screen.findByRole('button', { name: 'Continue' }));
    expect(await screen.findByRole('button', { name: 'Save and deploy' })).toBeTruthy();
    expect(api.verifyUpstreamProtocol).toHaveBeenCalledTimes(1);
  });
  it('forgets what it found as soon as the address is another', async () => {
    api.verifyUpstreamProtocol.mockResolvedValueOnce(failing('nowhere.example.net', 'UPSTREAM_UNREACHABLE'));
    const { user, name } = await open();
    const host = await toTraffic(user, name);
    await enterText(user, host, 'nowhere.example.net');
    await user.click(screen.getByRole('button', { name: 'Continue' }));
    await screen.findByRole('button', { name: 'Keep anyway' });
    await enterText(user, host, 'x');
    await waitFor(() => expect(screen.queryByRole('button', { name: 'Keep anyway' })).toBeNull());
    expect(host.getAttribute('aria-invalid')).toBeNull();
    await user.click(screen.getByRole('button', { name: 'Continue' }));
    expect(await screen.findByRole('button', { name: 'Save and deploy' })).toBeTruthy();
    expect(api.verifyUpstreamProtocol).toHaveBeenCalledTimes(2);
  });
  it('does not offer to keep an address that is refused', async () => {
    api.verifyUpstreamProtocol.mockResolvedValue(failing('10.0.0.1', 'UPSTREAM_FORBIDDEN'));
    const { user, name } = await open();
    const host = await toTraffic(user, name);
    await enterText(user, host, '10.0.0.1');
    await user.click(screen.getByRole('button', { name: 'Continue' }));
    await waitFor(() =>
      expect(accessibleDescription(host)).toContain(
        'Private or reserved address: the edge cannot reach it. Enter your origin’s public address',
      ),
    );
    expect(screen.queryByRole('button', { name: 'Keep anyway' })).toBeNull();
  });
  describe('where they answer over another protocol than the chosen one', () => {
    const protocols = [
      { protocol: 'http', port: 80, answers: true, status: 200, ms: 4, certificate: null },
      { protocol: 'https', port: 443, answers: false, status: null, ms: null, certificate: null },
    ];
    async function contradict() {
      api.verifyUpstreamProtocol.mockResolvedValue({
        result: [{ upstream: '192.0.2.10', protocols, suggested: { protocol: 'http', port: 80 }, error: null }],
      });
      const { user, name } = await open();
      const host = await toTraffic(user, name);
      await enterText(user, host, '192.0.2.10');
      await user.click(screen.getByRole('radio', { name: 'HTTPS' }));
      await user.click(screen.getByRole('button', { name: 'Continue' }));
      const question = await screen.findByRole('alert');
      expect(question.textContent).toContain('Your origin supports HTTP.');
      expect(screen.queryByRole('button', { name: 'Save and deploy' })).toBeNull();
      return user;
    }
    it('takes what answered with one press, and goes on', async () => {
      const user = await contradict();
      await user.click(screen.getByRole('button', { name: 'Use HTTP' }));
      expect(await screen.findByRole('button', { name: 'Save and deploy' })).toBeTruthy();
      expect(screen.getByText('192.0.2.10:80')).toBeTruthy();
    });
    it('can be kept knowingly', async () => {
      const user = await contradict();
      await user.click(screen.getByRole('button', { name: 'Keep HTTPS' }));
      expect(await screen.findByRole('button', { name: 'Save and deploy' })).toBeTruthy();
      expect(screen.getByText('192.0.2.10:443')).toBeTruthy();
    });
  });
  describe('where the edge will refuse the certificate of an origin that answers', () => {
    const certificate = { problem: 'name', subject: 'other.example', issuer: 'CA', expires_at: null };
    const protocols = [
      { protocol: 'http', port: 80, answers: true, status: 200, ms: 4, certificate: null },
      { protocol: 'https', port: 443, answers: true, status: 200, ms: 4, certificate },
    ];
    async function goOn() {
      api.verifyUpstreamProtocol.mockResolvedValue({
        result: [{ upstream: '192.0.2.10', protocols, suggested: { protocol: 'http_https', port: null }, error: null }],
      });
      const { user, name } = await open();
      const host = await toTraffic(user, name);
      await enterText(user, host, '192.0.2.10');
      await user.click(screen.getByRole('radio', { name: 'HTTPS' }));
      await user.click(screen.getByRole('button', { name: 'Continue' }));
      await waitFor(() =>
        expect(accessibleDescription(host)).toContain(
          'HTTPS will be refused: the certificate “other.example” is not for www.example.com.',
        ),
      );
      expect(document.activeElement).toBe(host);
      expect(screen.queryByRole('button', { name: 'Save and deploy' })).toBeNull();
      return { user, host };
    }
    it('goes on without verification with one press, and says that it answered', async () => {
      const { user } = await goOn();
      await user.click(await screen.findByRole('button', { name: 'Do not verify' }));
      expect(await screen.findByRole('button', { name: 'Save and deploy' })).toBeTruthy();
      expect(screen.getByText('Answered over HTTPS')).toBeTruthy();
    });
    it('can be kept knowingly, and is not called answered', async () => {
      const { user } = await goOn();
      await user.click(await screen.findByRole('button', { name: 'Keep anyway' }));
      expect(await screen.findByRole('button', { name: 'Save and deploy' })).toBeTruthy();
      expect(screen.queryByText('Answered over HTTPS')).toBeNull();
      await user.click(screen.getByRole('button', { name: 'Back' }));
      await user.click(await screen.findByRole('button', { name: 'Continue' }));
      expect(await screen.findByRole('button', { name: 'Save and deploy' })).toBeTruthy();
    });
    it('is not asked over HTTP', async () => {
      const { user, host } = await goOn();
      await user.click(screen.getByRole('radio', { name: 'HTTP' }));
      await waitFor(() => expect(host.getAttribute('aria-invalid')).toBeNull());
      await user.click(screen.getByRole('button', { name: 'Continue' }));
      expect(await screen.findByRole('button', { name: 'Save and deploy' })).toBeTruthy();
    });
  });
  describe('while they are being asked', () => {
    async function ask() {
      // What is not loaded yet would be late for the looks at what does not come.
      await import('./review-step');
      let answer: (found: unknown) => void = () => {};
      api.verifyUpstreamProtocol.mockImplementationOnce(() => new Promise((resolve) => (answer = resolve)));
      const opened = await open();
      const host = await toTraffic(opened.user, opened.name);
      await enterText(opened.user, host, '192.0.2.10');
      await opened.user.dblClick(screen.getByRole('button', { name: 'Continue' }));
      await waitFor(() => expect(api.verifyUpstreamProtocol).toHaveBeenCalled());
      /** Gives what follows from the answer the time it needs. */
      const answerWith = async (found: unknown) => {
        await act(async () => {
          answer(found);
          await new Promise((resolve) => setTimeout(resolve, 50));
        });
      };
      return { ...opened, host, answerWith };
    }
    const stays = () => expect(screen.queryByRole('button', { name: 'Save and deploy' })).toBeNull();

    it.each([
      ['another address', async (user, host) => enterText(user, host, '9')],
      ['another port', async (user) => enterText(user, screen.getByRole('spinbutton', { name: 'Port' }), '81')],
      ['another protocol', async (user) => user.click(screen.getByRole('radio', { name: 'HTTPS' }))],
    ] satisfies [string, (user: Awaited<ReturnType<typeof ask>>['user'], host: HTMLElement) => Promise<unknown>][])(
      '%s is not admitted by the answer of the one before',
      async (_what, change) => {
        const { user, host, answerWith } = await ask();
        await change(user, host);
        await answerWith({ result: [] });
        stays();
        expect(api.verifyUpstreamProtocol).toHaveBeenCalledTimes(1);
        await user.click(screen.getByRole('button', { name: 'Continue' }));
        expect(await screen.findByRole('button', { name: 'Save and deploy' })).toBeTruthy();
        expect(api.verifyUpstreamProtocol).toHaveBeenCalledTimes(2);
      },
    );
    it('another address can be judged at once, and has no error of the one before', async () => {
      const { user, host, answerWith } = await ask();
      await enterText(user, host, '9');
      expect(screen.getByRole('button', { name: 'Continue' }).getAttribute('aria-busy')).toBeNull();
      await answerWith(failing('192.0.2.10', 'UPSTREAM_UNREACHABLE'));
      expect(host.getAttribute('aria-invalid')).toBeNull();
      expect(screen.queryByRole('button', { name: 'Keep anyway' })).toBeNull();
    });
    it('a step that was left moves nothing when they answer', async () => {
      const { user, answerWith } = await ask();
      await user.click(screen.getByRole('button', { name: 'Back' }));
      const name = await screen.findByRole('textbox', { name: /Domain name/ });
      await answerWith({ result: [] });
      stays();
      expect(screen.getByRole('textbox', { name: /Domain name/ })).toBe(name);
    });
    it('a step that was left has no error of theirs when it is come back to', async () => {
      const { user, answerWith } = await ask();
      await user.click(screen.getByRole('button', { name: 'Back' }));
      await answerWith(failing('192.0.2.10', 'UPSTREAM_UNREACHABLE'));
      await user.click(screen.getByRole('button', { name: 'Continue' }));
      expect((await screen.findByRole('textbox', { name: /Address/ })).getAttribute('aria-invalid')).toBeNull();
    });
    it('the question after Escape is not taken away by their answer', async () => {
      const { user, answerWith } = await ask();
      await user.keyboard('{Escape}');
      const question = await screen.findByRole('alertdialog');
      await answerWith({ result: [] });
      await user.click(within(question).getByRole('button', { name: 'Keep editing' }));
      expect(screen.getByRole('textbox', { name: /Address/ })).toBeTruthy();
      stays();
    });
  });
  it('the review is reached through Continue alone, also when it was seen before', async () => {
    const { user, name } = await open();
    await toReview(user, name);
    await user.click(screen.getByRole('button', { name: 'Back' }));
    const steps = within(screen.getByRole('list', { name: 'Steps' })).getAllByRole('button');
    expect(steps.map((step) => (step as HTMLButtonElement).disabled)).toEqual([false, false, true]);
  });
  describe('where nothing could be found out, because there is no network', () => {
    const offline = new ApiError(0, undefined, undefined, ['Please check your network']);
    const answering = (answers: boolean) => {
      const http = { protocol: 'http', port: 80, answers, status: answers ? 200 : null, ms: 4, certificate: null };
      const suggested = answers ? { protocol: 'http', port: null } : null;
      const error = answers ? null : 'UPSTREAM_UNREACHABLE';
      return { result: [{ upstream: '192.0.2.10', protocols: [http], suggested, error }] };
    };
    const detect = () => screen.getByRole('button', { name: 'Detect' });
    const ticks = () => screen.getByRole('list', { name: 'Steps' }).querySelectorAll('.text-success').length;
    async function toUnchecked() {
      api.verifyUpstreamProtocol.mockRejectedValue(offline);
      const { user, name } = await open();
      await toReview(user, name);
      return user;
    }
    it('the review says so, without a tick at the origin, also when that is tried again', async () => {
      const user = await toUnchecked();
      for (const times of [1, 2]) {
        expect(await screen.findByText('Not checked: Please check your network')).toBeTruthy();
        expect(api.verifyUpstreamProtocol).toHaveBeenCalledTimes(times);
        expect(ticks()).toBe(1);
        await user.click(detect());
      }
    });
    it('asks again with one press, and says that they answered', async () => {
      const user = await toUnchecked();
      api.verifyUpstreamProtocol.mockResolvedValue(answering(true));
      await user.click(detect());
      expect(await screen.findByText('Answered over HTTP')).toBeTruthy();
      expect(screen.queryByText(/^Not checked/)).toBeNull();
      expect(ticks()).toBe(2);
    });
    it('leads to the address that does not answer', async () => {
      const user = await toUnchecked();
      api.verifyUpstreamProtocol.mockResolvedValue(answering(false));
      await user.click(detect());
      const host = await screen.findByRole('textbox', { name: /Address/ });
      await waitFor(() => expect(host.getAttribute('aria-invalid')).toBe('true'));
      expect(await screen.findByRole('button', { name: 'Keep anyway' })).toBeTruthy();
    });
  });
  it('is not held back where nothing could be found out', async () => {
    api.verifyUpstreamProtocol.mockRejectedValue(new ApiError(429, 'TOO_MANY_REQUESTS', undefined, []));
    const { user, name } = await open();
    expect(await toReview(user, name)).toBeTruthy();
    expect(api.verifyUpstreamProtocol).toHaveBeenCalledTimes(1);
  });
});

describe('saving', () => {
  it('sends the contract’s body, deploys, and opens the domain', async () => {
    const route = sampleRoute();
    api.createRoute.mockResolvedValue({ result: route });
    api.getRoute.mockResolvedValue({ result: route });
    const { user, name, router } = await open();
    const deploy = await toReview(user, name);
    await enterText(
      user,
      await screen.findByRole('textbox', { name: 'Note for version 1 (optional)' }),
      ' Moved here ',
    );
    await user.click(deploy);
    await waitFor(() => expect(router.state.location.pathname).toBe(`/domain/list/${route.id}`));
    expect(api.createRoute).toHaveBeenCalledWith({
      body: expect.objectContaining({
        cname: 's1.vip01.edge.cordon.test',
        domain_name: 'www.example.com',
        deploy: true,
        note: 'Moved here',
        upstreams: {
          protocol: 'http',
          targets: [{ host: '192.0.2.10', port: null, weight: 1, backup: false }],
          connection_limit: 0,
          tls_verification: 'strict',
          tls_ca: null,
        },
      }),
    });
  });
  it('as draft does not deploy', async () => {
    api.createRoute.mockResolvedValue({ result: sampleRoute() });
    const { user, name } = await open();
    await toReview(user, name);
    await user.click(screen.getByRole('button', { name: 'Save as draft' }));
    await waitFor(() =>
      expect(api.createRoute).toHaveBeenCalledWith({ body: expect.objectContaining({ deploy: false }) }),
    );
  });
  it('leads an error of the API to its field in the right step', async () => {
    api.createRoute.mockRejectedValue(refusal(422, { 'upstreams.targets.0.host': 'UPSTREAM_FORBIDDEN' }));
    const { user, name } = await open();
    await user.click(await toReview(user, name));
    expect(
      await screen.findByText(
        'Private or reserved address: the edge cannot reach it. Enter your origin’s public address',
      ),
    ).toBeTruthy();
    expect(screen.getByRole('textbox', { name: /Address/ }).getAttribute('aria-invalid')).toBe('true');
  });
  it('shows the record that proves a taken name', async () => {
    api.createRoute.mockRejectedValue(
      refusal(422, {
        domain_name: 'DOMAIN_NAME_TAKEN',
        params: { domain_name: { txt_name: '_cordon.www.example.com', txt_value: 'v=1' } },
      }),
    );
    const { user, name } = await open();
    await user.click(await toReview(user, name));
    expect(await screen.findByText('_cordon.www.example.com')).toBeTruthy();
    expect(screen.queryByText(/Covers/)).toBeNull();
  });
  it('shows the upgrade prompt when the quota is reached, and keeps what was typed', async () => {
    api.createRoute.mockRejectedValue(refusal(403, { code: 'QUOTA_REACHED' }));
    const { user, name } = await open();
    await user.click(await toReview(user, name));
    expect(await screen.findByText(/Upgrade it to add more/)).toBeTruthy();
    expect(screen.getByText('192.0.2.10:80')).toBeTruthy();
  });
});

describe('redirecting', () => {
  async function toRedirect(user: ReturnType<typeof userEvent.setup>, name: HTMLElement) {
    await toTraffic(user, name);
    await user.click(screen.getByRole('radio', { name: /Redirect elsewhere/ }));
    return screen.findByRole('textbox', { name: /Redirect to/ });
  }
  it('needs no server, and the review says where to', async () => {
    api.createRoute.mockResolvedValue({ result: sampleRoute() });
    const { user, name } = await open();
    await enterText(user, await toRedirect(user, name), 'https://new.example.org');
    await user.click(screen.getByRole('switch', { name: /Keep path and query/ }));
    await user.click(screen.getByRole('button', { name: 'Continue' }));
    expect(await screen.findByText('Redirects to https://new.example.org/, keeping path and query')).toBeTruthy();
    await user.click(screen.getByRole('button', { name: 'Save and deploy' }));
    await waitFor(() => expect(api.createRoute).toHaveBeenCalledTimes(1));
    const { body } = api.createRoute.mock.calls[0]?.[0] ?? {};
    expect(body).toMatchObject({
      traffic_action: 'redirect',
      plugins: [
        { name: 'redirect', enabled: true, config: { redirect_url: 'https://new.example.org', preserve_path: true } },
      ],
    });
    expect(body).not.toHaveProperty('upstreams');
  });
  it('to the name itself does not get past its step', async () => {
    const { user, name } = await open();
    const url = await toRedirect(user, name);
    await enterText(user, url, 'https://www.example.com/new');
    await user.click(screen.getByRole('button', { name: 'Continue' }));
    expect(await screen.findByText(/redirected forever/)).toBeTruthy();
    expect(document.activeElement).toBe(url);
  });
  it('comes back to its step with what the API refuses', async () => {
    api.createRoute.mockRejectedValue(refusal(422, { 'plugins.0.config.redirect_url': 'REDIRECT_LOOP' }));
    const { user, name } = await open();
    await enterText(user, await toRedirect(user, name), 'https://new.example.org');
    await user.click(screen.getByRole('button', { name: 'Continue' }));
    await user.click(await screen.findByRole('button', { name: 'Save and deploy' }));
    expect((await screen.findByRole('textbox', { name: /Redirect to/ })).getAttribute('aria-invalid')).toBe('true');
    expect(screen.getByText(/redirected forever/)).toBeTruthy();
  });
});

it('begins the step of the targets at the address, which is typed next', async () => {
  const { user, name } = await open();
  const host = await toTraffic(user, name);
  await waitFor(() => expect(document.activeElement).toBe(host));
});

it('begins the review at what is to be read, not at its optional fields, also on the first visit', async () => {
  const { user, name } = await open();
  await toReview(user, name);
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('region', { name: 'Review' })));
});

it.each([
  ['Save as draft', 'Save and deploy'],
  ['Save and deploy', 'Save as draft'],
])('shows at “%s” that it is being done, and not at “%s”', async (pressed, other) => {
  api.createRoute.mockReturnValue(new Promise(() => {}));
  const { user, name } = await open();
  await toReview(user, name);
  await user.click(screen.getByRole('button', { name: pressed }));
  await waitFor(() => expect(screen.getByRole('button', { name: pressed }).getAttribute('aria-busy')).toBe('true'));
  expect(screen.getByRole('button', { name: other }).getAttribute('aria-busy')).toBeNull();
  expect((screen.getByRole('button', { name: other }) as HTMLButtonElement).disabled).toBe(true);
});

it('asks before Escape throws away what was typed', async () => {
  const { user, name, onClose } = await open();
  await enterText(user, name, 'www.example.com');
  await user.keyboard('{Escape}');
  const question = await screen.findByRole('alertdialog');
  expect(onClose).not.toHaveBeenCalled();
  await user.click(within(question).getByRole('button', { name: 'Keep editing' }));
  expect((name as HTMLInputElement).value).toBe('www.example.com');
});
