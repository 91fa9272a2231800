import type { PluginWords } from './plugin-words';

/** What the rule of a verdict is called: as the plugin's catalog has it, else by itself. */
export const ruleName = (words: PluginWords | undefined, rule: string): string =>
  words?.has('rule') ? words('rule', { country: { countries: [rule] } }) : rule;
