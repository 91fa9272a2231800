import { Resolver } from 'node:dns';
import { readFile, stat } from 'node:fs/promises';
import { promisify } from 'node:util';
import { formatAddress, parseAddress } from '@cordon/contract';
import type { Environment } from '../settings/env.ts';

/** DNS through CORDON_RESOLVER, or the system's. Absent names and records are empty lists; only failures throw. */
export interface DnsResolver {
  /** IPv4 and IPv6 addresses, canonical, aliases followed. */
  addresses(name: string): Promise<string[]>;
  /** Alias targets of the name itself, lower case, without the last dot. */
  cnames(name: string): Promise<string[]>;
  /** Each TXT record as one text. */
  texts(name: string): Promise<string[]>;
  /** Names of the servers that a zone is delegated to (NS), lower case, without the last dot. */
  nameServers(zone: string): Promise<string[]>;
  /** Servers that are asked, as far as the settings name them. */
  readonly servers: readonly DnsServer[];
  /** The same questions to one server alone, asked once each; one that does not answer in time throws. */
  at(server: DnsServer): DnsResolver;
}

export interface DnsServer {
  readonly address: string;
  readonly port: number;
}

const ABSENT = new Set(['ENODATA', 'ENOTFOUND', 'ENONAME', 'EAI_NODATA', 'EAI_NONAME']);
const TIMEOUT_MS = 2_500;
const TRIES = 2;
/** Of a single server: it is asked to learn whether it answers. */
const SINGLE = { timeout: 2_000, tries: 1 } as const;
const ANSWERS_MAX = 50;

async function orEmpty<T>(answer: Promise<T[]>): Promise<T[]> {
  try {
    return (await answer).slice(0, ANSWERS_MAX);
  } catch (error) {
    if (ABSENT.has((error as NodeJS.ErrnoException).code ?? '')) return [];
    throw error;
  }
}

const canonical = (text: string): string[] => {
  const address = parseAddress(text);
  return address ? [formatAddress(address)] : [];
};

const HOSTS_FILE = '/etc/hosts';

/** Addresses that the hosts file gives names, lower case; read anew when it has changed. */
function createHostsFile(path: string): (name: string) => Promise<readonly string[]> {
  let known: { readonly stamp: string; readonly addresses: ReadonlyMap<string, string[]> } | undefined;
  return async (name) => {
    try {
      const { mtimeMs, size } = await stat(path);
      const stamp = `${mtimeMs} ${size}`;
      if (known?.stamp !== stamp) known = { stamp, addresses: parseHosts(await readFile(path, 'utf8')) };
    } catch {
      return [];
    }
    return known.addresses.get(name.toLowerCase().replace(/\.$/, '')) ?? [];
  };
}

function parseHosts(text: string): Map<string, string[]> {
  const addresses = new Map<string, string[]>();
  for (const line of text.split('\n')) {
    const [address, ...names] = line.replace(/#.*/, '').trim().toLowerCase().split(/\s+/);
    for (const name of address === undefined ? [] : names)
      addresses.set(name, [...(addresses.get(name) ?? []), address as string]);
  }
  return addresses;
}

/**
 * Never `dns.lookup`: it takes one of the process's few threads for as long as a name server pleases, and a customer
 * who runs a slow one would take them all.
 */
export function createResolver(env: Pick<Environment, 'resolver'>, hostsPath = HOSTS_FILE): DnsResolver {
  // As everything else on the machine does, unless the operator names servers.
  const hosts = env.resolver.length > 0 ? async () => [] : createHostsFile(hostsPath);
  return resolverOver(new Resolver({ timeout: TIMEOUT_MS, tries: TRIES }), env.resolver, hosts);
}

function resolverOver(
  resolver: Resolver,
  servers: readonly DnsServer[],
  hosts: (name: string) => Promise<readonly string[]>,
): DnsResolver {
  if (servers.length > 0) {
    resolver.setServers(
      servers.map(({ address, port }) => (address.includes(':') ? `[${address}]:${port}` : `${address}:${port}`)),
    );
  }
  const resolve4 = promisify<string, string[]>(resolver.resolve4.bind(resolver));
  const resolve6 = promisify<string, string[]>(resolver.resolve6.bind(resolver));
  const resolveCname = promisify<string, string[]>(resolver.resolveCname.bind(resolver));
  const resolveTxt = promisify<string, string[][]>(resolver.resolveTxt.bind(resolver));
  const resolveNs = promisify<string, string[]>(resolver.resolveNs.bind(resolver));
  const readName = (name: string) => name.toLowerCase().replace(/\.$/, '');
  return {
    async addresses(name) {
      const local = await hosts(name);
      const found =
        local.length > 0 ? local : (await Promise.all([orEmpty(resolve4(name)), orEmpty(resolve6(name))])).flat();
      return [...new Set(found.flatMap(canonical))];
    },
    async cnames(name) {
      return (await orEmpty(resolveCname(name))).map(readName);
    },
    async texts(name) {
      return (await orEmpty(resolveTxt(name))).map((parts) => parts.join(''));
    },
    async nameServers(zone) {
      return (await orEmpty(resolveNs(zone))).map(readName);
    },
    servers,
    at: (server) => resolverOver(new Resolver(SINGLE), [server], async () => []),
  };
}
