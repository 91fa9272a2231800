/** What besides its URL an object is for: the kind of device, and the language, that requests for it say. */

export const DEVICES = ['mobile', 'tablet', 'desktop'] as const;
export type Device = (typeof DEVICES)[number];

/** By the User-Agent, as browsers write it: what says nothing of it is a computer. */
export function deviceOf(this: void, userAgent: string): Device {
  if (userAgent.includes('iPad') || userAgent.includes('Tablet') || userAgent.includes('PlayBook')) return 'tablet';
  const isMobile = userAgent.includes('Mobi');
  if (userAgent.includes('Android')) return isMobile ? 'mobile' : 'tablet';
  return isMobile || userAgent.includes('iPhone') ? 'mobile' : 'desktop';
}

const RANGES_MAX = 50;

interface LanguageRange {
  readonly tag: string;
  readonly weight: number;
}

/** A weight (RFC 9110 12.4.2); 0 where it is none. */
function weightOf(parameters: readonly string[]): number {
  for (const parameter of parameters) {
    const text = parameter.trim().toLowerCase();
    if (text.startsWith('q=')) {
      const weight = Number(text.substring(2));
      return weight >= 0 && weight <= 1 ? weight : 0;
    }
  }
  return 1;
}

function rangesOf(acceptLanguage: string): LanguageRange[] {
  const ranges: LanguageRange[] = [];
  for (const entry of acceptLanguage.split(',')) {
    if (ranges.length === RANGES_MAX) return ranges;
    const [tag = '', ...parameters] = entry.split(';');
    const weight = weightOf(parameters);
    if (tag.trim() !== '' && weight > 0) ranges.push({ tag: tag.trim().toLowerCase(), weight });
  }
  return ranges;
}

/** The tag without its last subtag, and without a single letter before that (RFC 4647 3.4); empty when nothing is left. */
function shortened(tag: string): string {
  let end = tag.length - 1;
  while (end >= 0 && tag.charAt(end) !== '-') end--;
  if (end < 0) return '';
  const rest = tag.substring(0, end);
  return rest.length > 1 && rest.charAt(rest.length - 2) === '-' ? rest.substring(0, rest.length - 2) : rest;
}

function lookUp(range: string, languages: readonly string[]): string | undefined {
  for (let tag = range; tag !== ''; tag = shortened(tag)) {
    for (const language of languages) if (language.toLowerCase() === tag) return language;
  }
  return undefined;
}

/**
 * Which of the languages a value of Accept-Language asks for most (RFC 9110 12.5.4), by lookup (RFC 4647 3.4); the first of them where
 * it asks for none of them.
 */
export function languageOf(this: void, acceptLanguage: string, languages: readonly string[]): string {
  let best = '';
  let bestWeight = 0;
  for (const { tag, weight } of rangesOf(acceptLanguage)) {
    const found = weight > bestWeight ? lookUp(tag, languages) : undefined;
    if (found !== undefined) {
      best = found;
      bestWeight = weight;
    }
  }
  return best === '' ? (languages[0] ?? '') : best;
}
