import { STATUS_CLASSES, type StatusClass } from '@cordon/contract';

/** What the URL says of requests: all (counted or measured), those that were blocked, of a country, answered with a class of status, or blocked for one reason. */
export interface RequestMatch {
  blocked?: true | undefined;
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
        ? { plugin, reason }
        : statusClass
          ? { status: statusClass }
          : by === 'requests' || by === 'bytes'
            ? { by }
            : blocked === true
              ? { blocked }
              : undefined;
  return match;
}

/** Whether it is of blocked requests only. */
export const isOfBlocked = ({ by, status, country }: RequestMatch): boolean =>
  by === undefined && status === undefined && country === undefined;

/** As the search of a link. */
export const matchSearch = (match: RequestMatch): string =>
  new URLSearchParams(
    Object.entries(match).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]])),
  ).toString();
