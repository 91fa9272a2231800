import type { Page } from 'playwright-core';
import { NAMES, named, type Screen } from './screen.ts';

const chooseFile = (page: Page, text: string) =>
  page
    .locator('input[type=file]')
    .setInputFiles({ name: 'domains.csv', mimeType: 'text/csv', buffer: Buffer.from(text) });

export const imports: readonly Screen[] = [
  {
    name: 'import, empty',
    account: 'empty',
    hash: '#/domain/import',
    async open(page, words) {
      await named(page, 'button', words('imports.drop.paste')).click();
      await page.getByLabel(words('imports.drop.pasteLabel')).waitFor();
    },
  },
  {
    name: 'import, refused file',
    account: 'full',
    hash: '#/domain/import',
    async open(page, words) {
      await chooseFile(page, 'a,b\n1,2\n');
      await page.getByText(words('imports.file.HEADER_MISSING')).waitFor();
    },
  },
  {
    name: 'import, rows with faults',
    account: 'full',
    hash: '#/domain/import',
    async open(page, words) {
      const rows = [
        'www.right.example,http,198.41.128.7,running,-',
        `${NAMES.long},ftp,10.0.0.1,live,`,
        'x,http,10.0.0.1,running,-',
      ];
      await chooseFile(page, ['domain_name,protocol,upstreams,status,remarks', ...rows].join('\n'));
      await page.getByText(words('fieldErrors.DOMAIN_NAME_NEEDS_DOT')).waitFor();
    },
  },
];
