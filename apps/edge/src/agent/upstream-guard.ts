import { networkInterfaces } from 'node:os';
import { type Address, formatAddress, parseAddress } from '@cordon/contract/address';
import { isForbiddenPort } from '@cordon/contract/forbidden-port';
import { specialAddressKind } from '@cordon/contract/special-address';

/**
 * Which addresses the edge connects to (security design, "Requests we make"): none that is special, none of this
 * machine's own or of another node, no port of another service, unless `CORDON_UPSTREAM_ALLOW` lists it with its port.
 */
export class UpstreamGuard {
  readonly #allowed: ReadonlySet<string>;
  #nodes: ReadonlySet<string> = new Set();

  constructor(allowed: readonly string[]) {
    this.#allowed = new Set(allowed.map((entry) => canonicalEntry(entry)));
  }

  /** Takes the addresses of all nodes; false when they are the ones it knows. */
  setNodes(addresses: readonly string[]): boolean {
    const nodes = new Set(addresses.flatMap((text) => parseAddress(text) ?? []).map(formatAddress));
    if (nodes.size === this.#nodes.size && [...nodes].every((address) => this.#nodes.has(address))) return false;
    this.#nodes = nodes;
    return true;
  }

  /** Why the address must not be connected to; undefined when it may. */
  refusal(address: Address, port: number): string | undefined {
    const text = formatAddress(address);
    if (this.#allowed.has(`${text} ${port}`)) return undefined;
    const kind = specialAddressKind(address);
    if (kind !== undefined) return kind;
    if (isForbiddenPort(port)) return 'port';
    return this.#nodes.has(text) || ownAddresses().has(text) ? 'own' : undefined;
  }
}

function canonicalEntry(entry: string): string {
  const colon = entry.lastIndexOf(':');
  const address = parseAddress(entry.slice(0, colon).replace(/^\[|\]$/g, ''));
  const port = Number(entry.slice(colon + 1));
  if (colon < 1 || !address || !Number.isInteger(port))
    throw new Error(`CORDON_UPSTREAM_ALLOW: ${entry} is not address:port`);
  return `${formatAddress(address)} ${port}`;
}

let own: { readonly addresses: ReadonlySet<string>; readonly until: number } | undefined;

function ownAddresses(): ReadonlySet<string> {
  if (!own || own.until < Date.now()) {
    const addresses = Object.values(networkInterfaces())
      .flatMap((entries) => entries ?? [])
      .flatMap(({ address }) => parseAddress(address) ?? [])
      .map(formatAddress);
    own = { addresses: new Set(addresses), until: Date.now() + 10_000 };
  }
  return own.addresses;
}
