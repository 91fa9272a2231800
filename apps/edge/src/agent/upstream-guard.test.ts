import { type Address, parseAddress } from '@cordon/contract/address';
import { expect, it } from 'vitest';
import { UpstreamGuard } from './upstream-guard.ts';

const address = (text: string) => parseAddress(text) as Address;

it("refuses other nodes' addresses, whatever their port, unless they are allowed with it", () => {
  const guard = new UpstreamGuard(['8.8.8.8:8000']);
  expect(guard.refusal(address('8.8.8.8'), 80)).toBeUndefined();
  expect(guard.setNodes(['8.8.8.8', '2606:4700:0:0::1111'])).toBe(true);
  expect(guard.setNodes(['2606:4700::1111', '8.8.8.8'])).toBe(false);
  expect(guard.refusal(address('8.8.8.8'), 80)).toBe('own');
  expect(guard.refusal(address('2606:4700::1111'), 443)).toBe('own');
  expect(guard.refusal(address('8.8.8.8'), 8000)).toBeUndefined();
  expect(guard.setNodes([])).toBe(true);
  expect(guard.refusal(address('8.8.8.8'), 80)).toBeUndefined();
});

it('refuses ports of other services, whatever the control plane let through', () => {
  const guard = new UpstreamGuard(['127.0.0.1:25']);
  expect(guard.refusal(address('8.8.8.8'), 25)).toBe('port');
  expect(guard.refusal(address('8.8.8.8'), 8443)).toBeUndefined();
  expect(guard.refusal(address('127.0.0.1'), 25)).toBeUndefined();
});
