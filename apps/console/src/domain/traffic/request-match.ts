/** What the URL says of requests: those that were blocked, all of a country, or what was blocked for one reason. */
export interface RequestMatch {
  blocked?: true | undefined;
  /** Two letters; empty for requests of an unknown country. */
  country?: string | undefined;
  /** With `reason`; empty for the edge itself. */
  plugin?: string | undefined;
  reason?: string | undefined;
}

const isName = (value: unknown): value is string => typeof value === 'string' && /^[\w-]{0,64}$/.test(value);

/** Reads the URL; undefined where it says nothing of requests, or what is not understood. */
export function readRequestMatch({ blocked, country, plugin, reason }: RequestMatch | Record<string, unknown>) {
  const match: RequestMatch | undefined =
    typeof country === 'string' && /^([A-Z]{2})?$/.test(country)
      ? { country }
      : isName(plugin) && isName(reason)
        ? { plugin, reason }
        : blocked === true
          ? { blocked }
          : undefined;
  return match;
}

/** As the search of a link. */
export const matchSearch = (match: RequestMatch): string =>
  new URLSearchParams(
    Object.entries(match).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]])),
  ).toString();
