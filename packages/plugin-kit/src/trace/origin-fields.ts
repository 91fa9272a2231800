import type { HeaderField } from '../edge/context.ts';
import { isFieldName, isForwardingField } from '../edge/request-fields.ts';

/** A field as the origin gets it, and who put it there. */
export interface OriginField extends HeaderField {
  readonly by: 'visitor' | 'edge';
}

/**
 * Why a visitor's field does not reach the origin: for us only, of the forwarding (which only the edge may say),
 * meant for one hop, written by the edge, or no name that nginx takes.
 */
export type DropReason = 'internal' | 'forwarding' | 'hop' | 'replaced' | 'invalid';

export interface DroppedField {
  readonly name: string;
  readonly why: DropReason;
}

export interface OriginFieldsInput {
  /** In the order of the visitor. */
  readonly fields: readonly HeaderField[];
  readonly scheme: 'http' | 'https';
  /** The visited name. */
  readonly host: string;
  /** What the origin is asked for. */
  readonly originHost: string;
  readonly clientAddressText: string;
  readonly country: string;
  readonly cdnLoopId: string;
  /** The edge proves itself to the origin. */
  readonly hasOriginKey: boolean;
  /** What plugins put there, in place of a visitor's of the same name. */
  readonly pluginFields: readonly HeaderField[];
}

/** Stands for the id that every request gets anew: 32 hex digits. */
export const REQUEST_ID_PLACEHOLDER = '{request id}';

/** Stands for the secret that the customer knows from elsewhere. */
const ORIGIN_KEY_PLACEHOLDER = '{origin key}';

/** Stands for a value that a plugin sets and that is a credential. */
const SECRET_PLACEHOLDER = '{secret}';

/** Fields with credentials (RFC 9110 11.6.2, RFC 6265): what a plugin puts there is not shown in a trace. */
const SECRET_FIELDS = new Set(['authorization', 'cookie', 'set-cookie']);

export const isSecretField = (name: string): boolean => SECRET_FIELDS.has(name.toLowerCase());

/** End-to-end fields that a visitor cannot have removed by naming them in `Connection` (runner/request-headers.ts). */
const KEPT = new Set([
  'host',
  'cookie',
  'authorization',
  'content-length',
  'content-type',
  'cdn-loop',
  'range',
  'accept',
]);
const HOP = new Set([
  'connection',
  'keep-alive',
  'te',
  'trailer',
  'proxy',
  'proxy-connection',
  'http2-settings',
  'expect',
]);

const isWebsocket = (value: string | undefined) => value?.toLowerCase() === 'websocket';

function dropReason(name: string, named: ReadonlySet<string>, ofPlugins: ReadonlySet<string>): DropReason | undefined {
  if (!isFieldName(name)) return 'invalid';
  if (name.startsWith('cordon-') || name.startsWith('x-accel-')) return 'internal';
  if (isForwardingField(name)) return 'forwarding';
  if (HOP.has(name) || name === 'upgrade' || named.has(name)) return 'hop';
  const isReplaced = name === 'host' || name === 'x-request-id' || name === 'cdn-loop' || ofPlugins.has(name);
  return isReplaced ? 'replaced' : undefined;
}

/** Header fields that the origin gets, as nginx.conf.template and the runner make them (apps/edge/README.md). */
export function originFields(input: OriginFieldsInput): { sent: OriginField[]; dropped: DroppedField[] } {
  const valuesOf = (name: string) => input.fields.filter((field) => field.name.toLowerCase() === name);
  const upgrade = valuesOf('upgrade')[0]?.value;
  const named = new Set(
    valuesOf('connection')
      .flatMap(({ value }) => value.split(','))
      .map((option) => option.trim().toLowerCase())
      .filter((option) => option !== '' && !KEPT.has(option)),
  );
  const loop = valuesOf('cdn-loop').map(({ value }) => value);
  const edge = (name: string, value: string): OriginField[] => (value === '' ? [] : [{ name, value, by: 'edge' }]);
  const sent: OriginField[] = [
    ...edge('Host', input.originHost),
    ...(isWebsocket(upgrade) ? [...edge('Connection', 'upgrade'), ...edge('Upgrade', upgrade ?? '')] : []),
    ...edge('X-Forwarded-For', input.clientAddressText),
    ...edge('X-Forwarded-Proto', input.scheme),
    ...edge('X-Forwarded-Host', input.host),
    ...edge('X-Real-IP', input.clientAddressText),
    ...edge('X-Request-Id', REQUEST_ID_PLACEHOLDER),
    ...edge('Cordon-Country', input.country),
    ...edge('Cordon-Origin-Key', input.hasOriginKey ? ORIGIN_KEY_PLACEHOLDER : ''),
    ...edge('CDN-Loop', [...loop, input.cdnLoopId].join(', ')),
    ...input.pluginFields.flatMap(({ name, value }) => edge(name, isSecretField(name) ? SECRET_PLACEHOLDER : value)),
  ];
  const ofPlugins = new Set(input.pluginFields.map(({ name }) => name.toLowerCase()));
  const dropped: DroppedField[] = [];
  for (const { name, value } of input.fields) {
    const lower = name.toLowerCase();
    const why = dropReason(lower, named, ofPlugins);
    if (why === undefined) sent.push({ name, value, by: 'visitor' });
    else if (why !== 'replaced' || lower === 'x-request-id' || ofPlugins.has(lower)) dropped.push({ name, why });
  }
  return { sent, dropped };
}
