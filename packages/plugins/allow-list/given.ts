import { type FieldErrorCode, formatRange, parseRange } from '@cordon/contract';
import { fieldErrors } from '@cordon/contract/app-error';
import { specialRangeKind } from '@cordon/contract/special-address';

/** What a call brings, read. */
export interface GivenNetworks {
  /** Canonical texts, as often as they were given. */
  readonly networks: readonly string[];
  /** How many are special addresses, which are left out. */
  readonly ignored: number;
}

/** Read in one turn of the event loop. */
const READ_AT_ONCE = 5_000;
/** Wrong entries that are reported: a list with more of them was pasted, and its kind of fault shows in these. */
const FAULTS_MAX = 100;

function faultOf(entry: string): FieldErrorCode | undefined {
  const range = parseRange(entry);
  if (!range) return 'ADDRESS_INVALID';
  return range.prefix === 0 ? 'RANGE_TOO_WIDE' : undefined;
}

/** Throws the faults of a part of the list, each at its place. */
function refuse(part: readonly string[], from: number): never {
  const faults = part.flatMap((entry, at) => {
    const code = faultOf(entry);
    return code === undefined ? [] : [{ path: `networks.${from + at}`, code, entry }];
  });
  const shown = faults.slice(0, FAULTS_MAX);
  throw fieldErrors(
    Object.fromEntries(shown.map(({ path, code }) => [path, code])),
    Object.fromEntries(shown.map(({ path, entry }) => [path, { entry }])),
  );
}

/** Canonical texts of what visitors may come from; throws at what is no address, and at /0. */
function readPart(part: readonly string[], from: number): string[] {
  const networks: string[] = [];
  for (const entry of part) {
    const range = parseRange(entry);
    if (!range || range.prefix === 0) refuse(part, from);
    if (specialRangeKind(range) === undefined) networks.push(formatRange(range));
  }
  return networks;
}

/** Reads a long list, a part of it in a turn. */
export async function readGiven(
  given: readonly string[],
  inTurn: <T>(work: () => T) => Promise<T>,
): Promise<GivenNetworks> {
  const networks: string[] = [];
  for (let at = 0; at < given.length; at += READ_AT_ONCE)
    networks.push(...(await inTurn(() => readPart(given.slice(at, at + READ_AT_ONCE), at))));
  return { networks, ignored: given.length - networks.length };
}
