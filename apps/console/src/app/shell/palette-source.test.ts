// @vitest-environment happy-dom
import { expect, it, vi } from 'vitest';
import { rankGroups } from '../palette/rank';
import { shellSource } from './palette-source';

const catalog = vi.hoisted(() => ({ locale: 'en' as 'en' | 'zh' }));
vi.mock('../intl-store', async (load) => {
  const messages = {
    en: {
      palette: (await import('../../locales/en/palette.json')).default,
      shell: (await import('../../locales/en/shell.json')).default,
    },
    zh: {
      palette: (await import('../../locales/zh/palette.json')).default,
      shell: (await import('../../locales/zh/shell.json')).default,
    },
  };
  return {
    ...(await load<object>()),
    getIntl: () => ({ locale: catalog.locale, messages: messages[catalog.locale] }),
  };
});

it.each([
  ['en', 'dark', 'theme:dark'],
  ['en', 'light', 'theme:light'],
  ['zh', '深色', 'theme:dark'],
  ['zh', '浅色', 'theme:light'],
  ['en', 'help', 'shortcuts'],
  ['zh', '客服', 'screen:/pages/test'],
  ['en', 'ipv6', undefined],
  ['en', 'logs', 'screen:/user/info?tab=audit'],
  ['zh', '操作日志', 'screen:/user/info?tab=audit'],
  ['en', 'password', 'screen:/user/info'],
  ['zh', '修改密码', 'screen:/user/info'],
  ['en', 'unban', 'screen:/manage-ip'],
  ['en', 'renew', 'plan'],
  ['zh', '续费', 'plan'],
  ['zh', '发票', 'plan'],
] as const)('leads in %s from “%s” to %s', (locale, typed, id) => {
  catalog.locale = locale;
  expect(rankGroups(shellSource.groups(), typed)[0]?.items[0]?.id).toBe(id);
});

it.each([
  ['en', ['lan', 'language', 'switch', 'locale', 'chinese', '中文'], 'language:zh'],
  ['zh', ['语言', '切换', '英', '英文', 'english', 'lan'], 'language:en'],
] as const)(
  'never has a switch of the language first, which stands behind a choice (%s)',
  async (locale, queries, id) => {
    catalog.locale = locale;
    const all = shellSource.groups().flatMap(({ items }) => items);
    expect(all.filter((one) => one.id.startsWith('language:'))).toEqual([]);
    for (const query of queries) {
      const first = rankGroups(shellSource.groups(), query)[0]?.items[0];
      expect([query, first?.id, first?.run]).toEqual([query, 'languages', undefined]);
    }
    const { page } = all.find((one) => one.id === 'languages') ?? {};
    const offered = await page?.find('', new AbortController().signal);
    // Not the one that is on.
    expect(offered?.flatMap(({ items }) => items.map((one) => one.id))).toEqual([id]);
  },
);
