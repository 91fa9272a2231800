import { joinAddressLists } from './address-list.ts';

type Config = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Config =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isList = (value: unknown): value is readonly (string | number)[] =>
  Array.isArray(value) && value.every((entry) => typeof entry === 'string' || typeof entry === 'number');
const isTexts = (list: readonly (string | number)[]): list is readonly string[] =>
  list.every((entry) => typeof entry === 'string');

/** Whether a configuration has a list that `mergeConfig` adds to. */
export const hasLists = (config: unknown): boolean =>
  isList(config) || (isObject(config) && Object.values(config).some(hasLists));

function mergeLists(own: readonly (string | number)[], brought: readonly (string | number)[]) {
  const addresses = isTexts(own) && isTexts(brought) ? joinAddressLists(own, brought) : undefined;
  return addresses ?? [...new Set([...own, ...brought])];
}

function mergeValue(own: unknown, brought: unknown): unknown {
  if (isList(own) && isList(brought)) return mergeLists(own, brought);
  return isObject(own) && isObject(brought) ? mergeConfig(own, brought) : brought;
}

/**
 * The configuration that is brought, except that its lists of texts and numbers (addresses, countries) are added to the
 * own ones, in order and without doubles. Lists of anything else, such as header fields, are the brought ones. Equal to
 * the own configuration where that has it all. Not bounded: the schema is asked afterwards.
 */
export const mergeConfig = (own: Config, brought: Config): Record<string, unknown> =>
  Object.fromEntries(Object.entries(brought).map(([key, value]) => [key, mergeValue(own[key], value)]));
