import { STATUS_CLASSES, type StatusClass } from '@cordon/contract';

/** What the URL says of requests: all (counted or measured), those that were blocked or challenged, of a country, answered with a class of status, or blocked or challenged for one reason. */
export interface RequestMatch {
  blocked?: true | undefined;
  /** With `plugin` and `reason`, or alone. */
  challenged?: true | undefined;
  by?: 'requests' | 'bytes' | undefined;
  status?: StatusClass | undefined;
  /** Two letters; empty for requests of an unknown country. */
  country?: string | undefined;
  /** With `reason`; empty for the edge itself. */
  plugin?: string | undefined;
  reason?: string | undefined;
}

const isName = (value: unknown): value is string => typeof value === 'string' && /^[\w-]{0,64}$/.test(value);

/** Reads the URL; undefined where it says nothing of requests, or what is not understood. */
export function readRequestMatch({
  blocked,
  challenged,
  by,
  status,
  country,
  plugin,
  reason,
}: RequestMatch | Record<string, unknown>) {
  const statusClass = STATUS_CLASSES.find((one) => one === status);
  const match: RequestMatch | undefined =
    typeof country === 'string' && /^([A-Z]{2})?$/.test(country)
      ? { country }
      : isName(plugin) && isName(reason)
        ? { plugin, reason, ...(challenged === true && { challenged }) }
        : statusClass
          ? { status: statusClass }
          : by === 'requests' || by === 'bytes'
            ? { by }
            : challenged === true
              ? { challenged }
              : blocked === true
                ? { blocked }
                : undefined;
  return match;
}

/** What was decided of all of them. */
export const actionOf = ({ by, status, country, challenged }: RequestMatch): 'block' | 'challenge' | 'all' => {
  if (challenged) return 'challenge';
  return by === undefined && status === undefined && country === undefined ? 'block' : 'all';
};

/** As the search of a link. */
export const matchSearch = (match: RequestMatch): string =>
  new URLSearchParams(
    Object.entries(match).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]])),
  ).toString();
