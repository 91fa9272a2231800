import type { TestAttack, TestFacts } from '@cordon/plugin-kit';
import type { UnderAttackConfig } from './schema.ts';

/** A visitor who has not proved itself, while the mode is on. */
export function testAttacks(_config: UnderAttackConfig, { feeds }: TestFacts): readonly TestAttack[] {
  if (!feeds.includes('under-attack')) return [];
  const headers = [{ name: 'Accept', value: 'text/html' }];
  return [{ message: 'testAttacks.program', params: {}, request: { target: '/', headers } }];
}
