import { bytesOfText } from '@cordon/plugin-kit/byte-text';
import type { EdgeHandler, PossibleValues } from '@cordon/plugin-kit/edge';

/** Names that the probe asks for. */
export interface ProbeConfig {
  readonly headers: readonly string[];
  readonly cookies: readonly string[];
  readonly args: readonly string[];
}

const DIGITS = '0123456789abcdef';
const ABSENT = '-';

/** Bytes in hexadecimal digits. */
function hexOf(text: string | undefined): string {
  if (text === undefined) return ABSENT;
  const bytes = bytesOfText(text);
  let hex = '';
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes.charCodeAt(at);
    hex += DIGITS.charAt(byte >> 4) + DIGITS.charAt(byte & 15);
  }
  return hex;
}

/** The same of several texts, a comma between. */
const hexOfAll = (texts: readonly string[]): string => (texts.length === 0 ? ABSENT : texts.map(hexOf).join(','));

/** The same of all that a name may have the value of; `!` behind them where every origin finds one. */
const hexOfPossible = (possible: PossibleValues | undefined): string =>
  possible === undefined ? 'doubt' : hexOfAll(possible.values) + (possible.isSure ? '!' : '');

/** A plugin for tests: redirects to a text that lists everything of the request that plugins can ask for. */
export const handler: EdgeHandler<ProbeConfig, ProbeConfig> = {
  prepare: (config) => config,

  access: (ctx, { headers, cookies, args }) => {
    const { method, scheme, host, path, rawPath, query, clientAddressText } = ctx.request;
    const values = [method, scheme, host, path, rawPath, query, clientAddressText].map(hexOf);
    for (const name of headers) values.push(hexOf(ctx.header(name)), hexOfAll(ctx.headerValues(name)));
    for (const name of cookies) values.push(hexOfAll(ctx.cookieValues(name)));
    for (const name of args) values.push(hexOfAll(ctx.argumentValues(name)));
    for (const name of cookies) values.push(hexOfPossible(ctx.possibleCookieValues(name)));
    for (const name of args) values.push(hexOfPossible(ctx.possibleArgumentValues(name)));
    return { kind: 'redirect', status: 302, location: values.join('.'), reason: 'probe', rule: '' };
  },
};
