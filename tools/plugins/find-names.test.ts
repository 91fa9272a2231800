import { expect, it } from 'vitest';
import { namePattern } from './find-names.ts';

it('finds a name of several words wherever it stands', () => {
  const pattern = namePattern('bot-trap');
  for (const text of ["'bot-trap'", '// the bot-trap plugin', 'plugins/bot-trap/edge.ts'])
    expect(text).toMatch(pattern);
  for (const text of ['bot-traps', 'robot-trap', 'bot-trap-2', 'botTrap', 'BOT_TRAP'])
    expect(text).not.toMatch(pattern);
});

it('leaves a single word alone where it is ordinary language', () => {
  const pattern = namePattern('ban');
  for (const text of [
    "name: 'ban'",
    'plugin === "ban"',
    "'../plugins/ban/edge.ts'",
    "plugins['ban']",
    'plugins.ban',
    '{ "name": "ban" }',
  ]) {
    expect(text).toMatch(pattern);
  }
  for (const text of ["action: 'ban'", 'lift the ban', "phase === 'ban'", "name: 'banner'", 'plugins.banner'])
    expect(text).not.toMatch(pattern);
});
