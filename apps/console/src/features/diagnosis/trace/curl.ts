import { splitWords } from './shell-words';

export interface CurlHeader {
  readonly name: string;
  readonly value: string;
}

/** A request as a curl command describes it. */
export interface CurlRequest {
  readonly method: string;
  /** With scheme. */
  readonly url: string;
  readonly headers: readonly CurlHeader[];
  /** The command sends a body. */
  readonly hasBody: boolean;
  /** Options that say nothing about the request. */
  readonly ignored: readonly string[];
}

export type CurlFault = 'not_curl' | 'open_quote' | 'no_url';
export type CurlResult =
  | { readonly ok: true; readonly request: CurlRequest }
  | { readonly ok: false; readonly fault: CurlFault };

/** Short options with a value (curl(1)); other short ones are switches and may be joined, as in `-sSL`. */
const SHORT_WITH_VALUE: Readonly<Record<string, string>> = {
  A: '--user-agent',
  b: '--cookie',
  d: '--data',
  e: '--referer',
  F: '--form',
  H: '--header',
  T: '--upload-file',
  u: '--user',
  X: '--request',
};
const SHORT_SWITCHES: Readonly<Record<string, string>> = { I: '--head', G: '--get' };
/** Short options with a value that says nothing about the request. */
const SHORT_IGNORED_VALUE = new Set([...'CEKPQUYchmnortwxyzD']);
const LONG_IGNORED_VALUE = new Set(
  (
    'resolve connect-to cacert capath cert key pass proxy interface dns-servers output max-time connect-timeout retry ' +
    'retry-delay max-redirs write-out cookie-jar dump-header tls-max ciphers limit-rate speed-limit speed-time range ' +
    'config trace trace-ascii stderr noproxy proxy-user unix-socket'
  )
    .split(' ')
    .map((name) => `--${name}`),
);
const DATA = new Set(['--data', '--data-raw', '--data-binary', '--data-ascii', '--data-urlencode', '--json']);

interface Reading {
  method: string | undefined;
  url: string | undefined;
  readonly headers: CurlHeader[];
  readonly data: string[];
  hasBody: boolean;
  isGet: boolean;
  readonly ignored: string[];
}

/** `Name: value`, `Name;` for an empty value; `Name:` takes a header of curl's own away. */
function readHeader(text: string): CurlHeader | undefined {
  const colon = text.indexOf(':');
  if (colon > 0) {
    const value = text.slice(colon + 1).trim();
    return value === '' ? undefined : { name: text.slice(0, colon).trim(), value };
  }
  return text.trimEnd().endsWith(';') ? { name: text.trimEnd().slice(0, -1).trim(), value: '' } : undefined;
}

const toBase64 = (text: string) => btoa(String.fromCharCode(...new TextEncoder().encode(text)));

function takeData(reading: Reading, option: string, value: string): void {
  reading.hasBody = true;
  reading.data.push(value);
  if (option === '--json') {
    reading.headers.push({ name: 'Content-Type', value: 'application/json' });
    reading.headers.push({ name: 'Accept', value: 'application/json' });
  }
}

/** Takes an option with its value; false for one that says nothing about the request. */
function takeOption(reading: Reading, option: string, value: string): boolean {
  if (DATA.has(option)) takeData(reading, option, value);
  else if (option === '--request') reading.method = value;
  else if (option === '--url') reading.url ??= value;
  else if (option === '--user-agent') reading.headers.push({ name: 'User-Agent', value });
  else if (option === '--referer') reading.headers.push({ name: 'Referer', value: value.replace(/;auto$/, '') });
  else if (option === '--user') reading.headers.push({ name: 'Authorization', value: `Basic ${toBase64(value)}` });
  else if (option === '--form' || option === '--upload-file') {
    reading.hasBody = true;
    if (option === '--upload-file') reading.method ??= 'PUT';
  } else if (option === '--cookie') {
    // Without `=` it names a file.
    if (!value.includes('=')) return false;
    reading.headers.push({ name: 'Cookie', value });
  } else if (option === '--header') {
    const header = readHeader(value);
    if (header) reading.headers.push(header);
  } else return false;
  return true;
}

function takeSwitch(reading: Reading, option: string): boolean {
  if (option === '--head') reading.method ??= 'HEAD';
  else if (option === '--get') reading.isGet = true;
  else if (option === '--compressed')
    reading.headers.push({ name: 'Accept-Encoding', value: 'deflate, gzip, br, zstd' });
  else return false;
  return true;
}

const WITH_VALUE = new Set([...Object.values(SHORT_WITH_VALUE), ...DATA, '--url']);

function readLong(reading: Reading, words: readonly string[], at: number): number {
  const word = words[at] as string;
  if (WITH_VALUE.has(word)) {
    if (!takeOption(reading, word, words[at + 1] ?? '')) reading.ignored.push(word);
    return at + 2;
  }
  if (takeSwitch(reading, word)) return at + 1;
  reading.ignored.push(word);
  return LONG_IGNORED_VALUE.has(word) ? at + 2 : at + 1;
}

/** `-sSLH 'A: b'`: switches joined, the last may take the rest of the word or the next word as its value. */
function readShort(reading: Reading, words: readonly string[], at: number): number {
  const letters = (words[at] as string).slice(1);
  for (let index = 0; index < letters.length; index++) {
    const letter = letters[index] as string;
    const long = SHORT_WITH_VALUE[letter];
    const rest = letters.slice(index + 1);
    if (long !== undefined || SHORT_IGNORED_VALUE.has(letter)) {
      if (long === undefined || !takeOption(reading, long, rest === '' ? (words[at + 1] ?? '') : rest))
        reading.ignored.push(`-${letter}`);
      return rest === '' ? at + 2 : at + 1;
    }
    const known = SHORT_SWITCHES[letter];
    if (known === undefined || !takeSwitch(reading, known)) reading.ignored.push(`-${letter}`);
  }
  return at + 1;
}

function withData(url: string, data: readonly string[]): string {
  const [base = '', fragment] = url.split(/#(.*)/s);
  const joined = `${base}${base.includes('?') ? '&' : '?'}${data.join('&')}`;
  return fragment === undefined ? joined : `${joined}#${fragment}`;
}

function finish(reading: Reading): CurlResult {
  if (reading.url === undefined || reading.url === '') return { ok: false, fault: 'no_url' };
  // As curl guesses it.
  const absolute = /^[a-z][a-z0-9+.-]*:\/\//i.test(reading.url) ? reading.url : `http://${reading.url}`;
  const isForm = reading.data.length > 0 && !reading.headers.some(({ name }) => name.toLowerCase() === 'content-type');
  const sendsBody = reading.hasBody && !reading.isGet;
  return {
    ok: true,
    request: {
      method: reading.method ?? (sendsBody ? 'POST' : 'GET'),
      url: reading.isGet && reading.data.length > 0 ? withData(absolute, reading.data) : absolute,
      headers:
        sendsBody && isForm
          ? [...reading.headers, { name: 'Content-Type', value: 'application/x-www-form-urlencoded' }]
          : reading.headers,
      hasBody: sendsBody,
      ignored: [...new Set(reading.ignored)],
    },
  };
}

/** Behind the sign of a prompt, or the `/` that the field of an address begins with; `/curl` alone is a path. */
export const isCurl = (text: string): boolean => /^\s*(\$?\s*curl(\.exe)?(\s|$)|\/curl(\.exe)?\s)/i.test(text);

/** Reads a curl command as people paste it from terminals, documents and browsers. Only the first address counts. */
export function parseCurl(text: string): CurlResult {
  if (!isCurl(text)) return { ok: false, fault: 'not_curl' };
  const split = splitWords(text.trim().replace(/^[$/]\s*/, ''));
  if (!split.ok) return { ok: false, fault: 'open_quote' };
  const words = split.words.slice(1);
  const reading: Reading = {
    method: undefined,
    url: undefined,
    headers: [],
    data: [],
    hasBody: false,
    isGet: false,
    ignored: [],
  };
  let hasEnded = false;
  for (let at = 0; at < words.length; ) {
    const word = words[at] as string;
    if (word === '--' && !hasEnded) {
      hasEnded = true;
      at++;
    } else if (!hasEnded && word.startsWith('--')) at = readLong(reading, words, at);
    else if (!hasEnded && word.startsWith('-') && word.length > 1) at = readShort(reading, words, at);
    else {
      reading.url ??= word;
      at++;
    }
  }
  return finish(reading);
}
