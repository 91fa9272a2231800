import { definitions } from '@cordon/plugins/definitions';
import { expect, it, vi } from 'vitest';
import { parseConfig } from './parse-config';

const [definition] = definitions.filter(({ name }) => name === 'ip-restriction');
if (!definition) throw new Error('no such plugin');
const restriction = definition;
const blocking = (deny: string[]) => ({ deny, blacklistMode: true });
const copyOf = (value: unknown) => JSON.parse(JSON.stringify(value));

it('does not read again what says the same as what was read last, such as the answer to a save', () => {
  const read = vi.spyOn(restriction.schema, 'safeParse');
  const typed = parseConfig(restriction, blocking(['198.41.128.7']));
  const answered = parseConfig(restriction, copyOf(typed.data));
  expect(answered).toBe(typed);
  expect(read).toHaveBeenCalledOnce();
  read.mockRestore();
});

it('reads what says something else', () => {
  const before = parseConfig(restriction, blocking(['198.41.128.7']));
  const after = parseConfig(restriction, { ...copyOf(before.data), deny: ['198.41.128.8'] });
  expect(after.data).toMatchObject({ deny: ['198.41.128.8'] });
  expect(parseConfig(restriction, { ...copyOf(after.data), deny: ['x'] }).success).toBe(false);
  expect(parseConfig(restriction, copyOf(after.data)).success).toBe(true);
});
