import { formatRange, parseRange } from '@cordon/contract';

/** Networks that are asked for, else words. */
export interface NetworkSearch {
  /** Canonical texts. */
  readonly networks: readonly string[];
  readonly words: string | undefined;
}

const SEPARATORS = /[\s,;，；、]+/;
/** One to three numbers of an IPv4 address with at least one dot: `81.`, `81.2.69`, `81.2.69.`. */
const BEGINNING = /^(?=.*\.)\d{1,3}(?:\.\d{1,3}){0,2}\.?$/;

/** The canonical text of an address, of a range, or of all addresses that begin so. */
function toNetwork(text: string): string | undefined {
  const numbers = BEGINNING.test(text) ? text.split('.').filter(Boolean) : [];
  const whole =
    numbers.length > 0 ? `${[...numbers, '0', '0', '0'].slice(0, 4).join('.')}/${numbers.length * 8}` : text;
  const range = parseRange(whole);
  return range && formatRange(range);
}

/** What `text`, typed above a list of networks, looks for. */
export function readSearch(text = ''): NetworkSearch {
  // What a database's text cannot hold.
  const words = text.replaceAll('\0', ' ');
  const entries = words.split(SEPARATORS).filter(Boolean);
  const networks = entries.map(toNetwork).filter((network) => network !== undefined);
  const isAddresses = networks.length === entries.length;
  return { networks: isAddresses ? networks : [], words: isAddresses ? undefined : words };
}
