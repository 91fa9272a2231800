import { parseAddress, specialAddressKind } from '@cordon/contract';
import type { ComponentType } from 'react';

/** What is to be done about the address that a request came from; a ban from all domains where none is given. */
export interface AskedAddress {
  readonly action: 'ban' | 'allow';
  readonly address: string;
  readonly domain?: string | undefined;
}

/** Whether a ban refused the request: its address is not to be banned, but the ban may be lifted. */
export const wasBanned = ({ reason, action }: { readonly reason: string; readonly action: string }): boolean =>
  reason === 'banned' && action === 'block';

/** Whether the address can be on a list: special ones, such as the loopback, are ignored there. */
export function canBeListed(text: string): boolean {
  const address = parseAddress(text);
  return address !== undefined && specialAddressKind(address) === undefined;
}

/** The bans that hold an address, to be lifted there. */
export const bansOf = (address: string): string => `#/manage-ip?q=${encodeURIComponent(address)}`;

/** Asks how, over the screen that shows the request. */
export type AddressDialog = ComponentType<AskedAddress & { onClose: () => void }>;
