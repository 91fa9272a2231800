import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, chownSync, existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { EdgeRoute } from '@cordon/contract/edge-config';
import { readJson, writeFileAtomically } from './files.ts';
import { log } from './log.ts';

/** Locations beyond those in use that nginx.conf has for sets of CA certificates to come. */
const FREE_MAX = 128;
/** So few free ones are left that nginx is to read a new nginx.conf. */
const FREE_FEW = 32;
/** Sets that domains have at a time; more are refused, as their locations are part of the memory of every worker. */
const LIVE_MAX = 512;
/** Locations that one account takes until nginx reads a new nginx.conf: it may change its sets, but not use all places up. */
const ACCOUNT_MAX: Record<EdgeRoute['tier'], number> = { free: 4, vip: 24 };
/** Free locations that are left to paying accounts, however many others there are. */
const RESERVED_FOR_VIP = 64;

const SET_FILE = 'set.json';
const BLOCK = /-----BEGIN CERTIFICATE-----[\s\S]*?-----END CERTIFICATE-----/g;
const run = promisify(execFile);

/** CA certificates that a domain of the account verifies its origins by (`tls_ca`), as PEM. */
export interface TlsCaSet {
  readonly pem: string;
  readonly accountId: string;
  readonly tier: EdgeRoute['tier'];
}

interface Slot {
  readonly id: string;
  readonly accountId: string;
}

const idOf = (pem: string) => createHash('sha256').update(pem).digest('hex');

/**
 * Locations of nginx.conf that verify origins by the CA certificates of a domain. nginx 1.22 knows one set of them for a
 * location (`proxy_ssl_trusted_certificate`) and reads it at its start; but OpenSSL looks into a folder (VerifyCAPath)
 * when it meets an issuer it does not know, so each of these locations has an empty folder that is filled while nginx
 * runs. Workers keep what they have found there: a number that was used stays with its set, and belongs to no other
 * ever. New numbers come with a new nginx.conf (`renew`), which leaves out those that no domain uses any more.
 */
export class TlsCaSlots {
  readonly #folder: string;
  readonly #numbersFile: string;
  readonly #owner: { gid: number } | undefined;
  /** Numbers that the nginx.conf in force has. */
  #numbers: number[];
  #free: number[] = [];
  readonly #slots = new Map<number, Slot>();
  readonly #numberOf = new Map<string, number>();
  /** Accounts for which there was none. */
  readonly #refused = new Set<string>();

  constructor(folder: string, owner: { gid: number } | undefined) {
    this.#folder = folder;
    this.#numbersFile = `${folder}.json`;
    this.#owner = owner;
    this.#numbers = readJson<number[]>(this.#numbersFile) ?? Array.from({ length: FREE_MAX }, (_, number) => number);
    this.#prepareFolder(folder);
    const used = new Set(readdirSync(folder).map(Number));
    for (const number of used) {
      // One that was not written whole may have been looked into already: it is never used again.
      const slot = readJson<Slot>(join(folder, String(number), SET_FILE));
      if (slot) this.#keep(number, slot);
    }
    this.#free = this.#numbers.filter((number) => !used.has(number));
  }

  get numbers(): readonly number[] {
    return this.#numbers;
  }

  /** Whether a new nginx.conf would make room that is or will soon be missed. */
  get isShort(): boolean {
    return this.#refused.size > 0 || this.#free.length < FREE_FEW;
  }

  #keep(number: number, slot: Slot): void {
    this.#slots.set(number, slot);
    this.#numberOf.set(slot.id, number);
  }

  #prepareFolder(folder: string): void {
    mkdirSync(folder, { recursive: true });
    if (this.#owner) chownSync(folder, 0, this.#owner.gid);
    chmodSync(folder, this.#owner ? 0o750 : 0o700);
  }

  /** nginx is started anew and remembers nothing. */
  reset(): void {
    rmSync(this.#folder, { recursive: true, force: true });
    this.#prepareFolder(this.#folder);
    this.#slots.clear();
    this.#numberOf.clear();
    this.#free = [...this.#numbers];
    this.#refused.clear();
  }

  /** Location of the CA certificates; undefined where there was none left for them. `prepare` them first. */
  slotOf(pem: string): number | undefined {
    return this.#numberOf.get(idOf(pem));
  }

  /** Gives each set a location whose files are in place then. */
  async prepare(sets: Iterable<TlsCaSet>): Promise<void> {
    for (const { pem, accountId, tier } of sets) {
      const id = idOf(pem);
      if (this.#numberOf.has(id)) continue;
      const ofAccount = [...this.#slots.values()].filter((slot) => slot.accountId === accountId).length;
      const reserved = tier === 'free' ? RESERVED_FOR_VIP : 0;
      const hasRoom = ofAccount < ACCOUNT_MAX[tier] && this.#free.length > reserved;
      const number = hasRoom ? this.#free.shift() : undefined;
      if (number === undefined) {
        if (!this.#refused.has(accountId))
          log.error('no room for another set of CA certificates', { account_id: accountId, of_account: ofAccount });
        this.#refused.add(accountId);
        continue;
      }
      try {
        await this.#write(join(this.#folder, String(number)), { id, accountId }, pem);
        this.#keep(number, { id, accountId });
      } catch (error) {
        log.error('CA certificates of an origin could not be written', { error });
      }
    }
  }

  async #write(folder: string, slot: Slot, pem: string): Promise<void> {
    this.#prepareFolder(folder);
    const put = (name: string, text: string) => {
      const path = join(folder, name);
      writeFileSync(path, text);
      if (this.#owner) chownSync(path, 0, this.#owner.gid);
      chmodSync(path, this.#owner ? 0o640 : 0o600);
    };
    for (const [at, certificate] of (pem.match(BLOCK) ?? []).entries()) put(`${at}.pem`, `${certificate}\n`);
    // OpenSSL looks for a certificate by the hash of its subject.
    await run('openssl', ['rehash', folder]);
    put(SET_FILE, JSON.stringify(slot));
  }

  /**
   * Leaves out what is not in use, and takes new numbers: those of the next nginx.conf. `inUse` are the sets of the domains that nginx
   * serves; the others must prepare theirs again. Until `admitNew` no set gets a new number, as nginx does not know them yet.
   */
  renew(inUse: ReadonlySet<string>): void {
    const ids = new Set([...inUse].map(idOf));
    const live = [...this.#slots].filter(([, { id }]) => ids.has(id)).map(([number]) => number);
    const next = Math.max(-1, ...this.#numbers) + 1;
    const more = Math.min(FREE_MAX, Math.max(0, LIVE_MAX - live.length));
    const numbers = [...live, ...Array.from({ length: more }, (_, at) => next + at)];
    // First: on a full disk everything stays as it is.
    writeFileAtomically(this.#numbersFile, JSON.stringify(numbers));
    for (const [number, { id }] of this.#slots) {
      if (ids.has(id)) continue;
      this.#slots.delete(number);
      this.#numberOf.delete(id);
    }
    this.#free = [];
    this.#numbers = numbers;
  }

  /** nginx has read the nginx.conf of the last `renew`. */
  admitNew(): void {
    this.#free = this.#numbers.filter((number) => !existsSync(join(this.#folder, String(number))));
    this.#refused.clear();
    const known = new Set(this.#numbers.map(String));
    for (const name of readdirSync(this.#folder))
      if (!known.has(name)) rmSync(join(this.#folder, name), { recursive: true, force: true });
  }
}

/** The locations of all numbers, for one of the two servers. */
export function tlsCaLocations(
  isTls: boolean,
  folder: string,
  numbers: readonly number[],
  placeholder: string,
): string {
  const one = (number: number) => `
    location @tls_ca_${number} {
      gzip on;
      brotli on;
      proxy_ssl_trusted_certificate ${placeholder};
      proxy_ssl_conf_command VerifyCAPath ${folder}/${number};
      access_by_lua_block { cordon.continueRequest(${isTls}) }
      header_filter_by_lua_block { cordon.filterHeader() }
      body_filter_by_lua_block { cordon.filterBody() }
      log_by_lua_block { cordon.endRequest() }
      proxy_pass $cordon_upstream;
    }
    location @tls_ca_direct_${number} {
      types {}
      default_type "";
      gzip on;
      brotli on;
      lua_ssl_trusted_certificate ${placeholder};
      lua_ssl_conf_command VerifyCAPath ${folder}/${number};
      client_body_buffer_size 8m;
      client_max_body_size 8m;
      content_by_lua_block { cordon.answerDirectly(${isTls}) }
      log_by_lua_block { cordon.endRequest() }
    }`;
  return numbers.map(one).join('');
}

/** Of the fetching server's locations that ask origins by nginx's proxy. */
export const FETCH_FILTERS =
  'header_filter_by_lua_block { cordon.filterFetched() } body_filter_by_lua_block { cordon.filterFetchedBody() }';

/** The same of the fetching server. */
export function tlsCaFetchLocations(folder: string, numbers: readonly number[], placeholder: string): string {
  const one = (number: number) => `
    location @tls_ca_${number} {
      proxy_ssl_trusted_certificate ${placeholder};
      proxy_ssl_conf_command VerifyCAPath ${folder}/${number};
      ${FETCH_FILTERS}
      proxy_pass $cordon_upstream$cordon_fetch_target;
    }
    location @tls_ca_direct_${number} {
      types {}
      default_type "";
      lua_ssl_trusted_certificate ${placeholder};
      lua_ssl_conf_command VerifyCAPath ${folder}/${number};
      content_by_lua_block { cordon.fetchDirectly() }
    }`;
  return numbers.map(one).join('');
}
