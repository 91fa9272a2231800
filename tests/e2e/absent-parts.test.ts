import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { launchBrowser, openVisitor } from '../support/browser.ts';
import { signIn } from '../support/console.ts';
import { type Customer, createCustomer } from '../support/customer.ts';
import { Instance } from '../support/instance.ts';

let instance: Instance;
let browser: Browser;
let customer: Customer;

beforeAll(async () => {
  // What the launcher says where nginx is missing and may not be installed.
  instance = await Instance.start({ environment: { CORDON_ABSENT_PARTS: 'edge' } });
  [browser, customer] = await Promise.all([launchBrowser(), createCustomer(instance, 'absent@example.com')]);
});
afterAll(async () => {
  await browser?.close();
  await instance?.stop();
});

it('starts without the edge, and says so to the terminal, to probes and above each screen', async () => {
  expect(instance.output).toContain('edge     absent');
  const { parts } = (await (await fetch(`${instance.origin}/readyz`)).json()) as {
    parts: { name: string; ok: boolean; state: string }[];
  };
  expect(parts.find(({ name }) => name === 'edge')).toMatchObject({ ok: false, state: 'absent' });
  const { page } = await openVisitor(browser);
  await signIn(page, instance.origin, customer);
  await page.getByText('Not installed on this machine: edge.').waitFor();
});
