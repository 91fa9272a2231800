import { blockOf } from '@cordon/contract/address';
import { isWayEnough } from '@cordon/plugin-kit/challenge';
import { CLIENT_PREFIX_6 } from '@cordon/plugin-kit/client-network';
import type { Address, ChallengeWay } from '@cordon/plugin-kit/edge';
import { currentGeneration } from './generation.ts';
import { hmacSha256Hex, isEqualSecret, sha256Head } from './native.ts';
import { keyTag } from './network-key.ts';
import { settingsAt } from './settings.ts';

/**
 * How clients prove themselves. A challenge is a text that is signed for one client on one route by this node; its proof is work that
 * anyone can check by a few hashes. It is taken once, for a pass: a cookie that all nodes know by keys that rotate.
 * Nothing is kept of a challenge until its proof is shown.
 */

/** Who proves itself, and where. A client is its IPv4 address or IPv6 /64 (`clientNetwork`). */
export interface ProvingClient {
  readonly routeId: string;
  readonly address: Address;
}

/** A wait has a cookie of its own, which takes the place of no proof. */
export const cookieOfWay = (way: ChallengeWay): string => (way === 'wait' ? 'cordon_wait' : 'cordon_pass');
/** Most passes of one request that are looked at; a browser shows one, or two where a domain above sets it, too. */
const PASSES_MAX = 4;
const CHALLENGE_SECONDS = 300;
const SIGNATURE_DIGITS = 64;

/** A proof is so many numbers, found one after the other: the time for it varies less than for a single one that is harder. */
export const PROOF_PARTS = 8;
const PART_BITS_LESS = 3;
const BITS_MIN = 14;
const BITS_MAX = 20;
/** Challenges in ten seconds, on one route of this node, from which each doubling makes the next ones twice as hard. */
const CALM = 100;
const SLOT_SECONDS = 10;

const challenges = ngx.shared.cordon_challenges as SharedDict;
const meta = ngx.shared.cordon_meta as SharedDict;

function networkText({ family, words }: Address): string {
  const prefix = family === 4 ? 32 : CLIENT_PREFIX_6;
  return `${family} ${blockOf(family, words, prefix).first.join(' ')}`;
}

function keys(): readonly string[] {
  const settings = settingsAt(currentGeneration());
  return settings === undefined ? [] : settings.challenge_keys;
}

/** What a signature is about: of whom, where, and for a challenge by which run of this node. */
const passSubject = ({ routeId, address }: ProvingClient, text: string): string =>
  `pass ${routeId} ${networkText(address)} ${text}`;
const challengeSubject = ({ routeId, address }: ProvingClient, text: string): string =>
  `challenge ${meta.get('boot_id') as string} ${routeId} ${networkText(address)} ${text}`;

/** Unix seconds at which the client proved itself, by the best of the passes it shows; undefined when none is good. */
export function findProof(
  client: ProvingClient,
  way: ChallengeWay,
  passes: readonly string[],
  now: number,
): number | undefined {
  let newest: number | undefined;
  for (let index = 0; index < passes.length && index < PASSES_MAX; index++) {
    const at = proofOf(client, way, passes[index] as string, now);
    if (at !== undefined && (newest === undefined || at > newest)) newest = at;
  }
  return newest;
}

function proofOf(client: ProvingClient, way: ChallengeWay, pass: string, now: number): number | undefined {
  const [shown, at, until, signature, more] = pass.split('.');
  if (shown === undefined || at === undefined || until === undefined || signature === undefined) return undefined;
  if (more !== undefined || !isWayEnough(shown as ChallengeWay, way)) return undefined;
  if ((tonumber(until) ?? 0) <= now) return undefined;
  const subject = passSubject(client, `${shown}.${at}.${until}`);
  for (const key of keys()) {
    if (isEqualSecret(signature, hmacSha256Hex(key, subject))) return tonumber(at);
  }
  return undefined;
}

/** A pass for a client that has proved itself now, or counts from later on; undefined while this node has no keys. */
export function signPass(
  client: ProvingClient,
  way: ChallengeWay,
  passSeconds: number,
  now: number,
  since = 0,
): string | undefined {
  const [key] = keys();
  if (key === undefined) return undefined;
  const at = Math.max(Math.floor(now), since);
  const text = `${way}.${at}.${at + passSeconds}`;
  return `${text}.${hmacSha256Hex(key, passSubject(client, text))}`;
}

/** What a challenge is for: what verdicts ask for, and the work that stands in for a puzzle or for Google reCAPTCHA. */
export type ChallengeKind = Exclude<ChallengeWay, 'wait'> | 'puzzle-work' | 'recaptcha-work';
/** How much harder that work is: tens of seconds, for people who cannot see the picture. */
const PUZZLE_WORK_BITS = 7;
/** A phone ends it before the challenge does, however many are asked for. */
const PUZZLE_WORK_BITS_MAX = 23;

/** The text with a signature for this client, route and run of the node behind a dot; undefined while there are no keys. */
export function signChallenge(client: ProvingClient, text: string): string | undefined {
  const [key] = keys();
  return key === undefined ? undefined : `${text}.${hmacSha256Hex(key, challengeSubject(client, text))}`;
}

/** Whether `signChallenge` made it. */
export function isChallengeSigned(client: ProvingClient, signed: string): boolean {
  const text = string.sub(signed, 1, -SIGNATURE_DIGITS - 2);
  const subject = challengeSubject(client, text);
  const signature = string.sub(signed, -SIGNATURE_DIGITS);
  for (const key of keys()) {
    if (
      string.sub(signed, -SIGNATURE_DIGITS - 1, -SIGNATURE_DIGITS - 1) === '.' &&
      isEqualSecret(signature, hmacSha256Hex(key, subject))
    )
      return true;
  }
  return false;
}

/** How hard challenges of a route are now, in bits of one proof as a whole: the more are asked for, the harder. */
function bitsNow(routeId: string, now: number): number {
  const slot = Math.floor(now / SLOT_SECONDS);
  const tag = keyTag(`challenges ${routeId}`);
  const asked = challenges.incr(`n${tag}${slot}`, 1, 0, 2 * SLOT_SECONDS) ?? CALM;
  const before = (challenges.get(`n${tag}${slot - 1}`) ?? 0) as number;
  const excess = Math.max(asked, before) / CALM;
  return excess < 1 ? BITS_MIN : Math.min(BITS_MAX, BITS_MIN + Math.floor(Math.log(excess) / Math.log(2)) + 1);
}

/** What a challenge asks for. */
export interface Challenge {
  /** To be shown again with the proof. */
  readonly text: string;
  /** What the numbers of the proof are hashed with: 32 hex digits. */
  readonly seed: string;
  /** Bits that are zero at the beginning of the hash of each part. */
  readonly bits: number;
}

/** `id` is used for no other challenge. undefined while this node has no keys. */
export function makeChallenge(
  client: ProvingClient,
  kind: ChallengeKind,
  passSeconds: number,
  id: string,
  now: number,
): Challenge | undefined {
  const asked = bitsNow(client.routeId, now);
  const whole = kind === 'puzzle-work' ? Math.min(PUZZLE_WORK_BITS_MAX, asked + PUZZLE_WORK_BITS) : asked;
  const bits = whole - PART_BITS_LESS;
  const text = `${kind}.${Math.floor(now)}.${passSeconds}.${bits}.${id}`;
  const signed = signChallenge(client, text);
  return signed === undefined ? undefined : { text: signed, seed: seedOf(signed), bits };
}

/** A challenge that a client has met. */
export interface MetChallenge {
  readonly kind: ChallengeKind;
  readonly passSeconds: number;
}

/** What the numbers of a proof are hashed with: the first half of the signature. */
const seedOf = (signed: string): string => string.sub(signed, -SIGNATURE_DIGITS, -SIGNATURE_DIGITS / 2 - 1);

const isDigits = (text: string): boolean => string.match(text, '^%d+$')[0] !== undefined && text.length <= 10;

function hasWork(seed: string, bits: number, proof: string): boolean {
  const numbers = proof.split(',');
  if (numbers.length !== PROOF_PARTS) return false;
  const limit = 2 ** (32 - bits);
  for (let part = 0; part < PROOF_PARTS; part++) {
    const number = numbers[part] as string;
    if (!isDigits(number) || sha256Head(`${seed}.${part}.${number}`) >= limit) return false;
  }
  return true;
}

/**
 * Takes the proof of a challenge: the very client that it was given to, on this node, in time and once. undefined when it
 * is none, or was taken before.
 */
export function takeProof(client: ProvingClient, text: string, proof: string, now: number): MetChallenge | undefined {
  const [kind, at, passSeconds, bits, id, signature, more] = text.split('.');
  if (signature === undefined || more !== undefined || id === undefined) return undefined;
  if (!hasWork(seedOf(text), tonumber(bits) ?? 32, proof)) return undefined;
  if (!takeSigned(client, text, id, tonumber(at) ?? 0, now)) return undefined;
  return { kind: kind as ChallengeKind, passSeconds: tonumber(passSeconds) ?? 0 };
}

/** Takes a challenge that can be met from `from` on: the very client that it was given to, on this node, in time and once. */
export function takeSigned(client: ProvingClient, text: string, id: string, from: number, now: number): boolean {
  if (from + CHALLENGE_SECONDS <= now || !isChallengeSigned(client, text)) return false;
  // A full memory gives up the oldest: others' proofs, which cost little, must lock out no visitor. What is shown twice gives a pass
  // to the same client only, and to fill the memory costs it more than another proof.
  const [isFirst] = challenges.add(`u${id}`, 1, CHALLENGE_SECONDS);
  return isFirst === true;
}
