import type { TestAttack } from '@cordon/plugin-kit';
import { examplePathOf } from '@cordon/plugin-kit/pattern-example';
import type { ChallengeConfig } from './schema.ts';

/** A visitor who has not proved itself. */
export function testAttacks({ path }: ChallengeConfig): readonly TestAttack[] {
  const target = examplePathOf(path);
  if (target === undefined) return [];
  const headers = [{ name: 'Accept', value: 'text/html' }];
  return [{ message: 'testAttacks.program', params: {}, request: { target, headers } }];
}
