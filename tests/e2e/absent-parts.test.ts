import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { closePages, openVisitor, sharedBrowser } from '../support/browser.ts';
import { signIn } from '../support/console.ts';
import { type Customer, createCustomer } from '../support/customer.ts';
import { Instance } from '../support/instance.ts';

let instance: Instance;
let browser: Browser;
let customer: Customer;

beforeAll(async () => {
  // What the launcher says where nginx and PowerDNS are missing and may not be installed.
  instance = await Instance.start({ environment: { CORDON_ABSENT_PARTS: 'edge,dns' } });
  [browser, customer] = await Promise.all([sharedBrowser(), createCustomer(instance, 'absent@example.com')]);
});
afterAll(async () => {
  await closePages(browser);
  await instance?.stop();
});

it('starts without the edge and the name server, and says so to the terminal, to probes and above each screen', async () => {
  expect(instance.output).toContain('edge     absent');
  expect(instance.output).toContain('dns      absent');
  expect(instance.running.pids.dns).toBeUndefined();
  const { parts } = (await (await fetch(`${instance.origin}/readyz`)).json()) as {
    parts: { name: string; ok: boolean; state: string }[];
  };
  for (const part of ['edge', 'dns'])
    expect(parts.find(({ name }) => name === part)).toMatchObject({ ok: false, state: 'absent' });
  const { page } = await openVisitor(browser);
  await signIn(page, instance.origin, customer);
  await page.getByText('Not installed on this machine: edge, dns.').waitFor();
});
