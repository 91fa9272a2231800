import { describe, expect, it } from 'vitest';
import {
  ACCESS_LOG_ENTRIES,
  ADDITIONAL_TRAFFIC_MINIMUM_GB,
  BAN_TIMEOUT_DEFAULT_SECONDS,
  BATCH_IMPORT_SUGGESTED_ABOVE,
  BREAKPOINTS_PX,
  CACHE_TTL_DEFAULT_SECONDS,
  CERTIFICATE_DNS_ISSUE_MINUTES,
  CERTIFICATE_HTTP_ISSUE_MINUTES,
  CERTIFICATE_PRICES_USD,
  CERTIFICATE_VALIDITY_DAYS,
  CNAME_PROPAGATION_MINUTES,
  CNAME_PROPAGATION_SLOW_HOURS,
  certificatePem,
  certificateStatus,
  certificateType,
  checkout,
  configureSubscriptionStep,
  czoneName,
  DATE_FORMAT_EN,
  DOMAIN_LABEL_CHARACTERS_MAX,
  DOMAIN_SELECTION_CHARACTERS_MAX,
  domainAction,
  domainStatus,
  ERROR_NOTICE_DURATIONS_MS,
  ERROR_NOTICE_MS,
  ERROR_REPORTING_SAMPLE_RATES,
  geoMode,
  listViewState,
  NOTICE_MS,
  ORIGIN_CONNECTIONS_MAX,
  operations,
  PAGE_SIZE_DEFAULT,
  privateKeyPem,
  RATE_LIMIT_DEFAULTS,
  REQUEST_TIMEOUT_MS,
  RESPONSE_CODE,
  role,
  route,
  SECLINK_EXPIRE_SECONDS,
  SECLINK_SLEEP_SECONDS,
  SPEC_ERROR_MESSAGES,
  SUBSCRIPTIONS_STORAGE_KEY,
  TIME_RANGE_DEFAULT_MINUTES,
  TIME_RANGE_NAMED_PRESETS,
  TIME_RANGE_PRESETS,
  TIME_RANGE_WARNING_MS,
  TOKEN_MINIMUM_VALIDITY_SECONDS,
  TOKEN_REFRESH_CHECK_SECONDS,
  TOP_UP_MINIMUM_USD,
  TRAFFIC_ALERT_DISMISSAL_DAYS,
  TRAFFIC_ALERT_SHARES,
  ticketCategory,
  ticketComment,
  ticketPriority,
  ticketStatus,
  timeRangeAdjustment,
  topUpAmountUsd,
  trafficAction,
  UPSTREAM_PORTS,
  upgradePayload,
  websocketSlot,
} from '../index.ts';

describe('spec section 3, entities', () => {
  it('a domain route carries the fields that the specification lists', () => {
    expect(Object.keys(route.shape)).toEqual(
      expect.arrayContaining([
        'id',
        'domain_name',
        'cname',
        'shadow_domains',
        'draft',
        'ssl_config',
        'status',
        'group_id',
        'remarks',
        'last_deployed',
        'auto_generate_cert',
        'ipv6',
      ]),
    );
    expect(Object.keys(route.shape.ssl_config.shape)).toEqual(['certificate_id', 'force_https']);
  });
  it('a checkout carries the fields that the specification lists', () => {
    expect(Object.keys(checkout.shape)).toEqual(
      'subscriptions txn_id status status_url checkout_url amount_currency1 amount_currency2 currency1 currency2 address item_name type payment_type user bill_no'.split(
        ' ',
      ),
    );
  });
  it('names the clusters, the websocket slots and the storage key', () => {
    expect(czoneName.options).toEqual(['free01', 'free02', 'vip01', 'vip02']);
    expect(websocketSlot.options).toEqual(['issue', 'domain', 'shadow']);
    expect(SUBSCRIPTIONS_STORAGE_KEY).toBe('subscriptions');
  });
  it('knows how certificates come to be', () =>
    expect(certificateType.options).toEqual(['http', 'dns', 'upload', 'auto']));
});

describe('spec section 4, states', () => {
  it('domain status', () => expect(domainStatus.options).toEqual(['running', 'deactivated', 'deleting', 'deleted']));
  it('domain actions', () =>
    expect(domainAction.options).toEqual([
      'deploy',
      'resume',
      'deactivate',
      'delete',
      'clear_cache',
      'enable_force_https',
      'disable_force_https',
    ]));
  it('certificate status', () =>
    expect(certificateStatus.options).toEqual([
      'draft',
      'issued',
      'expiring_soon',
      'expired',
      'pending_validation',
      'error',
      'disabled',
    ]));
  it('tickets', () => {
    expect(ticketStatus.options).toEqual(['new', 'in_progress', 'resolved', 'closed']);
    expect(ticketPriority.options).toEqual(['high', 'low']);
    expect(ticketCategory.options).toEqual(['billing', 'feedback', 'other']);
  });
  it('configure-subscription steps', () =>
    expect(configureSubscriptionStep).toEqual({ domain: '1', upgrade: '2', configure: '3' }));
  it('list view states', () => expect(listViewState.options).toEqual(['none', 'idle', 'loading', 'saving']));
  it('traffic action and geo mode', () => {
    expect(trafficAction.options).toEqual(['upstream', 'redirect']);
    expect(geoMode.options).toEqual(['Blacklist', 'Whitelist']);
  });
  it('time range', () => {
    expect(timeRangeAdjustment.options).toEqual(['relative', 'time_frame', 'custom']);
    expect(TIME_RANGE_DEFAULT_MINUTES).toBe(15);
  });
  it('the token is refreshed every 60 seconds when less than 70 are left', () => {
    expect(TOKEN_REFRESH_CHECK_SECONDS).toBe(60);
    expect(TOKEN_MINIMUM_VALIDITY_SECONDS).toBe(70);
  });
});

describe('spec section 5, rules of later screens', () => {
  it('a warning about the time range shows for 8 seconds', () => expect(TIME_RANGE_WARNING_MS).toBe(8000));
  it('the selected domains may not exceed 1800 characters, a label 63', () => {
    expect(DOMAIN_SELECTION_CHARACTERS_MAX).toBe(1800);
    expect(DOMAIN_LABEL_CHARACTERS_MAX).toBe(63);
    const names = Array.from({ length: 30 }, (_, index) => `${String(index).padStart(48, 'n')}.example.com`);
    const rule = operations.applyRule.body.shape.selection;
    const copy = operations.copyPlugins.body.shape.selection;
    const bulk = operations.bulkRoutes.body.shape.selection;
    for (const selection of [rule, copy, bulk]) {
      expect(selection.safeParse({ names }).success).toBe(true);
      expect(selection.safeParse({ names: [...names, 'x'] }).error?.issues[0]?.message).toBe('SELECTION_TOO_LONG');
    }
  });
  it('the port defaults to 80', () => expect(UPSTREAM_PORTS.http).toBe(80));
  it('the response code is 100 to 900, origin connections at most 5000', () => {
    expect(RESPONSE_CODE).toEqual({ minimum: 100, maximum: 900 });
    expect(ORIGIN_CONNECTIONS_MAX).toBe(5000);
  });
  it('certificate and key begin and end with their markers', () => {
    const wrap = (label: string) => `-----BEGIN ${label}-----\nAAAA\n-----END ${label}-----\n`;
    expect(certificatePem.safeParse(wrap('CERTIFICATE')).success).toBe(true);
    expect(certificatePem.safeParse(`x${wrap('CERTIFICATE')}`).success).toBe(false);
    expect(certificatePem.safeParse(wrap('PRIVATE KEY')).success).toBe(false);
    expect(privateKeyPem.safeParse(wrap('PRIVATE KEY')).success).toBe(true);
    expect(privateKeyPem.safeParse(wrap('CERTIFICATE')).success).toBe(false);
  });
  it('a top-up is at least $200, additional traffic 100 GB', () => {
    expect(TOP_UP_MINIMUM_USD).toBe(200);
    expect(topUpAmountUsd.safeParse(199).success).toBe(false);
    expect(topUpAmountUsd.safeParse(200).success).toBe(true);
    expect(ADDITIONAL_TRAFFIC_MINIMUM_GB).toBe(100);
    const pay = (additional_domain_number: number, additional_traffic: number) =>
      upgradePayload.safeParse({ currency2: 'USD', payment_type: 'card', additional_domain_number, additional_traffic })
        .success;
    expect(pay(0, 99)).toBe(false);
    expect(pay(0, 100)).toBe(true);
    expect(pay(1, 0)).toBe(true);
    expect(pay(0, 0)).toBe(false);
  });
  it('a ticket comment is required', () => expect(ticketComment.safeParse('  ').success).toBe(false));
});

describe('spec section 6, roles', () => {
  it('user, view-attack and dns', () => expect(role.options).toEqual(['user', 'view-attack', 'dns']));
});

describe('spec section 7, calls', () => {
  const calls = Object.values(operations).map((operation) => `${operation.method} ${operation.path}`);
  it.each([
    'GET domain/routes/',
    'DELETE domain/routes/{id}/',
    'GET domain/config/',
    'GET domain/verify-upstream-protocol/',
    'GET plan/subscription/',
  ])('%s is in the contract', (call) => expect(calls).toContain(call));
  it('a route is deleted with its cname in the body', () => {
    expect(operations.deleteRoute.body.safeParse({}).success).toBe(false);
    expect(operations.deleteRoute.body.safeParse({ cname: 'a.free01.edge.cordon.test' }).success).toBe(true);
  });
  it('routes are listed by page, perpage, q or domain_name, 10 a page', () => {
    const query = operations.listRoutes.query.parse({ page: '2', q: 'shop' });
    expect(query).toMatchObject({ page: 2, perpage: 10, q: 'shop' });
    expect(operations.listRoutes.query.safeParse({ domain_name: 'a.com' }).success).toBe(true);
  });
  it('every path ends in a slash and no two operations share method and path', () => {
    for (const operation of Object.values(operations)) expect(operation.path).toMatch(/\/$/);
    expect(new Set(calls).size).toBe(calls.length);
  });
  it('the timeout is 20 minutes', () => expect(REQUEST_TIMEOUT_MS).toBe(20 * 60 * 1000));
});

describe('spec section 8, errors', () => {
  it('the three codes with their words and durations', () => {
    expect(SPEC_ERROR_MESSAGES).toEqual({
      SUBSCRIPTION_NOT_FOUND: 'An error occurred: There was a problem locating your subscription info.',
      GATEWAY_CONNECTION_ERROR: 'Connection to the gateway could not be established.',
      QUOTA_REACHED:
        'You have reached the available domains for your subscription. Please upgrade your subscription to add more domains.',
    });
    expect(ERROR_NOTICE_DURATIONS_MS).toEqual({
      SUBSCRIPTION_NOT_FOUND: 15_000,
      GATEWAY_CONNECTION_ERROR: 15_000,
      QUOTA_REACHED: 5_000,
    });
  });
  it('error notices last 6 seconds, others 3', () => {
    expect(ERROR_NOTICE_MS).toBe(6000);
    expect(NOTICE_MS).toBe(3000);
  });
});

describe('spec section 9, constants', () => {
  it('time range presets', () => {
    expect(TIME_RANGE_PRESETS).toEqual({ minutes: [1, 5, 15], hours: [1, 4], days: [1], weeks: [1], longDays: [30] });
    expect(TIME_RANGE_NAMED_PRESETS).toHaveLength(9);
    expect(DATE_FORMAT_EN).toBe('MMM d, yyyy, HH:mm:ss');
  });
  it('layout and pages', () => {
    expect(BREAKPOINTS_PX).toEqual([760, 992, 1200]);
    expect(PAGE_SIZE_DEFAULT).toBe(10);
  });
  it('certificates', () => {
    expect(CERTIFICATE_VALIDITY_DAYS).toBe(90);
    expect(CERTIFICATE_HTTP_ISSUE_MINUTES).toBe(1);
    expect(CERTIFICATE_DNS_ISSUE_MINUTES).toEqual({ minimum: 5, maximum: 30 });
    expect(CERTIFICATE_PRICES_USD).toEqual({
      multiSubdomainPerDomain: 10,
      wildcard: 100,
      multiRootPerSingleDomain: 20,
      multiRootPerWildcard: 200,
    });
  });
  it('cache, ban, links, rates', () => {
    expect(CACHE_TTL_DEFAULT_SECONDS).toBe(7200);
    expect(BAN_TIMEOUT_DEFAULT_SECONDS).toBe(3600);
    expect([SECLINK_SLEEP_SECONDS, SECLINK_EXPIRE_SECONDS]).toEqual([5, 300]);
    expect(RATE_LIMIT_DEFAULTS).toEqual({ findtime: 240, maxretry: 310, bantime: '3h' });
  });
  it('the rest', () => {
    expect(ACCESS_LOG_ENTRIES).toBe(100);
    expect(CNAME_PROPAGATION_MINUTES).toEqual({ minimum: 5, maximum: 30 });
    expect(CNAME_PROPAGATION_SLOW_HOURS).toBe(2);
    expect(BATCH_IMPORT_SUGGESTED_ABOVE).toBe(10);
    expect(TRAFFIC_ALERT_SHARES).toEqual([0.8, 1]);
    expect(TRAFFIC_ALERT_DISMISSAL_DAYS).toBe(1);
    expect(ERROR_REPORTING_SAMPLE_RATES).toEqual({ traces: 1, replays: 0.1, replaysOnError: 1 });
  });
});
