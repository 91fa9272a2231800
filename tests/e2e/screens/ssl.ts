import type { Page } from 'playwright-core';
import { domain, NAMES, named, type Screen, type Words } from './screen.ts';

const hsts = { max_age_seconds: 31_536_000, include_subdomains: true, preload: true };
const node = (name: string, live_ms: number) => ({
  ...{ node: name, state: 'live', version: 3, live_ms, probe_status: 200, refusal: null, at: null },
});

/** A domain with a certificate, which the instance of the tests has none of. */
const withCertificate = (more: object) => (page: Page) =>
  page.route(/\/ssl-config\//, (route) =>
    route.fulfill({
      json: {
        success: true,
        result: {
          ...{ certificate_id: null, has_certificate: true, force_https: true, hsts: null, change: null },
          preload_of: { name: 'live.example', is_served: true },
          ...more,
        },
      },
    }),
  );

const openDialog = async (page: Page, words: Words) => {
  await named(page, 'button', words('ssl.hsts.turnOn')).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('radio').nth(3).click();
  await dialog.getByRole('checkbox').nth(0).click();
  await dialog.getByRole('checkbox').nth(1).click();
  await dialog.getByText('includeSubDomains; preload').waitFor();
};

export const ssl: readonly Screen[] = [
  {
    name: 'domain, SSL, without a certificate',
    account: 'full',
    hash: domain('live', 'ssl'),
    open: (page, words) => page.getByText(words('ssl.force.needed', { name: NAMES.live })).waitFor(),
  },
  {
    name: 'domain, SSL, HTTPS forced with HSTS',
    account: 'full',
    hash: domain('live', 'ssl'),
    prepare: withCertificate({
      hsts,
      change: {
        ...{ state: 'successful', committed_at: '2026-07-01T10:00:00.000Z', finished_at: null },
        nodes: [node('fra-1', 31.4), node('sgp-1', 182)],
      },
    }),
    open: (page, words) => named(page, 'button', words('ssl.hsts.turnOff')).waitFor(),
  },
  {
    name: 'HSTS with all that comes of it',
    account: 'full',
    hash: domain('live', 'ssl'),
    prepare: withCertificate({}),
    open: openDialog,
  },
];
