import { findDefinition } from '@cordon/plugins/definitions';
import { expect, it, vi } from 'vitest';
import { parseConfig } from './parse-config';

const definition = findDefinition('ip-restriction');
if (!definition) throw new Error('no such plugin');
const config = (deny: readonly string[]) => ({ deny, blacklistMode: true });

it('what comes back as it was saved is not checked again', () => {
  const check = vi.spyOn(definition.schema, 'safeParse');
  const before = { ...config(['198.41.128.9']) };
  parseConfig(definition, before);
  const saved = parseConfig(definition, config(['198.41.128.7']));
  // What stands elsewhere meanwhile, and what is not valid, as a plugin that was never set up.
  parseConfig(definition, before);
  parseConfig(definition, { deny: [] });
  const answer = parseConfig(definition, JSON.parse(JSON.stringify(saved.data)));
  expect(answer).toBe(saved);
  expect(check).toHaveBeenCalledTimes(3);
});

it('what differs in one entry is checked', () => {
  const right = parseConfig(definition, config(['198.41.128.7', '198.41.128.8'])).data as Record<string, unknown>;
  const wrong = parseConfig(definition, { ...right, deny: ['198.41.128.7', '198.41.128'] });
  expect(wrong.success).toBe(false);
  expect(parseConfig(definition, { ...right }).success).toBe(true);
});

it('what is wrong stays wrong', () => {
  const wrong = { deny: ['198.41.128'], blacklistMode: true };
  expect(parseConfig(definition, wrong).success).toBe(false);
  expect(parseConfig(definition, { ...wrong }).error?.issues[0]?.path).toEqual(['deny', 0]);
});
