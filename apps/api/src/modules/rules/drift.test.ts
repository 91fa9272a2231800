import { RULE_LIST_COMPARED_MAX } from '@cordon/contract';
import { expect, it } from 'vitest';
import type { Db } from '../../platform/database.ts';
import { createDrift } from './drift.ts';
import type { ListedRule } from './repository.ts';

it('does not compare a rule of a list with more domains than an answer has time for', async () => {
  const rules = [RULE_LIST_COMPARED_MAX + 1, 0].map((domains) => ({ domains }) as ListedRule);
  // A database that would be asked would fail.
  expect(await createDrift({} as Db).countEach(rules)).toEqual([null, 0]);
});
