import { hmacSha256Hex, isEqualSecret, randomDigits } from './native.ts';
import { isFirst } from './shield-state.ts';

/**
 * Cordon-Shield: what a node says of a request that it sends to a shield in place of the origin. It is signed by the key of the czone's
 * nodes, together with method and target, for one use within seconds.
 *
 * `2~<nonce>~<when>~<route id>~<version>~<scheme>~<host>~<client>~<request id>~<age of what it has>~<ids of clears, commas between>~<signature in hex>`
 */
export interface ShieldNote {
  readonly routeId: string;
  readonly version: number;
  readonly scheme: string;
  readonly host: string;
  readonly client: string;
  readonly requestId: string;
  /** Of what the node has stored, and may not use as it is; undefined: it has nothing. */
  readonly ageSeconds: number | undefined;
  /** Clears that the node has carried out (shield-clears.ts). */
  readonly clears: readonly string[];
}

const FORMAT = '2';
const PARTS = 12;
const BYTES_MAX = 2048;
/** Clocks of nodes may differ by so much. */
const SKEW_SECONDS = 30;

const subjectOf = (text: string, method: string, target: string): string => `shield ${text}~${method} ${target}`;

export function signNote(note: ShieldNote, key: string, method: string, target: string): string {
  const { routeId, version, scheme, host, client, requestId, ageSeconds, clears } = note;
  const nonce = randomDigits() ?? '';
  const text = [
    ...[FORMAT, nonce, `${ngx.time()}`, routeId, `${version}`, scheme, host, client, requestId],
    ageSeconds === undefined ? '' : string.format('%.3f', ageSeconds),
    clears.join(','),
  ].join('~');
  return `${text}~${hmacSha256Hex(key, subjectOf(text, method, target))}`;
}

/** Undefined: it is not from a node of the czone, for another request, late, or has come before. */
export function readNote(field: string, key: string, method: string, target: string): ShieldNote | undefined {
  if (field.length > BYTES_MAX) return undefined;
  const parts = field.split('~');
  if (parts.length !== PARTS || parts[0] !== FORMAT) return undefined;
  const signature = parts[PARTS - 1] as string;
  const text = string.sub(field, 1, field.length - signature.length - 1);
  if (!isEqualSecret(signature, hmacSha256Hex(key, subjectOf(text, method, target)))) return undefined;
  const [, nonce = '', at, routeId = '', version, scheme = '', host = '', client = '', requestId = ''] = parts;
  const [age, clears = ''] = parts.slice(PARTS - 3);
  if (nonce === '' || Math.abs(ngx.time() - (tonumber(at) ?? 0)) > SKEW_SECONDS) return undefined;
  if (!isFirst(nonce, 2 * SKEW_SECONDS + 1)) return undefined;
  return {
    ...{ routeId, version: tonumber(version) ?? 0, scheme, host, client, requestId },
    ageSeconds: tonumber(age),
    clears: clears === '' ? [] : clears.split(','),
  };
}
