import { findDefinition } from '@cordon/plugins/definitions';
import { messages as en } from '@cordon/plugins/locales/en';
import { messages as zh } from '@cordon/plugins/locales/zh';
import { expect, it } from 'vitest';
import { makePluginWords } from './plugin-words';

const when = { match: 'all', not: false, conditions: [] };

it.each([
  [[], 'No rule is on', '没有开启的规则'],
  [['allow'], '1 rule allows', '1 条放行'],
  [['log', 'challenge', 'challenge'], '2 rules challenge, 1 logs', '2 条验证，1 条仅记录'],
  [['block', 'allow', 'allow', 'block'], '2 rules block, 2 allow', '2 条拦截，2 条放行'],
])('custom rules are summed up by what is among them: %j', (actions, english, chinese) => {
  const rules = actions.map((action, at) => ({ name: `${at}`, enabled: true, action, when }));
  const summary = findDefinition('blackrules')?.summary({ black_rules: rules } as never);
  const said = (locale: 'en' | 'zh', messages: object) =>
    summary && makePluginWords(locale, messages, String)(summary.message, summary.params);
  expect(said('en', en.blackrules)).toBe(english);
  expect(said('zh', zh.blackrules)).toBe(chinese);
});

it.each([
  ['advance-proxy-cache', { content_type: ['css', 'image'] }, /, css, image for/, /css、image，/],
  [
    'advance-proxy-cache',
    { content_type: ['css', 'image', 'audio', 'video', 'font'] },
    /video and 1 more type/,
    /video 等 5 种类型，/,
  ],
  [
    'proxy-cache',
    { cache_paths: ['/a', '/b', '/c', '/d'] },
    /^\/a, \/b, \/c and 1 more path/,
    /^\/a、\/b、\/c 等 4 个路径/,
  ],
] as const)('lists are parted as the language parts them: %s %j', (plugin, config, english, chinese) => {
  const definition = findDefinition(plugin);
  const summary = definition?.summary(definition.schema.parse(config) as never);
  const said = (locale: 'en' | 'zh', messages: Record<string, object>) =>
    summary && makePluginWords(locale, messages[plugin] ?? {}, String)(summary.message, summary.params);
  expect(said('en', en)).toMatch(english);
  expect(said('zh', zh)).toMatch(chinese);
});
