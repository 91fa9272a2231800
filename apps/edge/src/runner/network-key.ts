import { blockOf } from '@cordon/contract/address';
import { CLIENT_PREFIX_6 } from '@cordon/plugin-kit/client-network';
import type { Address } from '@cordon/plugin-kit/edge';
import { newMemory, remember } from './worker-memory.ts';

/**
 * Keys of shared dictionaries that belong to a network. LuaJIT hashes only some bytes of a string, and clients choose their
 * addresses: a key is so short, and its address so placed, that all bytes of the address count.
 */

/** Bytes of a word, most significant first. */
const bytesOf = (word: number): string =>
  string.char(Math.floor(word / 16777216), Math.floor(word / 65536) % 256, Math.floor(word / 256) % 256, word % 256);

export const TAG_BYTES = 8;

/** Eight bytes for what a key belongs to: no two of millions of routes share them. */
export const keyTag = (text: string): string => string.sub(ngx.md5_bin(text), 1, TAG_BYTES);

function networkBytes({ family, words }: Address, prefix: number): string {
  const isWholeWords = family === 4 ? prefix === 32 : prefix === CLIENT_PREFIX_6;
  const first = isWholeWords ? words : blockOf(family, words, prefix).first;
  if (family === 4) return bytesOf(first[0] as number);
  const half = bytesOf(first[0] as number) + bytesOf(first[1] as number);
  if (prefix <= CLIENT_PREFIX_6) return half;
  return string.sub(ngx.md5_bin(half + bytesOf(first[2] as number) + bytesOf(first[3] as number)), 1, 8);
}

/** Of the block of `prefix` bits that holds the address. */
export const networkKey = (address: Address, prefix: number, tag: string): string =>
  networkBytes(address, prefix) + string.char(prefix) + tag;

/** By the objects that `addressOf` keeps. */
const clients = newMemory<Address, string>(20_000);

const clientBytes = (address: Address): string =>
  clients.entries.get(address) ??
  remember(clients, address, networkBytes(address, address.family === 4 ? 32 : CLIENT_PREFIX_6));

/** Of the client that an address belongs to. */
export const clientKey = (address: Address, tag: string): string => clientBytes(address) + tag;

/** The tag of `kind` for one scope, kept in `tags`. */
export function tagIn(tags: LuaTable<string, string>, kind: string, scope: string): string {
  let tag = tags.get(kind) as string | undefined;
  if (tag === undefined) {
    tag = keyTag(`${kind} ${scope}`);
    tags.set(kind, tag);
  }
  return tag;
}
