import { type Address, parseAddress } from '@cordon/contract/address';
import { expect, it } from 'vitest';
import { UpstreamGuard } from './upstream-guard.ts';

const address = (text: string) => parseAddress(text) as Address;

it('refuses ports of other services, whatever the control plane let through', () => {
  const guard = new UpstreamGuard(['127.0.0.1:25']);
  expect(guard.refusal(address('8.8.8.8'), 25)).toBe('port');
  expect(guard.refusal(address('8.8.8.8'), 8443)).toBeUndefined();
  expect(guard.refusal(address('127.0.0.1'), 25)).toBeUndefined();
});
