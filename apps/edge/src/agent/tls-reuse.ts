/**
 * Whether TLS connections to an address may be kept. nginx keeps them by address alone, so two names behind one address
 * would share a connection that was opened with the SNI of the other. Reuse is granted while exactly one SNI is used
 * with an address, and after a change only when no connection of the former one can be left.
 */

/** keepalive_time + keepalive_timeout of the upstream `origin_tls` in nginx.conf.template, and some. */
const FORMER_CONNECTIONS_MS = 120_000;

interface AddressUse {
  /** How many routes use the address, by SNI. */
  readonly names: Map<string, number>;
  grantedTo: string | undefined;
  grantedUntil: number;
}

export class TlsReuse {
  readonly #uses = new Map<string, AddressUse>();
  readonly #startedAt: number;
  readonly #isNginxFresh: boolean;

  /** `isNginxFresh`: nginx was started now, so that it keeps no connection that this object does not know of. */
  constructor(isNginxFresh: boolean, now: number) {
    this.#isNginxFresh = isNginxFresh;
    this.#startedAt = now;
  }

  add(address: string, name: string): void {
    const use = this.#uses.get(address) ?? { names: new Map(), grantedTo: undefined, grantedUntil: 0 };
    use.names.set(name, (use.names.get(name) ?? 0) + 1);
    this.#uses.set(address, use);
  }

  remove(address: string, name: string, now: number): void {
    const use = this.#uses.get(address);
    const count = use?.names.get(name);
    if (!use || count === undefined) return;
    if (count > 1) use.names.set(name, count - 1);
    else use.names.delete(name);
    if (use.grantedTo === name) use.grantedUntil = now;
  }

  /** Whether connections to the address may be kept for this SNI. */
  mayReuse(address: string, name: string, now: number): boolean {
    const use = this.#uses.get(address);
    if (!use) return false;
    if (use.names.size !== 1 || !use.names.has(name)) {
      if (use.grantedTo !== undefined) use.grantedUntil = now;
      return false;
    }
    if (use.grantedTo === name) {
      use.grantedUntil = now;
      return true;
    }
    const formerUntil = use.grantedTo !== undefined ? use.grantedUntil : this.#isNginxFresh ? 0 : this.#startedAt;
    if (formerUntil !== 0 && now - formerUntil < FORMER_CONNECTIONS_MS) return false;
    use.grantedTo = name;
    use.grantedUntil = now;
    return true;
  }
}
