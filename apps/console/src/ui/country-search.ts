import { COUNTRY_CODES } from '@cordon/contract/countries';
import { createFormat } from './format';

export interface Country {
  readonly code: string;
  readonly name: string;
}

/** Short forms that are no codes. */
const ALIASES: Readonly<Record<string, string>> = {
  uk: 'GB',
  britain: 'GB',
  england: 'GB',
  usa: 'US',
  america: 'US',
  uae: 'AE',
  holland: 'NL',
  korea: 'KR',
  drc: 'CD',
};
/** Those with most people on the Internet, most first: of names that begin alike, one of them is meant. */
const COMMON = 'CN IN US ID BR RU JP NG MX DE PH TR EG VN GB BD IR FR TH KR PK ZA IT CA ES PL UA AU NL TW HK SG'.split(
  ' ',
);
const commonness = (code: string) => COMMON.indexOf(code) + 1 || COMMON.length + 1;
const LANGUAGES = ['en', 'zh'];

/** As texts are compared: `Côte d’Ivoire` and `cote d'ivoire` are one. */
const plain = (text: string) =>
  text
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .replace(/[\u2018\u2019]/g, "'")
    .trim()
    .toLowerCase();

interface Entry extends Country {
  /** In every language of the console, so that a name is found whichever is read or pasted. */
  readonly names: readonly string[];
}

/** Finds countries by what people type for them. */
export interface CountrySearch {
  readonly all: readonly Country[];
  /**
   * The country that a whole word is the code, a short form or the name of, then those whose name begins with it, then those
   * that have it within; the most common first.
   */
  find(text: string): readonly Country[];
  /** Countries of a list such as `germany, FR`; undefined for what is no list. `unknown` is what names none. */
  readList(text: string): { countries: readonly Country[]; unknown: readonly string[] } | undefined;
}

export function createCountrySearch(locale: string): CountrySearch {
  const shown = createFormat(locale);
  const all = COUNTRY_CODES.map((code): Entry => {
    const names = LANGUAGES.map((language) => plain(createFormat(language).country(code)));
    return { code, name: shown.country(code), names };
  }).sort((left, right) => left.name.localeCompare(right.name, locale));
  const isNamed = (entry: Entry, text: string) =>
    entry.code.toLowerCase() === text || ALIASES[text] === entry.code || entry.names.includes(text);

  function find(typed: string): readonly Country[] {
    const text = plain(typed);
    if (text === '') return all;
    const rankOf = (entry: Entry) =>
      isNamed(entry, text)
        ? 0
        : entry.names.some((name) => name.startsWith(text))
          ? 1
          : entry.names.some((name) => name.includes(text))
            ? 2
            : 3;
    return all
      .map((entry) => ({ entry, rank: rankOf(entry) }))
      .filter(({ rank }) => rank < 3)
      .sort((left, right) => left.rank - right.rank || commonness(left.entry.code) - commonness(right.entry.code))
      .map(({ entry }) => entry);
  }
  return {
    all,
    find,
    readList(text) {
      const parts = text
        .split(/[,;，；、\n\t]/)
        .map(plain)
        .filter(Boolean);
      if (parts.length < 2) return undefined;
      const countries = new Set<Country>();
      const unknown: string[] = [];
      for (const part of parts) {
        const named = all.find((entry) => isNamed(entry, part));
        if (named) countries.add(named);
        else unknown.push(part);
      }
      return { countries: [...countries], unknown };
    },
  };
}
