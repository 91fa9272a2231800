import { execFileSync } from 'node:child_process';
import { chmodSync, chownSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { EdgeSettings, EdgeShields } from '@cordon/contract/edge-config';
import type { RunnerShields } from '../runner/payload.ts';
import { makeShieldCertificate, shieldName, signingKey } from './shield-certificate.ts';

const bracketed = (address: string): string => (address.includes(':') ? `[${address}]` : address);

/** Czones are part of names and paths. */
const isPlain = ({ czone }: EdgeShields): boolean => /^[a-z0-9-]+$/.test(czone);

const isShield = ({ nodes }: EdgeShields): boolean => nodes.some(({ is_self }) => is_self);

/** What nginx is told of the shields of a czone: where the others are, or, on a shield, what it proves itself by. */
function toRunnerShields({ czone, key, nodes, ...shields }: EdgeShields): RunnerShields {
  const own = isShield({ czone, key, nodes, ...shields });
  const { certificate, privateKey } = makeShieldCertificate(czone, key);
  return {
    name: shieldName(czone),
    key: signingKey(key),
    ...(own
      ? { certificate, private_key: privateKey }
      : {
          nodes: nodes
            .filter(({ is_live }) => is_live)
            .map(({ address, port }) => ({ address: bracketed(address), port })),
        }),
  };
}

/** The shields of a node's czones, and the folder of those certificates of them that nginx trusts. */
export class Shields {
  readonly #folder: string;
  readonly #owner: { gid: number } | undefined;
  #trusted = '';

  /** @param folder OpenSSL looks into it when it meets an issuer that it does not know (`VerifyCAPath`): nginx need not be told. */
  constructor(folder: string, owner: { gid: number } | undefined) {
    this.#folder = folder;
    this.#owner = owner;
  }

  /** As settings name them, with the certificates in place. */
  toRunner(settings: Pick<EdgeSettings, 'shields' | 'own_addresses'>): {
    shields?: Record<string, RunnerShields>;
    peer_addresses?: readonly string[];
  } {
    const shields = (settings.shields ?? []).filter(isPlain);
    this.#trust(shields.filter((each) => !isShield(each)));
    if (shields.length === 0) return {};
    return {
      shields: Object.fromEntries(shields.map((each) => [each.czone, toRunnerShields(each)])),
      ...(shields.some(isShield) ? { peer_addresses: settings.own_addresses } : {}),
    };
  }

  #trust(shields: readonly EdgeShields[]): void {
    const certificates = shields.map(({ czone, key }) => makeShieldCertificate(czone, key).certificate);
    const trusted = certificates.join('');
    if (trusted === this.#trusted) return;
    rmSync(this.#folder, { recursive: true, force: true });
    mkdirSync(this.#folder, { recursive: true });
    for (const [at, certificate] of certificates.entries())
      this.#own(join(this.#folder, `${at}.pem`), 0o640, certificate);
    // OpenSSL looks for a certificate by the hash of its subject.
    if (certificates.length > 0) execFileSync('openssl', ['rehash', this.#folder], { stdio: 'ignore' });
    this.#own(this.#folder, 0o750);
    this.#trusted = trusted;
  }

  #own(path: string, mode: number, text?: string): void {
    if (text !== undefined) writeFileSync(path, text);
    if (this.#owner) chownSync(path, 0, this.#owner.gid);
    chmodSync(path, mode);
  }
}
