import { execFile, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readSettings } from '../../apps/standalone/src/settings.ts';
import { closePages, openVisitor, sharedBrowser, type Visitor } from '../support/browser.ts';
import type { Instance } from '../support/instance.ts';
import { startOrigin } from '../support/origin.ts';
import { sharedInstance } from '../support/shared-instance.ts';
import { until } from '../support/until.ts';

const run = promisify(execFile);
const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');
const section = /## The first protected request\n(.*?)\n## /s.exec(readme)?.[1] ?? '';
const [originLine = '', startLine = ''] = [...section.matchAll(/```sh\n(.*?)\n```/gs)].map(([, line]) => line ?? '');
const texts = section.split(/\n\d\. /).slice(1);
/** What each step says in bold (pressed, with the italics behind it) and as code (typed, run or shown), in its order. */
const steps = texts.map((step) =>
  [...step.matchAll(/\*\*(.+?)\*\*(?: \*([^*]+)\*)?|`(.+?)`/g)].map(([, pressed, of, code = '']) => ({
    bold: of === undefined ? pressed : `${pressed} ${of}`,
    code,
  })),
);
/** What a step says that the page shows. */
const shownOf = (step: number) => [...(texts[step] ?? '').matchAll(/(?<!\*\*) \*([^*]+)\*/g)].map(([, words]) => words);
const pressedOf = (step: number) => (steps[step] ?? []).flatMap(({ bold }) => bold ?? []);
const codesOf = (step: number) => (steps[step] ?? []).flatMap(({ bold, code }) => (bold === undefined ? [code] : []));

let instance: Instance;
let visitor: Visitor;
let page: Page;
let port: number;
let origin: ReturnType<typeof spawn>;
let commandLine = '';

/** Notices are dialogs, too. */
const dialogs = () => page.locator('[role=dialog]:not([role=region] *)');

/** In the dialog that is open, else on the page. */
async function stage(): Promise<Locator> {
  const dialog = dialogs();
  return (await dialog.count()) > 0 ? dialog.last() : page.locator('body');
}

async function press(name: string): Promise<void> {
  const within = await stage();
  const roles = ['button', 'link', 'tab', 'radio'] as const;
  const named = roles.map((role) => within.getByRole(role, { name: new RegExp(`^${name}`) }));
  const [first, ...others] = named;
  const any = others.reduce((all, one) => all.or(one), first as Locator).first();
  await any.waitFor();
  await any.click({ force: (await any.getAttribute('type')) === 'radio' });
}

/** Follows a step of the section as a reader does: presses what is bold, types what is code into the field at hand. */
async function follow(step: number): Promise<void> {
  for (const { bold, code } of steps[step] ?? []) {
    if (bold === undefined) {
      // The step before, with what was typed in it, is there until it has been checked.
      const field = async () => (await stage()).getByRole('textbox').first();
      await until('an empty field', async () => (await (await field()).inputValue()) === '');
      await (await field()).fill(code.replace(/:3000$/, `:${port}`));
    } else await press(bold);
    if (bold === 'Create an account') await register();
  }
}

/** Until no dialog is open. */
const closed = () => dialogs().waitFor({ state: 'detached' });

async function register(): Promise<void> {
  // The form before it asks for an e-mail address, too.
  await page.getByRole('heading', { name: 'Create your account' }).waitFor();
  await page.getByLabel('E-mail address').fill('reader@example.com');
  await page.getByLabel('Password', { exact: true }).fill('a-walk-in-the-orchard-31');
  await page.getByLabel('I accept the terms of service').check();
  await page.getByRole('button', { name: 'Create account' }).click();
  await page.getByText('Add your first domain').waitFor();
}

const curl = async (...more: string[]) => (await run('sh', ['-c', `${commandLine} -sS ${more.join(' ')}`])).stdout;

beforeAll(async () => {
  // A port that the instance allows, as README's own line allows 3000.
  const taken = await startOrigin();
  port = taken.port;
  await taken.close();
  origin = spawn('sh', ['-c', `exec ${originLine.replace('3000', String(port))}`], { stdio: 'ignore' });
  instance = await sharedInstance();
  visitor = await openVisitor(await sharedBrowser());
  page = visitor.page;
});
afterAll(async () => {
  origin.kill();
  await closePages(await sharedBrowser());
});

describe('the first protected request of README', () => {
  it('names an origin that answers, and the settings that allow it', async () => {
    await until('the origin answers', async () =>
      fetch(`http://127.0.0.1:${port}/x`).then(
        async (response) => (await response.text()) === 'origin /x',
        () => false,
      ),
    );
    // The instance that the next steps use runs with the line's settings, with a port of its own, and with no other that it needs.
    const main = instance.pid('main');
    const environment = readFileSync(`/proc/${main}/environ`, 'utf8').split('\0');
    const [program, script, ...settings] = startLine.split(' ').reverse();
    expect([script, program]).toEqual(['npm', 'start']);
    const [trusted, allowed] = settings.map((setting) => setting.replace('3000', String(port)));
    expect(environment).toContain(trusted);
    const [name, address = ''] = (allowed ?? '').split('=');
    expect(name).toBe('CORDON_UPSTREAM_ALLOW');
    expect(environment.find((setting) => setting.startsWith(`${name}=`))).toContain(address);
    expect(settings).toHaveLength(2);
  });

  it('adds and deploys a domain', async () => {
    // Where it starts unless told otherwise, as this instance is.
    const address = readSettings({}, '/').origin;
    expect(readme).toContain(`# console on ${address},`);
    expect(texts[0]).toMatch(new RegExp(`^Open ${address} and press `));
    await page.goto(`${instance.origin}/`);
    await follow(0);
    await closed();
    await page.getByText('v1 live').waitFor();
    const shown = shownOf(0);
    expect(shown).toHaveLength(1);
    await page
      .getByText(new RegExp(`^${shown[0]} in \\d`))
      .first()
      .waitFor();
  });

  it('tries it before any DNS is changed', async () => {
    const [name, answer] = codesOf(1);
    expect(name).toBe('curl');
    expect(pressedOf(1)).toHaveLength(1);
    await press(pressedOf(1)[0] ?? '');
    commandLine = (await page.getByRole('figure').filter({ hasText: 'Command' }).locator('code').textContent()) ?? '';
    expect(commandLine).toMatch(/^curl /);
    expect(await curl()).toBe(answer);
  });

  it('blocks an address, and shows both requests', async () => {
    await follow(2);
    await closed();
    await page.getByText('v2 live').waitFor();
    const [asVisitor = ''] = codesOf(3);
    const blocked = await curl(asVisitor, "-H 'Accept: text/html'", '-D -');
    expect(blocked).toMatch(/^HTTP\/\S+ 403/);
    expect(blocked).toMatch(/x-request-id: [0-9a-f]{32}/i);
    expect(pressedOf(3)).toHaveLength(1);
    await press(pressedOf(3)[0] ?? '');
    const number = (label: string) =>
      page.locator('section').filter({ has: page.getByRole('heading', { name: new RegExp(`^${label} · `) }) });
    await number('Requests').getByText('2', { exact: true }).waitFor();
    await number('Blocked').getByText('1', { exact: true }).waitFor();
  });

  it('leaves no step out, and the page complains of nothing', () => {
    expect(steps).toHaveLength(5);
    // The last one needs a name server: `dns-proof.test.ts` follows it, in these words.
    expect(texts[4]?.trim()).toBe(
      'With a real domain, set the one DNS record that its page shows. It turns green automatically.',
    );
    expect(visitor.complaints).toEqual([]);
  });
});
