import { promises as dns, Resolver } from 'node:dns';
import { readFileSync, statSync } from 'node:fs';
import { isIP, type LookupFunction } from 'node:net';
import { promisify } from 'node:util';

const HOSTS_FILE = '/etc/hosts';
const RESOLV_FILE = '/etc/resolv.conf';
const TIMEOUT = { timeout: 2000, tries: 2 };
const ABSENT: ReadonlySet<string> = new Set(['ENOTFOUND', 'ENODATA']);

/**
 * Addresses of names, by the machine's list of hosts and by DNS. Never by `dns.lookup` alone: it takes one of the
 * process's four threads for as long as a DNS server pleases, and files of the log are read by the same threads.
 */
export class SystemNames {
  readonly #servers: readonly string[];
  #hosts: { readonly stamp: string; readonly addresses: ReadonlyMap<string, readonly string[]> } | undefined;
  #resolver: { readonly stamp: string; readonly resolver: Resolver } | undefined;
  readonly #asking = new Map<string, Promise<string[]>>();

  /** @param servers Asked instead of the system's, and the list of hosts is left alone. */
  constructor(servers: readonly string[] = []) {
    this.#servers = servers;
  }

  /** Throws when there are none, with the code of DNS. */
  async addresses(name: string): Promise<readonly string[]> {
    const local = this.#servers.length > 0 ? undefined : this.#hostsFile().get(name.toLowerCase().replace(/\.$/, ''));
    if (local) return local;
    const resolver = this.#currentResolver();
    const answers = await Promise.allSettled([
      promisify<string, string[]>(resolver.resolve4.bind(resolver))(name),
      promisify<string, string[]>(resolver.resolve6.bind(resolver))(name),
    ]);
    const found = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
    const [first] = answers;
    if (found.length === 0 && first.status === 'rejected') throw first.reason;
    return found;
  }

  /**
   * For connections to what the operator names. Where DNS answers that there is no such name, the system may know it in
   * another way (search domains, mDNS): it is asked on one thread, whoever else waits for the same name.
   */
  readonly lookup: LookupFunction = (name, options, callback) => {
    const addresses = this.addresses(name).catch((error: NodeJS.ErrnoException) => {
      if (!ABSENT.has(error.code ?? '')) throw error;
      return this.#askSystem(name);
    });
    addresses.then(
      (texts) => {
        const found = texts
          .map((address) => ({ address, family: isIP(address) }))
          .filter(({ family }) => !options.family || options.family === family);
        const [first] = found;
        if (!first) callback(Object.assign(new Error(`${name} has no address`), { code: 'ENOTFOUND' }), '', 0);
        else if (options.all) callback(null, found);
        else callback(null, first.address, first.family);
      },
      (error: NodeJS.ErrnoException) => callback(error, '', 0),
    );
  };

  #askSystem(name: string): Promise<string[]> {
    let asking = this.#asking.get(name);
    if (!asking) {
      asking = dns
        .lookup(name, { all: true })
        .then((found) => found.map(({ address }) => address))
        .finally(() => this.#asking.delete(name));
      this.#asking.set(name, asking);
    }
    return asking;
  }

  /** DNS servers of the system are read once by each resolver. */
  #currentResolver(): Resolver {
    const stamp = this.#servers.length > 0 ? '' : stampOf(RESOLV_FILE);
    if (this.#resolver?.stamp !== stamp) {
      const resolver = new Resolver(TIMEOUT);
      if (this.#servers.length > 0) resolver.setServers(this.#servers);
      this.#resolver = { stamp, resolver };
    }
    return this.#resolver.resolver;
  }

  #hostsFile(): ReadonlyMap<string, readonly string[]> {
    const stamp = stampOf(HOSTS_FILE);
    if (this.#hosts?.stamp !== stamp) this.#hosts = { stamp, addresses: stamp ? readHosts() : new Map() };
    return this.#hosts.addresses;
  }
}

function stampOf(file: string): string {
  const found = statSync(file, { throwIfNoEntry: false });
  return found ? `${found.mtimeMs} ${found.size} ${found.ino}` : '';
}

function readHosts(): Map<string, string[]> {
  const addresses = new Map<string, string[]>();
  for (const line of readFileSync(HOSTS_FILE, 'utf8').split('\n')) {
    const [address = '', ...names] = line.replace(/#.*/, '').trim().toLowerCase().split(/\s+/);
    if (isIP(address) === 0) continue;
    for (const name of names) addresses.set(name, [...(addresses.get(name) ?? []), address]);
  }
  return addresses;
}
