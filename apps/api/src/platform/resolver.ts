import { promises as dns, Resolver } from 'node:dns';
import { promisify } from 'node:util';
import { formatAddress, parseAddress } from '@cordon/contract';
import type { Environment } from './env.ts';

/** DNS through CORDON_RESOLVER, or the system's. Absent names and records are empty lists; only failures throw. */
export interface DnsResolver {
  /** IPv4 and IPv6 addresses, canonical, aliases followed. */
  addresses(name: string): Promise<string[]>;
  /** Alias targets of the name itself, lower case, without the last dot. */
  cnames(name: string): Promise<string[]>;
  /** Each TXT record as one text. */
  texts(name: string): Promise<string[]>;
}

const ABSENT = new Set(['ENODATA', 'ENOTFOUND', 'ENONAME', 'EAI_NODATA', 'EAI_NONAME']);
const TIMEOUT_MS = 2_500;
const TRIES = 2;
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

export function createResolver(env: Pick<Environment, 'resolver'>): DnsResolver {
  const resolver = new Resolver({ timeout: TIMEOUT_MS, tries: TRIES });
  if (env.resolver.length > 0) {
    resolver.setServers(
      env.resolver.map(({ address, port }) => (address.includes(':') ? `[${address}]:${port}` : `${address}:${port}`)),
    );
  }
  const resolve4 = promisify<string, string[]>(resolver.resolve4.bind(resolver));
  const resolve6 = promisify<string, string[]>(resolver.resolve6.bind(resolver));
  const resolveCname = promisify<string, string[]>(resolver.resolveCname.bind(resolver));
  const resolveTxt = promisify<string, string[][]>(resolver.resolveTxt.bind(resolver));
  return {
    async addresses(name) {
      // The system's own look-up also knows the hosts file, as everything else on the machine does.
      const found =
        env.resolver.length > 0
          ? (await Promise.all([orEmpty(resolve4(name)), orEmpty(resolve6(name))])).flat()
          : (await orEmpty(dns.lookup(name, { all: true }))).map((entry) => entry.address);
      return [...new Set(found.flatMap(canonical))];
    },
    async cnames(name) {
      return (await orEmpty(resolveCname(name))).map((target) => target.toLowerCase().replace(/\.$/, ''));
    },
    async texts(name) {
      return (await orEmpty(resolveTxt(name))).map((parts) => parts.join(''));
    },
  };
}
