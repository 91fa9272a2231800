import { TEST_REQUESTS_MAX } from '@cordon/contract/constants';
import type { TestAttack } from '@cordon/plugin-kit';
import { examplePathOf } from '@cordon/plugin-kit/pattern-example';
import type { RequestLimitConfig } from './schema.ts';

/** As many requests of one visitor as ban it, where these are not too many to be sent. */
export function testAttacks({ banpath, maxretry }: RequestLimitConfig): readonly TestAttack[] {
  const target = examplePathOf(banpath);
  if (target === undefined || maxretry > TEST_REQUESTS_MAX) return [];
  return [{ message: 'testAttacks.flood', params: { requests: maxretry }, request: { target }, times: maxretry }];
}
