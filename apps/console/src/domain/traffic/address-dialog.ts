import type { ComponentType } from 'react';

/** What is to be done about the address that a request came from; a ban from all domains where none is given. */
export interface AskedAddress {
  readonly action: 'ban' | 'allow';
  readonly address: string;
  readonly domain?: string | undefined;
}

/** Asks how, over the screen that shows the request. */
export type AddressDialog = ComponentType<AskedAddress & { onClose: () => void }>;
