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
  ['en', 'lan', 'language:zh'],
  ['en', 'ipv6', 'screen:/user/info'],
  ['en', 'logs', 'screen:/user/info?tab=audit'],
  ['zh', '操作日志', 'screen:/user/info?tab=audit'],
  ['en', 'password', 'screen:/user/info'],
  ['zh', '修改密码', 'screen:/user/info'],
  ['en', 'unban', 'screen:/manage-ip'],
] as const)('leads in %s from “%s” to %s', (locale, typed, id) => {
  catalog.locale = locale;
  expect(rankGroups(shellSource.groups(), typed)[0]?.items[0]?.id).toBe(id);
});

it('offers no language that is on, and finds the other by its name in either', () => {
  const found = (locale: 'en' | 'zh', typed: string) => {
    catalog.locale = locale;
    return rankGroups(shellSource.groups(), typed)[0]?.items[0]?.id;
  };
  expect([found('en', 'english'), found('en', 'chinese'), found('en', '中文')]).toEqual([
    undefined,
    'language:zh',
    'language:zh',
  ]);
  expect([found('zh', '中文'), found('zh', 'english')]).toEqual([undefined, 'language:en']);
});
