import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, chownSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { log } from './log.ts';

/**
 * Locations of nginx.conf that verify origins by the CA certificates of a domain (`tls_ca`). nginx 1.22 knows one set of
 * them for a location (`proxy_ssl_trusted_certificate`) and reads it at its start; but OpenSSL looks into a folder (VerifyCAPath) when it meets an issuer it does
 * not know, so each of these locations has an empty folder that is filled while nginx runs.
 */
export const TLS_CA_SLOTS = 128;

const ID_FILE = 'id';
const BLOCK = /-----BEGIN CERTIFICATE-----[\s\S]*?-----END CERTIFICATE-----/g;

/** Name under which OpenSSL looks for a certificate: the hash of its subject. */
function subjectHash(pem: string): string {
  return execFileSync('openssl', ['x509', '-noout', '-subject_hash'], { input: pem, encoding: 'utf8' }).trim();
}

/**
 * Gives each set of CA certificates a slot. nginx's workers keep what they have found, so that a slot that was used stays
 * with its certificates until nginx is started anew: a new set gets an unused slot.
 */
export class TlsCaSlots {
  readonly #folder: string;
  readonly #owner: { gid: number } | undefined;
  readonly #slots = new Map<string, number>();
  /** Slots whose files this agent has written or found whole. */
  readonly #written = new Set<number>();
  #next = 0;

  constructor(folder: string, owner: { gid: number } | undefined) {
    this.#folder = folder;
    this.#owner = owner;
    this.#prepare(folder);
    for (const name of readdirSync(folder)) {
      const slot = Number(name);
      this.#next = Math.max(this.#next, slot + 1);
      const id = join(folder, name, ID_FILE);
      if (existsSync(id)) this.#slots.set(readFileSync(id, 'utf8'), slot);
    }
  }

  #prepare(folder: string): void {
    mkdirSync(folder, { recursive: true });
    if (this.#owner) chownSync(folder, 0, this.#owner.gid);
    chmodSync(folder, this.#owner ? 0o750 : 0o700);
  }

  /** nginx is started anew and remembers nothing. */
  reset(): void {
    rmSync(this.#folder, { recursive: true, force: true });
    this.#prepare(this.#folder);
    this.#slots.clear();
    this.#written.clear();
    this.#next = 0;
  }

  /** Slot of the CA certificates, whose files are in place then; undefined when there is none left. */
  slotOf(pem: string): number | undefined {
    const id = createHash('sha256').update(pem).digest('hex');
    const known = this.#slots.get(id);
    const slot = known ?? this.#next;
    if (this.#written.has(slot)) return slot;
    if (slot >= TLS_CA_SLOTS) {
      log.error('no room for another set of CA certificates; a restart of nginx frees unused ones', {
        slots: TLS_CA_SLOTS,
      });
      return undefined;
    }
    if (known === undefined) this.#next = slot + 1;
    try {
      this.#write(join(this.#folder, String(slot)), id, pem);
    } catch (error) {
      log.error('CA certificates of an origin could not be written', { error });
      return undefined;
    }
    this.#slots.set(id, slot);
    this.#written.add(slot);
    return slot;
  }

  #write(folder: string, id: string, pem: string): void {
    this.#prepare(folder);
    const put = (name: string, text: string) => {
      const path = join(folder, name);
      writeFileSync(path, text);
      if (this.#owner) chownSync(path, 0, this.#owner.gid);
      chmodSync(path, this.#owner ? 0o640 : 0o600);
    };
    const seen = new Map<string, number>();
    for (const certificate of pem.match(BLOCK) ?? []) {
      const hash = subjectHash(certificate);
      const number = seen.get(hash) ?? 0;
      seen.set(hash, number + 1);
      put(`${hash}.${number}`, certificate);
    }
    put(ID_FILE, id);
  }
}

/** The locations of all slots, for one of the two servers. */
export function tlsCaLocations(isTls: boolean, folder: string, placeholder: string): string {
  const one = (slot: number) => `
    location @tls_ca_${slot} {
      proxy_ssl_trusted_certificate ${placeholder};
      proxy_ssl_conf_command VerifyCAPath ${folder}/${slot};
      access_by_lua_block { cordon.continueRequest(${isTls}) }
      header_filter_by_lua_block { cordon.filterHeader() }
      body_filter_by_lua_block { cordon.filterBody() }
      log_by_lua_block { cordon.endRequest() }
      proxy_pass $cordon_upstream;
    }
    location @tls_ca_direct_${slot} {
      lua_ssl_trusted_certificate ${placeholder};
      lua_ssl_conf_command VerifyCAPath ${folder}/${slot};
      client_body_buffer_size 8m;
      client_max_body_size 8m;
      content_by_lua_block { cordon.answerDirectly(${isTls}) }
      log_by_lua_block { cordon.endRequest() }
    }`;
  return Array.from({ length: TLS_CA_SLOTS }, (_, slot) => one(slot)).join('');
}
