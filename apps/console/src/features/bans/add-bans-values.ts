import { fieldErrorsOf, type Route } from '@cordon/contract';
import { BAN_TIMEOUT_DEFAULT_SECONDS } from '@cordon/contract/constants';
import { durationSeconds } from '@cordon/plugin-kit/duration';
import { BANS_FEED } from '@cordon/plugin-kit/feeds';
import { feedsOf } from '@cordon/plugins/areas';
import { pluginOperations } from '@cordon/plugins/operations';
import type { NewBans } from './queries';

/** How long: what the plugin of the domain says, a length that many choose, no end, or one's own. */
export const LENGTHS = ['domain', '10m', '1h', '1d', 'lifted', 'own'] as const;
export type Length = (typeof LENGTHS)[number];

export interface AddBansValues {
  readonly networks: readonly string[];
  readonly isOneDomain: boolean;
  /** Id of a domain. */
  readonly domain: string | undefined;
  /** Undefined: none chosen yet, see `lengthOf`. */
  readonly length: Length | undefined;
  /** A number and a unit. */
  readonly own: string;
  readonly note: string;
}

export const START_VALUES: AddBansValues = {
  networks: [],
  isOneDomain: false,
  domain: undefined,
  length: undefined,
  own: '3h',
  note: '',
};

const FIELDS = ['networks', 'route_id', 'seconds', 'note'];

/** Whether the form shows an error at this path itself. */
export const isField = (path: string): boolean => FIELDS.includes(path) || /^networks\.\d+$/.test(path);

/** Codes by field; of an entry of the networks by its index, `networks.3`. */
export interface AddBansErrors {
  readonly fields: Readonly<Record<string, string>>;
  readonly params: Readonly<Record<string, Readonly<Record<string, string | number>> | undefined>>;
}

/** Lengths to choose from: what one domain says does not hold for a ban from all of them. */
const lengthsOf = ({ isOneDomain }: AddBansValues): readonly Length[] =>
  isOneDomain ? LENGTHS : LENGTHS.filter((length) => length !== 'domain');

const secondsOf = (length: Length, own: string) => durationSeconds(length === 'own' ? own : length);

/** Those to choose from, each once: what lasts as long as the domain's default is that default. */
export function shownLengths(values: AddBansValues, defaultSeconds: number | undefined): readonly Length[] {
  const isDefault = (length: Length) => length !== 'own' && secondsOf(length, '') === defaultSeconds;
  const lengths = lengthsOf(values);
  return defaultSeconds === undefined ? lengths : lengths.filter((length) => !isDefault(length));
}

/** How long a ban lasts that leaves it to the domain: what is live counts, not the draft. */
export function defaultSecondsOf({ live }: Pick<Route, 'live'>): number {
  const config = live?.plugins.find(({ name }) => feedsOf[name]?.includes(BANS_FEED))?.config;
  return typeof config?.default_timeout === 'number' ? config.default_timeout : BAN_TIMEOUT_DEFAULT_SECONDS;
}

/** The chosen length, or the one that is preselected. */
export function lengthOf(values: AddBansValues): Length {
  if (values.isOneDomain) return values.length ?? 'domain';
  return values.length === undefined || values.length === 'domain' ? '1h' : values.length;
}

export function toBody(values: AddBansValues): NewBans {
  const { networks, isOneDomain, domain, own, note } = values;
  const length = lengthOf(values);
  const body = { networks: [...networks], route_id: isOneDomain ? (domain ?? null) : null, note };
  if (length === 'domain') return body;
  const seconds = length === 'lifted' ? null : (secondsOf(length, own) ?? Number.NaN);
  return { ...body, seconds };
}

/** What is wrong, by the schema that the API checks by; nor can nothing be banned, where all entries are left out. */
export function errorsOf(values: AddBansValues, banned: number): AddBansErrors {
  const parsed = pluginOperations.addBans.body.safeParse(toBody(values));
  const { fields, params } = parsed.success ? { fields: {}, params: {} } : fieldErrorsOf(parsed.error);
  const isDomainMissing = values.isOneDomain && values.domain === undefined;
  const isNothingLeft = banned === 0 && Object.keys(fields).every((path) => !path.startsWith('networks'));
  return {
    fields: {
      ...fields,
      ...(isDomainMissing && { route_id: 'REQUIRED' }),
      ...(isNothingLeft && { networks: 'REQUIRED' }),
    },
    params,
  };
}
