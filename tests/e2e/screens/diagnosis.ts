import { domain, named, type Screen } from './screen.ts';

export const diagnosis: readonly Screen[] = [
  {
    name: 'domain, diagnosed',
    account: 'full',
    hash: domain('live', 'diagnosis'),
    open: (page) => page.locator('[data-diagnosis]').waitFor(),
  },
  {
    name: 'domain, diagnosed while waiting for DNS, with a long name',
    account: 'full',
    hash: domain('long', 'diagnosis'),
    async open(page) {
      await page.locator('[data-diagnosis]').waitFor();
      await page.locator('[data-check=ownership][data-state=error] dl').waitFor();
    },
  },
  {
    name: 'domain, a traced request that is refused',
    account: 'full',
    hash: () => `${domain('live', 'diagnosis')()}&view=trace`,
    async open(page, words) {
      await page.getByLabel(words('diagnosis.trace.client')).fill('198.41.128.7');
      await named(page, 'button', words('diagnosis.trace.run')).click();
      await page.locator('[data-answer=block]').waitFor();
    },
  },
  {
    name: 'domain, a traced request that goes on',
    account: 'full',
    hash: () => `${domain('long', 'diagnosis')()}&view=trace`,
    async open(page, words) {
      await page.getByLabel(words('diagnosis.trace.headers')).fill('X-Forwarded-For: 10.0.0.1\nAccept: text/html');
      await named(page, 'button', words('diagnosis.trace.run')).click();
      await page.locator('[data-answer=origin]').waitFor();
    },
  },
  {
    name: 'domain, a test attack',
    account: 'full',
    hash: domain('live', 'diagnosis'),
    async open(page, words) {
      await page.locator('[data-diagnosis]').waitFor();
      await named(page, 'button', words('diagnosis.testAttack.send')).click();
      await page.locator('[data-attack]').first().waitFor();
    },
  },
];
