import type { CallInput, CallOutput, Operations, Trace } from '@cordon/contract';
import { WITHHELD_PATH } from '@cordon/contract/sent-path';
import { BANS_FEED } from '@cordon/plugin-kit/feeds';
import { feedsOf } from '@cordon/plugins/areas';
import type { CurlRequest } from './curl';

export type TraceBody = CallInput<Operations['traceRequest']>['body'];
export type LoggedRequest = CallOutput<Operations['listRecentRequests']>['result'][number];

/** Answers of the edge's own that block nobody, but are where the trace ends. */
const EDGE_ANSWERS: readonly string[] = ['deactivated', 'suspended', 'no_upstream'];

/** How the request ended, in the words of a trace's answer. */
export function endingOf(logged: LoggedRequest): Trace['answer']['kind'] {
  const { action } = logged;
  if (action === 'block' || action === 'challenge' || action === 'redirect') return action;
  return logged.plugin === '' && EDGE_ANSWERS.includes(logged.reason) ? 'block' : 'origin';
}

/** Whether it is a ban that keeps the request out. */
export const endsAtBan = ({ steps }: Pick<Trace, 'steps'>): boolean =>
  steps.some(({ outcome, plugin }) => outcome === 'block' && feedsOf[plugin]?.includes(BANS_FEED));

/** Whether the log has what decided: of a request that could not be read it has not what made it so. */
export const isReplayable = ({ plugin, reason }: LoggedRequest): boolean => plugin !== '' || reason !== 'bad_request';

/** The form as it is typed. */
export interface TraceValues {
  readonly method: string;
  readonly url: string;
  /** One `Name: value` per line. */
  readonly headers: string;
  readonly client: string;
  readonly country: string;
  /** Number of the autonomous system, with or without AS. */
  readonly asn: string;
  readonly isCrawler: boolean;
  readonly isPreview: boolean;
  /** `live`, `draft` or a number. */
  readonly version: string;
}

export const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const;
/** What the edge calls a client that it has proved; which one makes no difference to any plugin. */
const CRAWLER = 'googlebot';

export function toBody(values: TraceValues): TraceBody {
  const headers = values.headers
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => {
      const colon = line.indexOf(':');
      return colon < 0
        ? { name: line.trim(), value: '' }
        : { name: line.slice(0, colon).trim(), value: line.slice(colon + 1).trim() };
    });
  return {
    method: values.method,
    url: values.url,
    headers,
    ...(values.client.trim() === '' ? {} : { client_address: values.client.trim() }),
    ...(values.country.trim() === '' ? {} : { country: values.country.trim().toUpperCase() }),
    ...(values.asn.trim() === '' ? {} : { asn: Number(values.asn.trim().replace(/^AS/i, '')) }),
    crawler: values.isCrawler ? CRAWLER : '',
    preview: values.isPreview,
    version: values.version === 'live' || values.version === 'draft' ? values.version : Number(values.version),
  };
}

export const fromCurl = (values: TraceValues, request: CurlRequest): TraceValues => ({
  ...values,
  method: request.method,
  url: request.url,
  headers: request.headers.map(({ name, value }) => `${name}: ${value}`).join('\n'),
});

/** Where all origins read it alike, the log has the path decoded only. */
const encodePath = (path: string) => encodeURI(path).replaceAll('?', '%3F').replaceAll('#', '%23');

const loggedTarget = ({ path, raw_path: rawPath }: LoggedRequest) =>
  rawPath === '' || rawPath === WITHHELD_PATH ? encodePath(path) : rawPath;

export const fromLogged = (values: TraceValues, logged: LoggedRequest): TraceValues => ({
  ...values,
  method: logged.method,
  url: `${logged.scheme === 'http' ? 'http' : 'https'}://${logged.domain_name}${loggedTarget(logged)}${logged.query === '' ? '' : `?${logged.query}`}`,
  headers: [
    ...(logged.user_agent === '' ? [] : [`User-Agent: ${logged.user_agent}`]),
    ...(logged.referer === '' ? [] : [`Referer: ${logged.referer}`]),
  ].join('\n'),
  client: logged.client_address,
  country: logged.country,
  version: logged.version > 0 ? String(logged.version) : values.version,
});
