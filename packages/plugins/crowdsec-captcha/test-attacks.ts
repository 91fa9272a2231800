import { TEST_REQUESTS_MAX } from '@cordon/contract/constants';
import type { TestAttack } from '@cordon/plugin-kit';
import type { CrowdsecCaptchaConfig } from './schema.ts';

/** As many requests of one visitor as it may send without a proof, where these are not too many to be sent. */
export function testAttacks({ maxretry }: CrowdsecCaptchaConfig): readonly TestAttack[] {
  if (maxretry > TEST_REQUESTS_MAX) return [];
  return [{ message: 'testAttacks.flood', params: { requests: maxretry }, request: { target: '/' }, times: maxretry }];
}
