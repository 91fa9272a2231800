import { formatAddress, parseRange } from '@cordon/contract/address';
import type { TestAttack } from '@cordon/plugin-kit';
import { isOrdinaryEntry } from '@cordon/plugin-kit/address-list';
import type { IpRestrictionConfig } from './schema.ts';

/** From the first blocked address, and from one that is not allowed: no list can hold those for documentation. */
export function testAttacks({ whitelistMode, blacklistMode, deny }: IpRestrictionConfig): readonly TestAttack[] {
  const attacks: TestAttack[] = [];
  const entry = blacklistMode ? deny.find(isOrdinaryEntry) : undefined;
  const range = entry === undefined ? undefined : parseRange(entry);
  if (entry !== undefined && range) {
    const address = formatAddress({ family: range.family, words: range.first });
    attacks.push({ message: 'testAttacks.denied', params: { entry }, request: { target: '/', address } });
  }
  if (whitelistMode) attacks.push({ message: 'testAttacks.not_allowed', params: {}, request: { target: '/' } });
  return attacks;
}
