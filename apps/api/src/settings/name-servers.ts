import { isIP } from 'node:net';
import { parseAddress, specialAddressKind } from '@cordon/contract';

/** A name server of the edge zones, with the addresses that a name below one of them needs as glue. */
export interface NameServer {
  readonly name: string;
  readonly addresses: readonly string[];
}

const HOST = /^(?=.{1,253}$)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

/** `ns1.example.net=198.51.100.53+2001:db8::53`; undefined when it is not of this form. */
export function parseNameServer(text: string): NameServer | undefined {
  const [name = '', list, ...surplus] = text.trim().toLowerCase().split('=');
  const addresses = list === undefined ? [] : list.split('+').map((address) => address.trim());
  if (surplus.length > 0 || !HOST.test(name) || addresses.some((address) => isIP(address) === 0)) return undefined;
  return { name, addresses };
}

/** The one that answers where CORDON_NAME_SERVERS names none: this machine. */
export function defaultNameServers(edgeDomain: string, bind: string): NameServer[] {
  return [{ name: `ns1.${edgeDomain}`, addresses: [clientAddress(bind)] }];
}

export function isLoopback(bind: string): boolean {
  const address = parseAddress(bind);
  return address !== undefined && specialAddressKind(address) === 'loopback';
}

/** An address that a client on this machine can ask when a server listens on `bind`. */
export function clientAddress(bind: string): string {
  if (bind === '0.0.0.0') return '127.0.0.1';
  return bind === '::' ? '::1' : bind;
}
