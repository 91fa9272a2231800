import { z } from 'zod';
import { parseAddress } from './address.ts';

/**
 * What settings of several programs (their `env.ts`) have in common: texts of the environment, with faults that say what
 * was expected. A fault follows the name of its setting, as in "CORDON_PORT must be a whole number from 1 to 65535".
 */

/** A whole number, both bounds included. */
export const wholeNumber = (from: number, to: number) => {
  const expected = `must be a whole number from ${from} to ${to}`;
  return z.coerce.number(expected).int(expected).min(from, expected).max(to, expected);
};

/** A number, both bounds included. */
export const decimalNumber = (from: number, to: number) => {
  const expected = `must be a number from ${from} to ${to}`;
  return z.coerce.number(expected).min(from, expected).max(to, expected);
};

/** Entries separated by commas; none when it is not set. */
export const list = z
  .string()
  .default('')
  .transform((text) =>
    text
      .split(',')
      .map((entry) => entry.trim())
      .filter((entry) => entry !== ''),
  );

/** A URL of one of these protocols, each with its colon. */
export const url = (protocols: readonly string[]) =>
  z
    .string()
    .refine(
      (text) => URL.canParse(text) && protocols.includes(new URL(text).protocol),
      `must be a URL that begins with ${protocols.map((protocol) => `${protocol}//`).join(' or ')}`,
    );

/** An IPv4 or IPv6 address. */
export const address = z.string().refine((text) => parseAddress(text) !== undefined, 'must be an address');

export interface Endpoint {
  readonly address: string;
  readonly port: number;
}

/**
 * `address:port` or `[address]:port`; with `defaultPort` also an address alone, IPv6 in brackets or not. Undefined when
 * it is none: a name, or a port that is not from 1 to 65535.
 */
export function parseEndpoint(text: string, defaultPort?: number): Endpoint | undefined {
  const match = /^(?:\[([^\]]+)\]|([^:]+)|([0-9a-fA-F:]+:[0-9a-fA-F:.]*))(?::(\d{1,5}))?$/.exec(text);
  const found = match?.[1] ?? match?.[2] ?? match?.[3];
  const port = match?.[4] === undefined ? defaultPort : Number(match[4]);
  if (found === undefined || port === undefined || port < 1 || port > 65535 || !parseAddress(found)) return undefined;
  return { address: found, port };
}

/** As `net` and `dns` of Node take it. */
export const formatEndpoint = ({ address: text, port }: Endpoint): string =>
  text.includes(':') ? `[${text}]:${port}` : `${text}:${port}`;

/** A list of endpoints; with `defaultPort` the port may be left out. */
export const endpoints = (defaultPort?: number) =>
  list.transform((entries, ctx) =>
    entries.map((entry) => {
      const endpoint = parseEndpoint(entry, defaultPort);
      if (endpoint) return endpoint;
      const expected = defaultPort === undefined ? 'address:port' : 'an address or address:port';
      ctx.addIssue({ code: 'custom', message: `has "${entry}", which is not ${expected}` });
      return z.NEVER;
    }),
  );
