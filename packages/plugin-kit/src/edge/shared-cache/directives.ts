import { parseDeltaSeconds, SECONDS_MAX } from './delta-seconds.ts';
import { readDirectives, type WrittenDirective } from './directive-syntax.ts';
import { isToken, listMembers } from './field-syntax.ts';

/** In place of a number of seconds that is stated, but is none: what has it is stale (RFC 9111 4.2.1). */
export const INVALID_SECONDS = -1;

/**
 * What an answer's directives say (RFC 9111 5.2.2, RFC 5861). A directive that is malformed forbids what it forbids, and allows
 * nothing. Numbers of seconds are undefined where they are not stated, `INVALID_SECONDS` where they are none.
 */
export interface AnswerDirectives {
  readonly hasNoStore: boolean;
  /** Without names of fields. */
  readonly hasNoCache: boolean;
  /** Without names of fields. */
  readonly hasPrivate: boolean;
  readonly hasPublic: boolean;
  readonly hasMustRevalidate: boolean;
  /** It is well-formed, and so allows what answers credentials to be stored (RFC 9111 3.5). */
  readonly isMustRevalidateSound: boolean;
  readonly hasProxyRevalidate: boolean;
  readonly hasMustUnderstand: boolean;
  readonly hasNoTransform: boolean;
  readonly maxAgeSeconds: number | undefined;
  readonly sharedMaxAgeSeconds: number | undefined;
  readonly staleWhileRevalidateSeconds: number | undefined;
  readonly staleIfErrorSeconds: number | undefined;
  /** Names in lower case that `no-cache="…"` and `private="…"` have, each once. */
  readonly withheldFields: readonly string[];
}

/** What a request's directives say (RFC 9111 5.2.1, RFC 5861 4). Numbers of seconds as in `AnswerDirectives`. */
export interface RequestDirectives {
  readonly hasNoStore: boolean;
  readonly hasNoCache: boolean;
  readonly hasNoTransform: boolean;
  readonly hasOnlyIfCached: boolean;
  readonly maxAgeSeconds: number | undefined;
  /** `SECONDS_MAX` where it is stated without a number. */
  readonly maxStaleSeconds: number | undefined;
  readonly minFreshSeconds: number | undefined;
  readonly staleIfErrorSeconds: number | undefined;
}

type Writable<Directives> = { -readonly [Name in keyof Directives]: Directives[Name] };

/** Directives as they are being read. */
export type AnswerDirectivesDraft = Omit<Writable<AnswerDirectives>, 'withheldFields'> & { withheldFields: string[] };

/** Nothing is said. */
export const noAnswerDirectives = (): AnswerDirectivesDraft => ({
  hasNoStore: false,
  hasNoCache: false,
  hasPrivate: false,
  hasPublic: false,
  hasMustRevalidate: false,
  isMustRevalidateSound: false,
  hasProxyRevalidate: false,
  hasMustUnderstand: false,
  hasNoTransform: false,
  maxAgeSeconds: undefined,
  sharedMaxAgeSeconds: undefined,
  staleWhileRevalidateSeconds: undefined,
  staleIfErrorSeconds: undefined,
  withheldFields: [],
});

/** Fields that say what an answer's bytes are, and how it is sent, kept and told apart. */
const OF_THE_MESSAGE = [
  ...['content-length', 'content-encoding', 'content-type', 'content-range', 'transfer-encoding', 'connection'],
  ...['vary', 'date', 'age', 'cache-control', 'expires', 'etag', 'last-modified'],
];

/** Adds the names of a list of fields; false when it is none, or has none, or one that is of the whole answer. */
export function addWithheldFields(this: void, draft: AnswerDirectivesDraft, list: string): boolean {
  const names = listMembers([list]);
  for (const name of names) if (!isToken(name)) return false;
  // Without one of these the rest would be another answer: all of it is for its visitor alone.
  if (names.some((name) => OF_THE_MESSAGE.includes(name.toLowerCase()))) return false;
  for (const name of names) {
    const lower = name.toLowerCase();
    if (!draft.withheldFields.includes(lower)) draft.withheldFields.push(lower);
  }
  return names.length > 0;
}

/** What forbids, and asks for no number. False: it is another directive. */
export function forbid(this: void, draft: AnswerDirectivesDraft, name: string): boolean {
  if (name === 'no-store') draft.hasNoStore = true;
  else if (name === 'no-cache') draft.hasNoCache = true;
  else if (name === 'private') draft.hasPrivate = true;
  else if (name === 'must-revalidate') draft.hasMustRevalidate = true;
  else if (name === 'proxy-revalidate') draft.hasProxyRevalidate = true;
  else if (name === 'no-transform') draft.hasNoTransform = true;
  else return false;
  return true;
}

/** What allows, and asks for no number. False: it is another directive. */
export function allow(this: void, draft: AnswerDirectivesDraft, name: string): boolean {
  if (name === 'public') draft.hasPublic = true;
  else if (name === 'must-revalidate') draft.isMustRevalidateSound = true;
  else if (name === 'must-understand') draft.hasMustUnderstand = true;
  else return false;
  return true;
}

/** The first number that a directive states holds (RFC 9111 4.2.1). False: it is no directive that states one. */
export function stateSeconds(this: void, draft: AnswerDirectivesDraft, name: string, seconds: number): boolean {
  if (name === 'max-age') draft.maxAgeSeconds ??= seconds;
  else if (name === 's-maxage') draft.sharedMaxAgeSeconds ??= seconds;
  else if (name === 'stale-while-revalidate') draft.staleWhileRevalidateSeconds ??= seconds;
  else if (name === 'stale-if-error') draft.staleIfErrorSeconds ??= seconds;
  else return false;
  return true;
}

/** The number of seconds that the argument is, written either way (RFC 9111 5.2). */
const secondsIn = ({ argument }: WrittenDirective): number => parseDeltaSeconds(argument) ?? INVALID_SECONDS;

/** What the Cache-Control fields of an answer say, one value for each line. Unknown directives say nothing (RFC 9111 5.2.3). */
export function answerDirectives(this: void, values: readonly string[]): AnswerDirectives {
  const draft = noAnswerDirectives();
  for (const directive of readDirectives(values)) {
    const { name, form, argument } = directive;
    // Many caches take the fields' own form for the plain one (RFC 9111 5.2.2.4): where their names are not sure, this one does.
    const isOfFields = form === 'quoted' && (name === 'no-cache' || name === 'private');
    const isOfFieldsOnly = isOfFields && addWithheldFields(draft, argument);
    if (!isOfFieldsOnly && !forbid(draft, name)) stateSeconds(draft, name, secondsIn(directive));
    if (form === 'none') allow(draft, name);
  }
  return draft;
}

function noRequestDirectives(): Writable<RequestDirectives> {
  return {
    hasNoStore: false,
    hasNoCache: false,
    hasNoTransform: false,
    hasOnlyIfCached: false,
    maxAgeSeconds: undefined,
    maxStaleSeconds: undefined,
    minFreshSeconds: undefined,
    staleIfErrorSeconds: undefined,
  };
}

/**
 * What a request's fields Cache-Control say, one value for each line. Where there is none, `no-cache` in Pragma is what it is
 * there (RFC 9111 5.4).
 */
export function requestDirectives(
  this: void,
  cacheControl: readonly string[],
  pragma: readonly string[],
): RequestDirectives {
  const said = noRequestDirectives();
  for (const directive of readDirectives(cacheControl)) {
    const { name, form } = directive;
    const seconds = secondsIn(directive);
    if (name === 'no-store') said.hasNoStore = true;
    else if (name === 'no-cache') said.hasNoCache = true;
    else if (name === 'no-transform') said.hasNoTransform = true;
    else if (name === 'only-if-cached') said.hasOnlyIfCached = true;
    else if (name === 'max-age') said.maxAgeSeconds ??= seconds;
    else if (name === 'max-stale') said.maxStaleSeconds ??= form === 'none' ? SECONDS_MAX : seconds;
    else if (name === 'min-fresh') said.minFreshSeconds ??= seconds;
    else if (name === 'stale-if-error') said.staleIfErrorSeconds ??= seconds;
  }
  if (cacheControl.length === 0) {
    for (const { name } of readDirectives(pragma)) if (name === 'no-cache') said.hasNoCache = true;
  }
  return said;
}
