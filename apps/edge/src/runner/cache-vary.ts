import { beginGeneration } from './generation.ts';
import { forgetPlaces, readHeaderValues } from './request-headers.ts';

/**
 * nginx compares the fields that Vary names byte by byte. Values that mean the same are brought to one form before it does (RFC 9111
 * 4.1), of the fields by which answers of a route vary; origins get them as they were.
 */
const learned = ngx.shared.cordon_learned as SharedDict;
const SECONDS = 86_400;
/** An origin that names ever new ones is not followed. */
const NAMES_MAX = 10;

const keyOfRoute = (routeId: string): string => `vary ${routeId}`;

/** Their commas and blanks mean something, or what they tell apart must never be mixed up. */
const OPAQUE = ['cookie', 'authorization', 'user-agent', 'referer', 'origin', 'range', 'if-range', 'host'];
/** Lists of preferences (RFC 9110 12.5). */
const PREFERENCES = ['accept', 'accept-charset', 'accept-language'];

/** Fields by which answers of a route vary, names in lower case. */
function knownFields(routeId: string): readonly string[] {
  const known = learned.get(keyOfRoute(routeId)) as string | undefined;
  return known === undefined ? [] : known.split(',');
}

const hasForms = (name: string): boolean => !OPAQUE.includes(name);

/** Those of them whose values have more than one form. */
export const variedFields = (routeId: string): readonly string[] => knownFields(routeId).filter(hasForms);

/** To be called with the Vary of an answer, names in lower case; its fields with more than one form. Workers learn of new ones with the next generation. */
export function learnVaried(routeId: string, vary: string): readonly string[] {
  const named = vary.split(', ').filter((name) => name !== '');
  const known = knownFields(routeId);
  const all = [...known, ...named.filter((name) => !known.includes(name))];
  if (all.length > known.length && all.length <= NAMES_MAX) {
    learned.set(keyOfRoute(routeId), all.join(','), SECONDS);
    beginGeneration();
  }
  return named.filter(hasForms);
}

/** What a request has in the fields by which answers of its route vary: those with the same get the same of a URL. Empty: none is known. */
export function variedForm(routeId: string): string {
  return knownFields(routeId)
    .map((name) => {
      const text = readHeaderValues(name).join(', ');
      return `${name}: ${hasForms(name) ? formOf(name, text) : text}`;
    })
    .join('\n');
}

interface Preference {
  /** With its weight, unless that says nothing. */
  readonly text: string;
  readonly weight: number;
}

/** RFC 9110 12.4.2. Who knows what an origin takes another for. */
function weightIn(parameter: string | undefined): number | undefined {
  const [, , stated, point, digits] = string.find(parameter ?? '', '^q=([01](%.?)(%d?%d?%d?))$');
  const weight = stated !== undefined && (point !== '' || digits === '') ? tonumber(stated) : undefined;
  return weight !== undefined && weight <= 1 ? weight : undefined;
}

function preferenceOf(member: string): Preference {
  const parts = string
    .lower(member)
    .split(';')
    .map((part) => part.trim());
  // Behind all else: one before that is whatever an origin takes it for.
  const weight = parts.length > 1 ? weightIn(parts[parts.length - 1]) : undefined;
  if (weight === undefined) return { text: parts.join(';'), weight: 1 };
  parts.pop();
  const isPlain = weight === 1 && parts.length === 1;
  return { text: isPlain ? (parts[0] as string) : `${parts.join(';')};q=${weight}`, weight };
}

/** What is preferred stands before the rest; of what is preferred alike, the order is none. */
function preferencesOf(members: readonly string[]): string {
  const preferences = members.map(preferenceOf);
  table.sort(preferences, (a, b) => (a.weight === b.weight ? a.text < b.text : a.weight > b.weight));
  return preferences.map(({ text }) => text).join(',');
}

function formOf(name: string, text: string): string {
  // A comma in a quoted string is none of the list.
  if (string.find(text, '"', 1, true)[0] !== undefined) return text;
  const members: string[] = [];
  for (const member of text.split(',')) if (member.trim() !== '') members.push(member.trim());
  return PREFERENCES.includes(name) ? preferencesOf(members) : members.join(',');
}

/** Brings fields of the request to their form; `keepsRaw`: for the fetching server, as they were, too. */
export function normaliseFields(names: readonly string[], keepsRaw: boolean): void {
  const changed: string[] = [];
  for (const name of names) {
    const values = readHeaderValues(name);
    const text = values.join(', ');
    const form = formOf(name, text);
    if (values.length > 1 || (values.length === 1 && form !== text)) {
      forgetPlaces();
      ngx.req.set_header(name, form);
      if (keepsRaw) ngx.req.set_header(`Cordon-Raw-${name}`, text);
      changed.push(name);
    }
  }
  if (keepsRaw && changed.length > 0) ngx.req.set_header(RAW_NAMES, changed.join(','));
}

/** Names of the fields that the fetching server gets in their form and as they were. */
export const RAW_NAMES = 'Cordon-Cache-Raw';

/** In the fetching server: origins get what visitors sent. */
export function restoreRawFields(names: string): void {
  for (const name of names.split(',')) {
    const [variable] = string.gsub(name, '-', '_');
    const raw = ngx.var[`http_cordon_raw_${variable}`] as string | undefined;
    if (raw !== undefined) ngx.req.set_header(name, raw);
    ngx.req.clear_header(`Cordon-Raw-${name}`);
  }
}
