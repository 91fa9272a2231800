import { type ApiToken, tokenScope } from '@cordon/contract';
import type { Page } from 'playwright-core';
import { filled, NAMES, named, type Screen, type Words } from './screen.ts';

const hash = '#/user/info?tab=tokens';
const create = (page: Page, words: Words) =>
  named(page.getByRole('dialog'), 'button', words('accounts.tokens.form.submit'));

const DAY_MS = 86_400_000;
/** Days from now on. */
const inDays = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString();

/** One that may all, with a long name; one that only clears caches, used, and soon to end; and one that has ended. */
const showTokens = (page: Page) =>
  page.route('**/api/v1/user/tokens/', (route) => {
    const one = (id: number, change: Partial<ApiToken>): ApiToken => ({
      id: `00000000-0000-4000-8000-00000000000${id}`,
      name: 'Deployment of the shop and of everything that the marketing department has put beside it',
      hint: 'cdn_…x7Qe',
      scopes: [...tokenScope.options],
      created_at: inDays(-70),
      expires_at: inDays(290),
      last_used_at: null,
      last_used_from: null,
      ...change,
    });
    const used = { last_used_at: inDays(-0.1), last_used_from: '2606:4700:1234:5678:9abc:def0:1234:5678' };
    const results = [
      one(1, {}),
      one(2, { name: 'Clears', scopes: ['cache:clear'], expires_at: inDays(3), ...used }),
      one(3, { name: 'Old', scopes: ['audit:read'], expires_at: inDays(-3) }),
    ];
    return route.fulfill({ json: { success: true, results } });
  });

export const tokens: readonly Screen[] = [
  {
    name: 'API tokens',
    account: 'full',
    hash,
    prepare: showTokens,
    open: (page, words) =>
      page
        .getByRole('list', { name: words('accounts.tokens.list.label') })
        .getByText(words('accounts.tokens.scopes.domains_write'))
        .first()
        .waitFor(),
  },
  {
    name: 'API tokens, none',
    account: 'empty',
    hash,
    open: (page, words) => page.getByText(words('accounts.tokens.empty.title')).waitFor(),
  },
  {
    name: 'API tokens, not loaded',
    account: 'full',
    hash,
    complains: /500/,
    prepare: (page) =>
      page.route('**/api/v1/user/tokens/**', (route) =>
        route.fulfill({ status: 500, json: { success: false, code: 'INTERNAL', request_id: 'r-1' } }),
      ),
    open: (page, words) => named(page, 'button', words('ui.retry')).waitFor(),
  },
  {
    name: 'a new API token, with what is missing',
    account: 'full',
    hash: `${hash}&create=clear`,
    async open(page, words) {
      await page.getByRole('dialog').getByRole('checkbox', { checked: true }).uncheck();
      await create(page, words).click();
      await page.getByText(words('accounts.tokens.form.scopesNone')).waitFor();
    },
  },
  {
    name: 'an API token that was made, with its secret',
    account: 'full',
    hash: () => `${hash}&create=prefetch&domain=${filled.ids.live}`,
    async open(page, words) {
      await page.getByRole('dialog').getByRole('textbox').fill(`Deployment ${crypto.randomUUID()}`);
      await create(page, words).click();
      await page.getByText(words('accounts.tokens.made.once')).waitFor();
      await page.getByText(words('accounts.tokens.made.prefetch', { name: NAMES.live })).waitFor();
    },
  },
  {
    name: 'revoke an API token',
    account: 'full',
    hash,
    prepare: showTokens,
    async open(page, words) {
      const list = page.getByRole('list', { name: words('accounts.tokens.list.label') });
      await list.getByRole('listitem').last().getByRole('button').last().click();
      await page.getByRole('alertdialog').waitFor();
    },
  },
];
