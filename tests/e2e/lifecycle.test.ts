import type { Route } from '@cordon/contract';
import type { Browser, Page, WebSocketRoute } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { closePages, sharedBrowser } from '../support/browser.ts';
import { fillWizard, notice, openSignedIn, tab } from '../support/console.ts';
import { type Customer, createCustomer, deployDomain } from '../support/customer.ts';
import { edgeRequest } from '../support/edge-request.ts';
import { hold } from '../support/hold.ts';
import type { Instance } from '../support/instance.ts';
import { operate } from '../support/operator.ts';
import { startOrigin, type TestOrigin } from '../support/origin.ts';
import { sharedInstance } from '../support/shared-instance.ts';
import { until } from '../support/until.ts';

const EMAIL = 'lifecycle@example.com';
let instance: Instance;
let browser: Browser;
let customer: Customer;
let old: TestOrigin;
let fresh: TestOrigin;

const says = (text: string) => startOrigin((_req, res) => void res.end(text));

beforeAll(async () => {
  [old, fresh] = await Promise.all([says('old'), says('fresh')]);
  [instance, browser] = await Promise.all([sharedInstance(), sharedBrowser()]);
  customer = await createCustomer(instance, EMAIL, 'vip');
});
afterEach(async () => {
  await closePages(browser);
});
afterAll(async () => {
  await closePages(browser);
  await Promise.all([old?.close(), fresh?.close()]);
});

const ask = (name: string) => edgeRequest(instance.ports.edgeHttp, name);
const answers = (name: string, body: string) =>
  until(`${name} answers ${body}`, async () => (await ask(name)).body === body);
const isGone = (name: string) => until(`${name} is gone`, async () => (await ask(name)).status === 421);

async function openDomain(route: Route, search = '', prepare?: (page: Page) => Promise<void>): Promise<Page> {
  const { page } = await openSignedIn(browser, instance.origin, customer);
  await prepare?.(page);
  await page.goto(`${instance.origin}/#/domain/list/${route.id}${search}`);
  await page.getByRole('heading', { name: route.domain_name, level: 1 }).waitFor();
  return page;
}

async function saveUpstream(page: Page, port: number, how: 'Save as draft' | 'Save and deploy'): Promise<void> {
  await tab(page, 'Upstreams').click();
  await page.getByLabel('Port').fill(String(port));
  await page.getByRole('button', { name: how }).click();
}

async function choose(page: Page, action: 'Deactivate' | 'Delete'): Promise<void> {
  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: action }).click();
}

/** No node answers until it is let go: what is under way stays so. */
const holdNodes = () => hold(() => [instance.pid('edge')]);

/** The page shows what is under way for as long as no node has answered. */
async function showsWhileHeld(page: Page, underWay: string, act: () => Promise<void>): Promise<void> {
  const letGo = holdNodes();
  try {
    await act();
    await page.getByText(underWay).first().waitFor();
  } finally {
    letGo();
  }
}

describe('draft and deploy', () => {
  it('a new domain saved as draft is not live', async () => {
    const name = 'www.drafted.example';
    const { page } = await openSignedIn(browser, instance.origin, customer);
    await page.goto(`${instance.origin}/`);
    const dialog = await fillWizard(page, { name, host: '127.0.0.1', port: old.port });
    await dialog.getByRole('button', { name: 'Save as draft' }).click();
    await notice(page, `${name} is saved. Deploy it when you are ready.`).waitFor();
    await page.getByText('Not deployed', { exact: true }).first().waitFor();
    await page.getByText('Visitors are served once you deploy.').waitFor();
    expect((await ask(name)).status).toBe(421);
  });

  it('a draft changes nothing for visitors, shows what it would change, and goes live when deployed', async () => {
    const name = 'www.changed.example';
    const page = await openDomain(await deployDomain(instance, customer, name, old.port));
    const deploy = page.locator('main').getByRole('button', { name: 'Deploy', exact: true });
    expect(await deploy.isDisabled()).toBe(true);

    await saveUpstream(page, fresh.port, 'Save as draft');
    await notice(page, 'Saved as draft. Not live until you deploy.').waitFor();
    await page.getByRole('button', { name: 'Deploy 1 change' }).click();
    const dialog = page.getByRole('dialog', { name: `Deploy ${name}` });
    await dialog.getByText(`changed by ${EMAIL}`).waitFor();
    const changed = dialog.getByRole('definition').filter({ hasText: `127.0.0.1:${fresh.port}` });
    expect(await changed.textContent()).toContain(`127.0.0.1:${old.port}`);
    expect((await ask(name)).body).toBe('old');

    await dialog.getByLabel('Note for the history (optional)').fill('New server');
    await dialog.getByRole('button', { name: 'Deploy now' }).click();
    await notice(page, `Deploy of ${name} successful`).waitFor();
    expect((await ask(name)).body).toBe('fresh');
    await page.getByText('v2 live').waitFor();

    await tab(page, 'History').click();
    await page.getByRole('row').filter({ hasText: 'New server' }).waitFor();
    await page.getByRole('row').filter({ hasText: /^v1/ }).getByRole('button', { name: 'Compare' }).click();
    const versions = page.getByRole('dialog', { name: 'Compare versions' });
    await versions.getByText('v2 → v1').waitFor();
    const went = versions.getByRole('definition').filter({ hasText: `127.0.0.1:${fresh.port}` });
    expect(await went.textContent()).toContain(`127.0.0.1:${old.port}`);
    await versions.getByRole('radio', { name: 'As JSON' }).check({ force: true });
    const json = versions.getByRole('region', { name: 'As JSON' });
    const line = (port: number) =>
      json
        .getByRole('listitem')
        .filter({ hasText: `"port": ${port}` })
        .textContent();
    expect(await line(old.port)).toMatch(/^\+Added: /);
    expect(await line(fresh.port)).toMatch(/^−Removed: /);
    await versions.getByLabel('Note for the history (optional)').fill('The new server was slower');
    await versions.getByRole('button', { name: /^Roll back/ }).click();
    await page.getByText('v3 live').waitFor();
    await answers(name, 'old');
    const third = page.getByRole('row').filter({ hasText: 'The new server was slower' });
    await third.getByText('Rolled back to version 1').waitFor();
    await third.getByText(EMAIL).waitFor();
  });
});

describe('two tabs on one draft', () => {
  async function typeRefused(page: Page, address: string): Promise<void> {
    const card = page.getByRole('article', { name: 'IP restriction' });
    await card.getByRole('button', { name: /^(Set up|Edit) IP restriction$/ }).click();
    const sheet = page.getByRole('dialog', { name: 'IP restriction' });
    await sheet.getByRole('radio', { name: /^Blocked IPs/ }).check({ force: true });
    await sheet.getByRole('textbox', { name: 'Blocked IPs' }).fill(address);
    await sheet.getByRole('textbox', { name: 'Blocked IPs' }).press('Enter');
  }

  it('the second to save learns who changed what, and can keep both', async () => {
    const name = 'www.contested.example';
    const route = await deployDomain(instance, customer, name, old.port);
    // Deaf to events: it finds out by the answer to its own save, a 409.
    const late = await openDomain(route, '?tab=access', (page) =>
      page.routeWebSocket(/\/api\/v1\/ws\//, (socket) => void socket.close()),
    );
    const conflicts: number[] = [];
    late.on('response', (response) => response.status() === 409 && conflicts.push(409));
    await typeRefused(late, '198.41.128.7');

    const early = await openDomain(route);
    await saveUpstream(early, fresh.port, 'Save as draft');
    await notice(early, /^Saved as draft/).waitFor();

    const sheet = late.getByRole('dialog', { name: 'IP restriction' });
    await sheet.getByRole('button', { name: 'Save and deploy' }).click();
    const conflict = sheet.getByRole('alert').filter({ hasText: `${EMAIL} changed this draft` });
    await conflict.waitFor();
    expect(conflicts).toEqual([409]);
    expect(await conflict.textContent()).toContain(`127.0.0.1:${old.port}`);
    expect(await conflict.textContent()).toContain(`127.0.0.1:${fresh.port}`);
    await conflict.getByRole('button', { name: 'Use theirs, keep what I typed elsewhere' }).click();
    await sheet.getByText('198.41.128.7').first().waitFor();
    await sheet.getByRole('button', { name: 'Save and deploy' }).click();
    await notice(late, `Deploy of ${name} successful`).waitFor();
    const { live } = (await customer.api.getRoute({ params: { id: route.id } })).result;
    expect(live?.upstreams.targets[0]?.port).toBe(fresh.port);
    expect(live?.plugins[0]).toMatchObject({ name: 'ip-restriction', config: { deny: ['198.41.128.7'] } });
  });

  it('a form hears of the other change before it saves, and what was typed stays', async () => {
    const route = await deployDomain(instance, customer, 'www.overheard.example', old.port);
    const page = await openDomain(route, '?tab=access');
    await typeRefused(page, '198.41.128.9');
    const { draft_revision: revision } = (await customer.api.getRoute({ params: { id: route.id } })).result;
    await customer.api.updateRoute({
      params: { id: route.id },
      ifMatch: revision,
      body: { upstreams: { protocol: 'http', targets: [{ host: '127.0.0.1', port: fresh.port }] } },
    });
    const sheet = page.getByRole('dialog', { name: 'IP restriction' });
    await sheet.getByRole('alert').filter({ hasText: 'changed this draft' }).waitFor();
    expect(await sheet.getByRole('button', { name: 'Save and deploy' }).isDisabled()).toBe(true);
    await sheet.getByText('198.41.128.9').first().waitFor();
  });
});

describe('off, on again, gone', () => {
  it('a deactivated domain is told to lose its acceleration, answers no more, and comes back', async () => {
    const name = 'www.paused.example';
    const page = await openDomain(await deployDomain(instance, customer, name, old.port));
    await choose(page, 'Deactivate');
    const question = page.getByRole('alertdialog', { name: `Deactivate ${name}?` });
    await question.getByText(/loses acceleration and protection immediately/).waitFor();
    await question.getByRole('button', { name: 'Cancel' }).click();
    expect((await ask(name)).body).toBe('old');
    await choose(page, 'Deactivate');
    await showsWhileHeld(page, 'Deactivating…', () => question.getByRole('button', { name: 'Deactivate' }).click());
    await notice(page, `${name} is deactivated`).waitFor();
    await until('visitors are told', async () => (await ask(name)).status === 503);
    expect((await ask(name)).body).toContain('Site switched off');
    await page.getByText('Visitors are served again once you resume.').waitFor();

    await page.getByRole('button', { name: 'Resume' }).first().click();
    const resume = page.getByRole('alertdialog', { name: `Resume ${name}?` }).getByRole('button', { name: 'Resume' });
    await showsWhileHeld(page, 'Resuming…', () => resume.click());
    await notice(page, `${name} is live again`).waitFor();
    await answers(name, 'old');
  });

  it('a suspended domain says so where it is open, with the reason, takes no deploy, and comes back', async () => {
    const name = 'www.suspended.example';
    const page = await openDomain(await deployDomain(instance, customer, name, old.port));
    await page.getByRole('link', { name: 'Open site' }).waitFor();
    await operate(instance, 'suspend', 'route', name, '--reason', 'phishing, ticket 7');
    await page.getByText('Visitors are not served').waitFor();
    await page.getByText('Reason: phishing, ticket 7').waitFor();
    expect(await page.getByRole('button', { name: 'Deploy' }).isDisabled()).toBe(true);
    expect(await page.getByRole('link', { name: 'Open site' }).count()).toBe(0);
    await until('visitors are told', async () => (await ask(name)).status === 403);
    await tab(page, 'Diagnose').click();
    await page.getByText('No visitor is served: the domain is suspended.').waitFor();
    await page.getByRole('link', { name: 'Domains' }).first().click();
    const status = page.getByRole('row').filter({ hasText: name }).getByText('Suspended', { exact: true });
    await status.waitFor();

    await operate(instance, 'unsuspend', 'route', name, '--reason', 'cleaned');
    await status.waitFor({ state: 'detached' });
    const { results } = await customer.api.listRoutes({ query: { q: name } });
    expect(results).toMatchObject([{ domain_name: name, status: 'running', suspension: null }]);
    await page
      .getByRole('row')
      .filter({ hasText: name })
      // What is wrong with it is again what is wrong with one that is served.
      .getByText(/^(DNS record missing|No certificate)$/)
      .first()
      .waitFor();
    await answers(name, 'old');
  });

  it('a domain is deleted only with its name typed, and its name is free again', async () => {
    const name = 'www.removed.example';
    const page = await openDomain(await deployDomain(instance, customer, name, old.port));
    await choose(page, 'Delete');
    const question = page.getByRole('alertdialog', { name: `Delete ${name}?` });
    const confirm = question.getByRole('button', { name: 'Delete domain' });
    expect(await confirm.isDisabled()).toBe(true);
    await question.getByRole('textbox').fill('www.removed.exampl');
    await question.getByRole('textbox').press('Enter');
    expect(await confirm.isDisabled()).toBe(true);
    await question.getByRole('textbox').fill(name);
    await showsWhileHeld(page, 'Deleting…', async () => {
      await confirm.click();
      await page.getByRole('heading', { name: 'Domains', level: 1 }).waitFor();
    });
    await notice(page, `${name} is deleted`).waitFor();
    await isGone(name);
    await page.getByRole('row').filter({ hasText: name }).waitFor({ state: 'detached' });
    await deployDomain(instance, customer, name, fresh.port);
  });
});

describe('an operation while the page is reloaded or offline', () => {
  it('a reload in the middle of a deploy loses nothing', async () => {
    const name = 'www.reloaded.example';
    const page = await openDomain(await deployDomain(instance, customer, name, old.port));
    const letGo = holdNodes();
    try {
      await saveUpstream(page, fresh.port, 'Save and deploy');
      await page.getByRole('button', { name: 'Deploying…' }).waitFor();
      await page.reload();
      await page.getByRole('button', { name: 'Deploying…' }).waitFor();
      await tab(page, 'Overview').click();
      await page.getByText('A new version is going live').waitFor();
    } finally {
      letGo();
    }
    await page
      .getByText(/Live on 1\/1 nodes/)
      .first()
      .waitFor();
    await page.getByText('v2 live').waitFor();
    await page.getByRole('button', { name: 'Deploying…' }).waitFor({ state: 'detached' });
    await answers(name, 'fresh');
  });

  it('without the websocket the page says so and asks at intervals', async () => {
    const name = 'www.polled.example';
    const route = await deployDomain(instance, customer, name, old.port);
    const sockets: WebSocketRoute[] = [];
    let isDown = false;
    const page = await openDomain(route, '', (one) =>
      one.routeWebSocket(/\/api\/v1\/ws\//, (socket) => {
        if (isDown) return void socket.close();
        sockets.push(socket);
        socket.connectToServer();
      }),
    );
    await until('the websocket', () => sockets.length > 0);
    const interrupted = page.getByText(/^Live updates are interrupted/);
    expect(await interrupted.count()).toBe(0);
    isDown = true;
    for (const socket of sockets) await socket.close();
    await interrupted.waitFor();

    const letGo = holdNodes();
    try {
      await saveUpstream(page, fresh.port, 'Save and deploy');
      await page.getByRole('button', { name: 'Deploying…' }).waitFor();
    } finally {
      letGo();
    }
    await notice(page, `Deploy of ${name} successful`).waitFor();
    await page.getByText('v2 live').waitFor();
    await answers(name, 'fresh');

    isDown = false;
    await interrupted.waitFor({ state: 'detached', timeout: 40_000 });
  });
});
