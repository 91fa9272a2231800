import { findDefinition } from '@cordon/plugins/definitions';
import { expect, it } from 'vitest';
import { parseConfig } from '../model/parse-config';
import { startEntry } from './start-entry';

const texts: Record<string, string> = { 'form.newRule': 'New rule' };
const words = Object.assign((key: string) => texts[key] ?? key, { has: (key: string) => key in texts });
const startOf = (name: string) => {
  const definition = findDefinition(name);
  if (!definition) throw new Error(name);
  const { config } = startEntry(definition, words);
  return { config, isWhole: parseConfig(definition, config).success };
};

it.each(['challenge', 'seclink'])(
  '%s asks for which paths it is: what is set up in two presses closes no whole site',
  (name) => {
    const { config, isWhole } = startOf(name);
    expect(config.path).toBe('');
    expect(isWhole).toBe(false);
  },
);

it('custom rules begin with one that has a name in the reader’s language and needs a value', () => {
  const { config, isWhole } = startOf('blackrules');
  expect(config.black_rules).toMatchObject([{ name: 'New rule', when: { conditions: [{ values: [] }] } }]);
  expect(isWhole).toBe(false);
});
