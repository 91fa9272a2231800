import type { EdgePrefetch } from '@cordon/contract/edge-config';
import type { OwnVisit } from './own-visits.ts';

type Device = EdgePrefetch['devices'][number];
type Scheme = OwnVisit['scheme'];

/** A request of a prefetch, with what it was made of. */
export interface PlannedVisit {
  readonly url: string;
  readonly device: Device | null;
  readonly language: string | null;
  readonly visit: OwnVisit;
}

const NAME = 'Cordon-Prefetch/1.0';
/** As the cache knows devices by them (`deviceOf` of the plugin kit). */
export const USER_AGENTS: Readonly<Record<Device, string>> = {
  mobile: `Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Mobile/15E148 (compatible; ${NAME})`,
  tablet: `Mozilla/5.0 (iPad; CPU OS 18_0 like Mac OS X) (compatible; ${NAME})`,
  desktop: `Mozilla/5.0 (Windows NT 10.0; Win64; x64) (compatible; ${NAME})`,
};
/** What browsers can decode. */
const ENCODINGS: Readonly<Record<Scheme, string>> = { http: 'gzip, deflate', https: 'gzip, deflate, br, zstd' };
const SCHEMES: readonly Scheme[] = ['https', 'http'];

const headersOf = (scheme: Scheme, device: Device | null, language: string | null): OwnVisit['headers'] => [
  { name: 'Accept', value: '*/*' },
  { name: 'Accept-Encoding', value: ENCODINGS[scheme] },
  { name: 'User-Agent', value: device === null ? USER_AGENTS.desktop : USER_AGENTS[device] },
  ...(language === null ? [] : [{ name: 'Accept-Language', value: language }]),
];

const orNone = <Value>(values: readonly Value[]): readonly (Value | null)[] => (values.length === 0 ? [null] : values);

/** The requests that a part of a prefetch comes to, made as they are taken. */
export function* visitsOf(part: EdgePrefetch): Generator<PlannedVisit> {
  for (const { scheme: given, host: one, target } of part.urls)
    for (const host of one === null ? part.hosts : [one])
      for (const scheme of given === null ? SCHEMES : [given])
        for (const device of orNone(part.devices))
          for (const language of orNone(part.languages)) {
            const headers = headersOf(scheme, device, language);
            const visit = { routeId: part.route_id, host, scheme, target, headers, isRefresh: part.refresh };
            yield { url: `${scheme}://${host}${target}`, device, language, visit };
          }
}
