// @vitest-environment happy-dom
import { screen } from '@testing-library/react';
import { beforeEach, expect, it, vi } from 'vitest';
import { getBrand } from '../../../app/brand';
import { renderDomains } from '../../../domain/testing/render-domains';
import { sampleRoute, sampleSuspension } from '../../../domain/testing/sample-route';
import { StatusSummary } from './status-summary';

/** Calls without an answer wait for ever. */
const api = vi.hoisted(() => ({ getTrafficOverview: vi.fn() }));
vi.mock('../../../app/api-client', () => ({
  api: new Proxy(api, { get: (known, name) => Reflect.get(known, name) ?? (() => new Promise(() => {})) }),
  queryClient: {},
}));
beforeEach(() => {
  api.getTrafficOverview.mockReset().mockReturnValue(new Promise(() => {}));
  Object.assign(getBrand(), { support_email: 'support@cordon.test' });
});

it.each([
  [
    'en',
    'domain',
    'No, it is suspended',
    /^Since .*2026.* visitors get a page/,
    'Reason: phishing, ticket 7',
    /^The provider suspended it /,
  ],
  [
    'en',
    'account',
    'No, it is suspended',
    /^Since .*2026.* your whole account is/,
    'Reason: phishing, ticket 7',
    /^The provider suspended your account /,
  ],
  ['zh', 'domain', '否，已被暂停', /^自 .*2026.* 起，访客/, '原因：phishing, ticket 7', /，服务商暂停了此域名$/],
] as const)(
  'says in %s of a suspended %s that it does not work, since when, why, and whom to write to',
  async (...row) => {
    const [locale, scope, answer, since, reason, changed] = row;
    await renderDomains(<StatusSummary route={sampleRoute({ suspension: sampleSuspension({ scope }) })} />, locale);
    expect(screen.getByText(answer).className).toContain('text-danger');
    expect(screen.getByText(since)).toBeTruthy();
    expect(screen.getByText(reason)).toBeTruthy();
    expect(screen.getByRole('link').getAttribute('href')).toBe('mailto:support@cordon.test');
    expect(screen.getByText(changed)).toBeTruthy();
    expect(screen.queryByText(/all is well|一切正常/)).toBeNull();
  },
);

it.each([
  ['running', '50% were answered with a server error.'],
  ['deactivated', undefined],
] as const)(
  'counts what the servers of a domain that is %s answer, and not what the edge says of it',
  async (status, errors) => {
    const totals = { requests: 10, bytes: 0, blocked: 0, status_2xx: 5, status_3xx: 0, status_4xx: 0, status_5xx: 5 };
    api.getTrafficOverview.mockResolvedValue({ result: { totals } });
    await renderDomains(<StatusSummary route={sampleRoute({ status })} />);
    const numbers = (await screen.findByText(/requests in the last 24 hours/)).textContent ?? '';
    expect(/[0-9]+% .*error\./.exec(numbers)?.[0]).toBe(errors);
  },
);
