import { readFileSync } from 'node:fs';
import pg from 'pg';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { closePages, openVisitor, sharedBrowser, type Visitor } from '../support/browser.ts';
import { signIn } from '../support/console.ts';
import { type Customer, createCustomer } from '../support/customer.ts';
import { edgeRequest } from '../support/edge-request.ts';
import type { Instance } from '../support/instance.ts';
import { longestTaskOf } from '../support/longest-task.ts';
import { operate } from '../support/operator.ts';
import { startOrigin, type TestOrigin } from '../support/origin.ts';
import { sharedInstance } from '../support/shared-instance.ts';
import { until } from '../support/until.ts';

/** Longest processor time for which the page may not answer while 5,000 rows are opened and checked. */
const LONGEST_TASK_MS_MAX = 100;

let instance: Instance;
let origin: TestOrigin;
let browser: Browser;
let customer: Customer;
let visitor: Visitor;
let page: Page;

beforeAll(async () => {
  origin = await startOrigin();
  [instance, browser] = await Promise.all([sharedInstance(), sharedBrowser()]);
  customer = await createCustomer(instance, 'import@example.com', 'vip');
  visitor = await openVisitor(browser, { acceptDownloads: true });
  page = visitor.page;
  await signIn(page, instance.origin, customer);
});
afterAll(async () => {
  await closePages(browser);
  await origin?.close();
});

/** Drops a file on the field, as a hand with a mouse does. */
async function drop(name: string, text: string): Promise<void> {
  const transfer = await page.evaluateHandle(
    ([fileName, content]) => {
      const data = new DataTransfer();
      data.items.add(new File([content as string], fileName as string, { type: 'text/csv' }));
      return data;
    },
    [name, text],
  );
  await page.locator('[data-drop]').dispatchEvent('drop', { dataTransfer: transfer });
}

const cell = (column: string, row: number) => page.getByLabel(`${column}, row ${row}`, { exact: true });
/** What the page says about a cell: the element that it is described by. */
async function messageAt(column: string, row: number): Promise<string> {
  const id = await cell(column, row).getAttribute('aria-describedby');
  return id === null ? '' : ((await page.locator(`[id="${id}"]`).textContent()) ?? '');
}
const status = (words: string | RegExp) => page.getByRole('status').filter({ hasText: words });

describe('an import, from the file to the domains', () => {
  const file = () =>
    [
      'domain_name,protocol,upstreams,status,remarks',
      `www.one.example,http,127.0.0.1:${origin.port},running,"Shop, north"`,
      `www.two.example,ftp,127.0.0.1:${origin.port},live,`,
      `wildcard.three.example,http,10.0.0.1,running,-`,
      `www.four.example,http,10.0.0.1,deactivated,-`,
      `www.one.example,http,127.0.0.1:${origin.port},running,${'All that the shop of the north is known for. '.repeat(3)}`,
    ].join('\r\n');

  it('refuses a file without its header row, in words', async () => {
    await page.getByRole('navigation').getByRole('link', { name: 'Import domains', exact: true }).click();
    await page.getByRole('heading', { name: 'Import domains', level: 1 }).waitFor();
    await drop('no-header.csv', 'www.one.example,http,198.41.128.7,running\n');
    await page.getByRole('alert').getByText('The header row is missing.').waitFor();
  });

  it('shows every wrong cell in its place, what only the API knows too', async () => {
    await drop('domains.csv', file());
    await status('4 rows need fixing (of 5)').waitFor();
    expect(await messageAt('Protocol', 3)).toContain('Choose http, https or http_https');
    expect(await messageAt('Status', 3)).toContain('Choose running or deactivated');
    expect(await messageAt('Remarks', 3)).toContain('1 cell is empty.');
    expect(await messageAt('Domain name', 4)).toContain('“wildcard” is reserved');
    expect(await messageAt('Domain name', 6)).toContain('Row 2 already has this name');
    await until('the answer of the API', async () => (await messageAt('Upstreams', 5)).includes('10.0.0.1: '));
    // What has to be mended is shown first.
    expect(await cell('Domain name', 2).count()).toBe(0);
    await page.getByRole('radio', { name: 'All (5)' }).check({ force: true });
    expect(await messageAt('Domain name', 2)).toBe('');
    expect(await page.getByRole('button', { name: /^Import \d/ }).isDisabled()).toBe(true);
  });

  it('has what is wrong with a row over its whole width, and room for what its cells hold', async () => {
    const tables = page.getByRole('table');
    const { row, note, cells, cut, covered } = await tables.evaluate((table) => {
      const found = table.querySelector('#row-4-domain_name') as Element;
      const width = (element: Element | null) => Math.round(element?.getBoundingClientRect().width ?? 0);
      const fields = [...table.querySelectorAll('textarea')].filter((field) => width(field) > 0);
      return {
        row: width(found.closest('tr')),
        note: width(found.closest('td')),
        cells: fields.length,
        covered: [...table.querySelectorAll('select')].flatMap((select) => {
          const arrow = select.parentElement?.querySelector('svg')?.getBoundingClientRect().left ?? 0;
          const { font, paddingLeft } = getComputedStyle(select);
          const pen = document.createElement('canvas').getContext('2d') as CanvasRenderingContext2D;
          pen.font = font;
          const end =
            select.getBoundingClientRect().left + Number.parseFloat(paddingLeft) + pen.measureText(select.value).width;
          return end > arrow ? [select.value] : [];
        }),
        cut: fields
          .filter((field) => field.scrollWidth > field.clientWidth || field.scrollHeight > field.clientHeight)
          .map(({ value }) => value),
      };
    });
    expect(cells).toBeGreaterThan(9);
    expect(note).toBe(row);
    expect(row).toBeGreaterThan(800);
    expect(cut).toEqual([]);
    expect(covered).toEqual([]);
  });

  it('is mended in place: chosen, typed, filled, removed', async () => {
    await page.getByRole('radio', { name: 'Only errors (4)' }).check({ force: true });
    await until('four rows', async () => (await page.getByRole('row').count()) === 5);
    await cell('Protocol', 3).selectOption('http');
    await cell('Status', 3).selectOption('deactivated');
    await page.getByRole('button', { name: 'Enter - in 1 cell' }).click();
    await cell('Upstreams', 5).fill(`127.0.0.1:${origin.port}`);
    await cell('Upstreams', 5).press('Enter');
    await cell('Domain name', 4).fill('www.three.example');
    await cell('Domain name', 4).press('Tab');
    await cell('Upstreams', 4).fill(`127.0.0.1:${origin.port}`);
    await cell('Upstreams', 4).press('Enter');
    await page.getByRole('button', { name: 'Remove row 6' }).click();
    await status('All 4 rows are ready').waitFor();
  });

  it('runs, survives a reload, and tells the result of each row', async () => {
    await page.getByRole('button', { name: 'Import 4 domains' }).click();
    await page.waitForURL(/\/domain\/import\?batch=/);
    await page.reload();
    const panel = page.getByRole('region', { name: /^Import 4 domains$|^4 domains imported$/ });
    await panel.getByText('Successful', { exact: true }).waitFor();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      panel.getByRole('button', { name: 'Results as CSV' }).click(),
    ]);
    const csv = readFileSync(await download.path(), 'utf8');
    // For Excel, which takes the region's encoding without it.
    expect(csv.startsWith('\ufeff')).toBe(true);
    expect(csv.slice(1).trimEnd().split('\r\n').sort()).toEqual(
      [
        'Row,Domain,Result,Reason',
        ...['one', 'two', 'three', 'four'].map((label, at) => `${at + 2},www.${label}.example,successful,`),
      ].sort(),
    );
    const { results } = await customer.api.listRoutes();
    expect(results.map((route) => [route.domain_name, route.status, route.version_live, route.remarks])).toEqual([
      ['www.four.example', 'deactivated', null, ''],
      ['www.one.example', 'running', 1, 'Shop, north'],
      ['www.three.example', 'running', 1, ''],
      ['www.two.example', 'deactivated', null, ''],
    ]);
    const id = results.find((route) => route.domain_name === 'www.one.example')?.id ?? '';
    await operate(instance, 'names', 'verify', id, '--reason', 'test');
    await until('the domain is served', async () => {
      const answer = await edgeRequest(instance.ports.edgeHttp, 'www.one.example');
      return answer.status === 200;
    });
  });

  it('is found again later, and the template is what the screen says it is', async () => {
    await page.getByRole('button', { name: 'Import another file' }).click();
    await page.getByRole('link', { name: '4 domains' }).waitFor();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Excel template' }).click(),
    ]);
    expect(download.suggestedFilename()).toBe('domains-template.xlsx');
    await page.locator('input[type=file]').setInputFiles(await download.path());
    await status('1 row is ready').waitFor();
    await page.getByRole('button', { name: 'Another file' }).click();
  });
});

it('brings shadow domains along with the domain that is deployed', async () => {
  const rows = [
    `www.five.example,http,127.0.0.1:${origin.port},deactivated,"five.example, shop.five.example"`,
    `www.six.example,http,127.0.0.1:${origin.port},running,www.one.example`,
  ];
  await drop('aliases.csv', ['domain_name,protocol,upstreams,status,aliases', ...rows].join('\r\n'));
  await status('2 rows need fixing (of 2)').waitFor();
  expect(await messageAt('Aliases', 2)).toContain('Aliases are added with the deploy');
  expect(await messageAt('Aliases', 3)).toContain('www.one.example: ');
  await cell('Status', 2).selectOption('running');
  await cell('Aliases', 3).fill('-');
  await cell('Aliases', 3).press('Enter');
  await status('All 2 rows are ready').waitFor();
  await page.getByText('4 names needed').waitFor();
  await page.getByRole('button', { name: 'Import 2 domains' }).click();
  const panel = page.getByRole('region', { name: /^Import 2 domains$|^2 domains imported$/ });
  await panel.getByText('Successful', { exact: true }).waitFor();
  const { results } = await customer.api.listRoutes({ query: { q: 'www.five' } });
  const { result } = await customer.api.getRoute({ params: { id: results[0]?.id ?? '' } });
  expect([...result.shadow_domains].sort()).toEqual(['five.example', 'shop.five.example']);
  await page.getByRole('button', { name: 'Import another file' }).click();
});

it('is suggested only to accounts with more than 10 domains', async () => {
  const list = () => page.goto(`${instance.origin}/#/domain/list`);
  const suggestion = page.getByRole('dialog').getByRole('link', { name: 'Import them from a file' });
  const add = () => page.getByRole('button', { name: 'Add domain' }).first().click();
  await list();
  await page.getByRole('link', { name: 'www.one.example' }).waitFor();
  await add();
  await page.locator('input[name=domain_name]').waitFor();
  expect(await suggestion.count()).toBe(0);
  await page.keyboard.press('Escape');
  const rows = Array.from({ length: 7 }, (_, at) => ({
    row: at + 2,
    domain_name: `more-${at}.example`,
    protocol: 'http',
    upstreams: '198.41.128.7',
    status: 'deactivated',
  }));
  await customer.api.startImport({ body: { cname: customer.subscriptionCname, rows } });
  // The last of the first page: what needs fixing comes before.
  await page.getByRole('link', { name: 'more-5.example' }).waitFor();
  await page.reload();
  await add();
  await suggestion.waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('main').getByRole('button', { name: 'Import', exact: true }).click();
  await page.getByRole('heading', { name: 'Import domains', level: 1 }).waitFor();
});

it('the page answers while 5,000 rows are read, checked and looked through', async () => {
  const db = new pg.Client({ connectionString: instance.running.databaseUrl });
  await db.connect();
  await db.query('UPDATE subscriptions SET additional_domain_number = 5000 WHERE cname = $1', [
    customer.subscriptionCname,
  ]);
  await db.end();
  const rows = Array.from(
    { length: 5_000 },
    (_, at) => `host-${at}.large.example,${at === 4_898 ? 'ftp' : 'http'},198.41.128.7,running,Row ${at}`,
  );
  const startedAt = performance.now();
  let openedMs = 0;
  let checkedMs = 0;
  const longest = await longestTaskOf(browser, async () => {
    await drop('large.csv', ['domain_name,protocol,upstreams,status,remarks', ...rows].join('\n'));
    await page.getByText('5,000 rows read').waitFor();
    openedMs = performance.now() - startedAt;
    await status('1 row needs fixing (of 5,000)').waitFor();
    await page.getByRole('radio', { name: 'Only errors (1)' }).check({ force: true });
    await page.getByLabel('Protocol, row 4,900', { exact: true }).selectOption('http');
    // The API has seen all of them.
    await status('All 5,000 rows are ready').waitFor();
    checkedMs = performance.now() - startedAt;
  });
  console.info(
    `5,000 rows: shown after ${Math.round(openedMs)} ms, checked after ${Math.round(checkedMs)} ms, longest task ${Math.round(longest)} ms`,
  );
  expect(longest).toBeLessThan(LONGEST_TASK_MS_MAX);
  expect(visitor.complaints).toEqual([]);
});
