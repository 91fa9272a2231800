import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { createServer, type Server } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { closePages, openVisitor, sharedBrowser, type Visitor } from '../support/browser.ts';
import { choose, notice, signIn, tab } from '../support/console.ts';
import { type Customer, createCustomer } from '../support/customer.ts';
import { edgeRequest } from '../support/edge-request.ts';
import type { Instance } from '../support/instance.ts';
import { operate } from '../support/operator.ts';
import { listenAsOrigin } from '../support/origin.ts';
import { sharedInstance } from '../support/shared-instance.ts';
import { until } from '../support/until.ts';

/** A directory to keep pictures of the tab in; none are taken without it. */
const PICTURES = process.env.CORDON_SCREENSHOTS;
const NAME = 'www.locked.example';

let instance: Instance;
let browser: Browser;
let visitor: Visitor;
let page: Page;
let customer: Customer;
let origin: Server;
let port: number;
let certificate: string;
const seen: IncomingMessage[] = [];
let routeId: string;

/** A certificate that the origin signed itself, as hosting panels make them. */
function makeCertificate(): { key: string; cert: string } {
  const dir = mkdtempSync(join(tmpdir(), 'cordon-origin-'));
  const files = ['-keyout', join(dir, 'key.pem'), '-out', join(dir, 'cert.pem')];
  const name = ['-subj', `/CN=${NAME}`, '-addext', `subjectAltName=DNS:${NAME}`];
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
  execFileSync('openssl', ['req', '-x509', ...key, '-days', '30', ...name, ...files], { stdio: 'ignore' });
  const made = { key: readFileSync(join(dir, 'key.pem'), 'utf8'), cert: readFileSync(join(dir, 'cert.pem'), 'utf8') };
  rmSync(dir, { recursive: true });
  return made;
}
const visit = async () => (await edgeRequest(instance.ports.edgeHttp, NAME)).status;
const card = (title: string) =>
  page.locator('section').filter({ has: page.getByRole('heading', { name: title, exact: true, level: 2 }) });
const health = () => card('Health').getByRole('listitem').first();
async function picture(name: string): Promise<void> {
  if (!PICTURES) return;
  mkdirSync(PICTURES, { recursive: true });
  for (const [width, scheme] of [
    [1280, 'light'],
    [390, 'dark'],
  ] as const) {
    await page.setViewportSize({ width, height: 900 });
    await page.emulateMedia({ colorScheme: scheme });
    await page.screenshot({ path: join(PICTURES, `${name}-${width}-${scheme}.png`), fullPage: true });
  }
  await page.setViewportSize({ width: 1280, height: 900 });
  await page.emulateMedia({ colorScheme: 'light' });
}

beforeAll(async () => {
  const made = makeCertificate();
  certificate = made.cert;
  origin = createServer(made, (req, res) => {
    seen.push(req);
    res.end('origin');
  });
  port = await listenAsOrigin(origin);
  [instance, browser] = await Promise.all([sharedInstance(), sharedBrowser()]);
  customer = await createCustomer(instance, 'locked@example.com', 'vip');
  const { result } = await customer.api.createRoute({
    body: {
      cname: customer.subscriptionCname,
      domain_name: NAME,
      upstreams: { protocol: 'https', targets: [{ host: '127.0.0.1', port }] },
      deploy: true,
    },
  });
  routeId = result.id;
  await operate(instance, 'names', 'verify', routeId, '--reason', 'test');
  visitor = await openVisitor(browser);
  page = visitor.page;
  await signIn(page, instance.origin, customer);
  await page.goto(`${instance.origin}/#/domain/list/${routeId}`);
  await tab(page, 'Upstreams').click();
});
afterAll(async () => {
  await closePages(browser);
  origin?.closeAllConnections();
  origin?.close();
});

describe('the Upstreams tab', () => {
  it('shows that the origin is down for its certificate, and why', async () => {
    await until('visitors are refused', async () => (await visit()) === 502);
    await health().getByText('Down', { exact: true }).first().waitFor();
    await health()
      .getByText(/certificate is not from a trusted CA/)
      .waitFor();
  });

  it('says before a deploy that the certificate would not pass', async () => {
    await page.getByRole('button', { name: 'Detect' }).click();
    await page.getByText(`the certificate “${NAME}” is self-signed.`).waitFor();
    await picture('upstreams-warning');
  });

  it('refuses a limit out of bounds and what is no authority, in words', async () => {
    const limit = page.getByLabel('Max concurrent origin requests (per node)');
    await limit.fill('5001');
    await page.getByRole('radio', { name: 'Verify with custom CA' }).check({ force: true });
    await page.getByRole('button', { name: 'Save and deploy' }).click();
    await page.getByText('Enter a whole number from 0 to 5,000; 0 means unlimited').waitFor();
    await limit.fill('50');
    await page.getByRole('button', { name: 'Save and deploy' }).click();
    await page.getByText('Add the certificate of the CA that signed your origin’s').waitFor();
    const pem = page.getByLabel('Certificates to trust');
    await pem.fill('-----BEGIN CERTIFICATE-----\nabc\n-----END CERTIFICATE-----');
    await page.getByText('This cannot be read as a certificate').waitFor();
    expect(await visit()).toBe(502);
  });

  it('trusts the certificate that is pasted, and the visitor is served', async () => {
    await page.getByLabel('Certificates to trust').fill(certificate);
    await page.getByText(`CN=${NAME}`).waitFor();
    await picture('upstreams-tls-ca');
    await page.getByRole('button', { name: 'Save and deploy' }).click();
    await until('visitors are served', async () => (await visit()) === 200);
    const { result } = await customer.api.getRoute({ params: { id: routeId } });
    expect(result.live?.upstreams).toMatchObject({ connection_limit: 50, tls_verification: 'custom' });
    await health().getByText('Up', { exact: true }).waitFor();
  });

  it('tells what the origin is told, with settings to copy', async () => {
    const originSettings = card('Forwarded headers');
    await originSettings.getByText('Show settings for your server').click();
    await originSettings.getByText('set_real_ip_from 127.0.0.1;').waitFor();
    await originSettings.getByText('real_ip_header X-Real-IP;').waitFor();
    await originSettings.getByText(`ufw allow proto tcp from 127.0.0.1 to any port ${port}`).waitFor();
    await originSettings.getByRole('radio', { name: 'nftables' }).check({ force: true });
    await originSettings.getByText(`ip saddr { 127.0.0.1 } tcp dport { ${port} } accept`).waitFor();
    await choose(page, originSettings.getByRole('combobox', { name: 'Server' }), 'Apache');
    await originSettings.getByText('RemoteIPTrustedProxy 127.0.0.1').waitFor();
    await picture('upstreams-told');
  });

  it('locks the origin with a secret that only it and the edge know, and changes it without a gap', async () => {
    const lock = card('Origin lock');
    const sent = async (value: string) => {
      await visit();
      return seen.at(-1)?.headers['cordon-origin-key'] === value;
    };
    const shown = async (label: string) =>
      ((await lock.getByRole('figure').filter({ hasText: label }).locator('code').textContent()) ?? '').trim();
    await visit();
    expect(seen.at(-1)?.headers).not.toHaveProperty('cordon-origin-key');
    await lock.getByRole('button', { name: 'Turn on' }).click();
    await notice(page, 'The origin lock is on').waitFor();
    await lock.getByRole('button', { name: 'Show the secret' }).click();
    const first = await shown('Current secret');
    await until('the first value is sent', () => sent(first));
    await lock.getByText(`"${first}" 1;`).waitFor();

    await lock.getByRole('button', { name: 'Change the secret' }).click();
    await lock.getByText('First let your origin accept both secrets').waitFor();
    await lock.getByRole('button', { name: 'Show the secret' }).click();
    const next = await shown('New secret');
    expect(next).not.toBe(first);
    expect(await sent(first)).toBe(true);
    await picture('upstreams-lock');
    await lock.getByRole('button', { name: 'Use the new secret' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Use the new secret' }).click();
    await until('the next value is sent', () => sent(next));

    await lock.getByRole('button', { name: 'Turn off' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Turn off' }).click();
    await until('nothing is sent', async () => {
      await visit();
      return seen.at(-1)?.headers['cordon-origin-key'] === undefined;
    });
    // The edge knows before the console does: a dialog that is still open takes the focus from a field, and with it what is typed.
    await page.getByRole('alertdialog').waitFor({ state: 'detached' });
    await lock.getByRole('button', { name: 'Turn on' }).waitFor();
  });
});

describe('the rules of upstreams (spec section 5)', () => {
  const target = (index: number) => page.locator(`input[name="upstreams.targets.${index}.host"]`);
  const save = () => page.getByRole('button', { name: 'Save as draft' }).click();
  const discard = () => page.getByRole('button', { name: 'Discard' }).click();

  const refused: [host: string, words: string][] = [
    ['', 'Add at least one origin'],
    ['0.0.0.0/0', 'A /0 mask is not allowed'],
    ['198.41.128.0/24', 'Enter a single address, not a range'],
    ['not a host', 'Enter a host name or an IP address'],
    ...['127.0.0.2', '10.1.2.3', '169.254.169.254', '224.0.0.1', '0.0.0.0', '240.0.0.1', 'fe80::1', '::'].map(
      (host): [string, string] => [
        host,
        'Private or reserved address: the edge cannot reach it. Enter your origin’s public address',
      ],
    ),
  ];
  it.each(refused)('refuse %j at its field', async (host, words) => {
    await target(0).fill(host);
    await page.locator('input[name="upstreams.targets.0.host"]').blur();
    await save();
    await page.locator('input[name="upstreams.targets.0.host"][aria-invalid=true]').waitFor();
    const described = (await target(0).getAttribute('aria-describedby')) ?? '';
    const [id = ''] = described.split(' ');
    const text = await page.locator(`[id="${id}"]`).textContent();
    expect(text).toContain(words);
    await discard();
  });

  it.each([
    ['the top', () => window.scrollTo(0, 0)],
    ['the end', () => window.scrollTo(0, document.documentElement.scrollHeight)],
  ])(
    'lead to what is refused between the bars of a phone, and count it beside the buttons, from %s',
    async (_, scroll) => {
      await page.setViewportSize({ width: 390, height: 844 });
      await target(0).fill('127.0.0.2');
      await page.evaluate(scroll);
      await save();
      await page.getByText('1 setting needs fixing').waitFor();
      const error = page.getByText('Private or reserved address');
      await until('the field and what is wrong with it are in sight', async () => {
        const [top, field, words, bar] = await Promise.all([
          page.locator('header').first().boundingBox(),
          target(0).boundingBox(),
          error.boundingBox(),
          page.locator('.sticky').filter({ hasText: '1 setting needs fixing' }).boundingBox(),
        ]);
        if (!top || !field || !words || !bar) return false;
        return field.y >= top.y + top.height && words.y + words.height <= bar.y;
      });
      await discard();
      await page.setViewportSize({ width: 1280, height: 900 });
    },
  );

  it('refuse the same target twice', async () => {
    await page.getByRole('button', { name: 'Add origin' }).click();
    await target(1).fill('127.0.0.1');
    await page.getByLabel('Port').nth(1).fill(String(port));
    await save();
    await page.locator('input[name="upstreams.targets.1.host"][aria-invalid=true]').waitFor();
    await discard();
  });

  it('take no port where the edge follows the visitor, and stand for port 80 with HTTP', async () => {
    await page.getByText('HTTP', { exact: true }).click();
    expect(await page.getByLabel('Port').first().getAttribute('placeholder')).toBe('80');
    await page.getByText('Match visitor protocol', { exact: true }).click();
    expect(await page.getByLabel('Port').count()).toBe(0);
    await discard();
  });

  it('offer a free account the upgrade prompt where it asks for a name', async () => {
    const free = await createCustomer(instance, 'free@example.com');
    const { result } = await free.api.createRoute({
      body: {
        cname: free.subscriptionCname,
        domain_name: 'www.free.example',
        upstreams: { protocol: 'http', targets: [{ host: '198.41.128.7' }] },
      },
    });
    const other = await openVisitor(browser);
    await signIn(other.page, instance.origin, free);
    await other.page.goto(`${instance.origin}/#/domain/list/${result.id}?tab=upstreams`);
    await other.page.locator('input[name="upstreams.targets.0.host"]').fill('origin.example.net');
    await other.page.getByRole('button', { name: 'Save as draft' }).click();
    await other.page.locator('input[name="upstreams.targets.0.host"][aria-invalid=true]').waitFor();
    await other.page.getByText(/VIP/).first().waitFor();
    await other.close();
  });
});

it('complained about nothing', () => {
  expect(visitor.complaints.filter((line) => !/status of 4\d\d/.test(line))).toEqual([]);
});
