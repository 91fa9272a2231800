import type { TestAttack } from '@cordon/plugin-kit';
import { examplePathOf } from '@cordon/plugin-kit/pattern-example';
import type { SeclinkConfig } from './schema.ts';

/** A link without a signature. */
export function testAttacks({ path }: SeclinkConfig): readonly TestAttack[] {
  const target = examplePathOf(path);
  return target === undefined ? [] : [{ message: 'testAttacks.unsigned', params: {}, request: { target } }];
}
