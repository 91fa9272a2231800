import { fieldErrorsOf } from '@cordon/contract';
import { durationSeconds } from '@cordon/plugin-kit/duration';
import { pluginOperations } from '@cordon/plugins/operations';
import type { NewBans } from './ban-queries';

/** How long: a length that many choose, no end, or one's own. */
export const LENGTHS = ['10m', '1h', '1d', 'lifted', 'own'] as const;

export interface AddBansValues {
  readonly networks: readonly string[];
  readonly isOneDomain: boolean;
  /** Id of a domain. */
  readonly domain: string | undefined;
  readonly length: (typeof LENGTHS)[number];
  /** A number and a unit. */
  readonly own: string;
  readonly note: string;
}

export const START_VALUES: AddBansValues = {
  networks: [],
  isOneDomain: false,
  domain: undefined,
  length: '1h',
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

export const toBody = ({ networks, isOneDomain, domain, length, own, note }: AddBansValues): NewBans => ({
  networks: [...networks],
  route_id: isOneDomain ? (domain ?? null) : null,
  seconds: length === 'lifted' ? null : (durationSeconds(length === 'own' ? own : length) ?? Number.NaN),
  note,
});

/** What is wrong, by the schema that the API checks by. */
export function errorsOf(values: AddBansValues): AddBansErrors {
  const parsed = pluginOperations.addBans.body.safeParse(toBody(values));
  const { fields, params } = parsed.success ? { fields: {}, params: {} } : fieldErrorsOf(parsed.error);
  const isDomainMissing = values.isOneDomain && values.domain === undefined;
  return { fields: isDomainMissing ? { ...fields, route_id: 'REQUIRED' } : fields, params };
}
