import { createHash, createHmac } from 'node:crypto';
import { parseAddress } from '@cordon/contract';
import { clientNetworkOf } from '@cordon/plugin-kit/client-network';
import { testSettings } from './routes.ts';
import type { EdgeAnswer } from './start-edge.ts';

/** What a page asks for, as its script reads it. */
export interface AskedProof {
  readonly challenge: string;
  readonly seed: string;
  readonly bits: number;
  readonly parts: number;
  readonly path: string;
}

export function readChallenge({ body }: Pick<EdgeAnswer, 'body'>): AskedProof {
  const read = (name: string) => {
    const value = new RegExp(`data-${name}="([^"]*)"`).exec(body)?.[1];
    if (value === undefined) throw new Error(`the page has no ${name}: ${body.slice(0, 300)}`);
    return value;
  };
  return {
    challenge: read('challenge'),
    seed: read('seed'),
    bits: Number(read('bits')),
    parts: Number(read('parts')),
    path: read('path'),
  };
}

const hasZeroBits = (text: string, bits: number) =>
  createHash('sha256').update(text).digest().readUInt32BE() < 2 ** (32 - bits);

/** The work of a browser: value of Cordon-Proof. */
export function solve({ challenge, seed, bits, parts }: AskedProof): string {
  const numbers = Array.from({ length: parts }, (_, part) => {
    let number = 0;
    while (!hasZeroBits(`${seed}.${part}.${number}`, bits)) number++;
    return number;
  });
  return `${challenge} ${numbers.join(',')}`;
}

/** A pass as the nodes of the tests sign it, given just now where `at` is left out. */
export function passOf(
  routeId: string,
  from: string,
  way: string,
  until = Math.floor(Date.now() / 1000) + 600,
  at = Math.floor(Date.now() / 1000),
): string {
  const address = parseAddress(from);
  if (!address) throw new Error(`${from} is no address`);
  const text = `${way}.${at}.${until}`;
  const network = `${address.family} ${clientNetworkOf(address).first.join(' ')}`;
  const [key = ''] = testSettings().challenge_keys ?? [];
  return `${text}.${createHmac('sha256', key).update(`pass ${routeId} ${network} ${text}`).digest('hex')}`;
}
