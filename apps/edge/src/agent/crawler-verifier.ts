import { Resolver } from 'node:dns/promises';
import { chmodSync, chownSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { createInterface } from 'node:readline';
import { type Address, formatAddress, parseAddress } from '@cordon/contract/address';
import type { RecaptchaAnswer, RecaptchaQuestion, TlsAnswer, TlsQuestion } from '../runner/payload.ts';

interface Question {
  readonly address: string;
  readonly domains: readonly string[];
}

type Verdict = 'proved' | 'refuted' | 'failed';

/** Answers that say that a name or address does not exist, as opposed to no answer. */
const ABSENT: ReadonlySet<string> = new Set(['ENOTFOUND', 'ENODATA']);

function isAbsent(error: unknown): boolean {
  return error instanceof Error && 'code' in error && ABSENT.has(String(error.code));
}

/** Where DNS keeps the names of an address (RFC 1035 3.5, RFC 3596 2.5). */
function reverseName({ family, words }: Address): string {
  const hex = words.map((word) => word.toString(16).padStart(8, '0')).join('');
  if (family === 6) return `${[...hex].reverse().join('.')}.ip6.arpa`;
  return `${[...Buffer.from(hex, 'hex')].reverse().join('.')}.in-addr.arpa`;
}

/**
 * Whether DNS proves that the address is a crawler of one of the domains: its name ends in the domain, and the name
 * leads back to the address (the engines' own published procedure).
 */
export async function verifyByDns(resolver: Resolver, question: Question): Promise<Verdict> {
  const address = parseAddress(question.address);
  if (!address) return 'refuted';
  const text = formatAddress(address);
  try {
    // Not `reverse`: it says that there is no name also where no answer came, and reads the machine's own list of hosts.
    const names = (await resolver.resolvePtr(reverseName(address))).map((name) =>
      name.toLowerCase().replace(/\.$/, ''),
    );
    const claimed = names.filter((name) => question.domains.some((domain) => name.endsWith(`.${domain}`)));
    for (const name of claimed.slice(0, 3)) {
      const found = await (address.family === 4 ? resolver.resolve4(name) : resolver.resolve6(name));
      if (found.some((entry) => canonical(entry) === text)) return 'proved';
    }
    return 'refuted';
  } catch (error) {
    return isAbsent(error) ? 'refuted' : 'failed';
  }
}

function canonical(text: string): string | undefined {
  const address = parseAddress(text);
  return address && formatAddress(address);
}

/** Who answers the questions that are not about crawlers. */
export interface OtherAnswers {
  /** Of `{ tls }`. */
  readonly diagnoseTls: (question: TlsQuestion) => Promise<TlsAnswer['result']>;
  /** Of `{ recaptcha }`. */
  readonly verifyRecaptcha: (question: RecaptchaQuestion) => Promise<RecaptchaAnswer['result']>;
}

/** Serves the runner's questions on a unix socket: a JSON line in, a JSON line out. */
export function serveCrawlerVerifier(
  socketPath: string,
  servers: readonly string[],
  owner: { uid: number; gid: number } | undefined,
  others: OtherAnswers,
): Promise<Server> {
  const resolver = new Resolver({ timeout: 600, tries: 1 });
  if (servers.length > 0) resolver.setServers(servers);
  rmSync(socketPath, { force: true });
  const server = createServer((socket) => {
    socket.on('error', () => socket.destroy());
    socket.setTimeout(5000, () => socket.destroy());
    createInterface({ input: socket }).on('line', (line) => {
      const answer = (result: Verdict | TlsAnswer['result'] | RecaptchaAnswer['result']) =>
        socket.writable && socket.write(`${JSON.stringify({ result })}\n`);
      try {
        const question = JSON.parse(line) as Question & {
          readonly tls?: TlsQuestion;
          readonly recaptcha?: RecaptchaQuestion;
        };
        if (question.tls) void others.diagnoseTls(question.tls).then(answer, () => answer(''));
        else if (question.recaptcha) void others.verifyRecaptcha(question.recaptcha).then(answer);
        else void verifyByDns(resolver, question).then(answer, () => answer('failed'));
      } catch {
        socket.destroy();
      }
    });
  });
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(socketPath, () => {
      chmodSync(socketPath, 0o600);
      if (owner) chownSync(socketPath, owner.uid, owner.gid);
      resolve(server);
    });
  });
}
