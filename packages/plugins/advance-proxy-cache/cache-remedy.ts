import type { CacheChange, CacheRemedy } from '@cordon/plugin-kit';
import { durationParams } from '@cordon/plugin-kit/duration-params';
import { isUnlistedError, withStatus } from '@cordon/plugin-kit/kept-status';
import { type AdvanceProxyCacheConfig, MODES } from './schema.ts';

/** Entries of `content_type` by what files are called; pages are told by no name, and may be of one visitor each. */
const TYPES: readonly (readonly [type: string, extensions: RegExp])[] = [
  ['css', /\.css$/i],
  ['javascript', /\.m?js$/i],
  ['image', /\.(?:avif|bmp|gif|ico|jpe?g|png|svgz?|tiff?|webp)$/i],
  ['audio', /\.(?:aac|flac|m4a|midi?|mp3|oga|ogg|opus|wav)$/i],
  ['video', /\.(?:avi|m4v|mkv|mov|mp4|mpe?g|ogv|webm)$/i],
  ['font', /\.(?:otf|ttf|woff2?)$/i],
  ['application/pdf', /\.pdf$/i],
  ['application/wasm', /\.wasm$/i],
  ['application/zip', /\.zip$/i],
];

/** The family of a type is listed, or it itself; none listed are all. */
const hasType = ({ content_type: types }: AdvanceProxyCacheConfig, type: string): boolean =>
  types.length === 0 || types.includes(type) || types.includes(type.split('/')[0] ?? '');

const inMode = (config: AdvanceProxyCacheConfig, chosen: (typeof MODES)[number]): AdvanceProxyCacheConfig => ({
  ...config,
  ...Object.fromEntries(MODES.map((mode) => [mode, mode === chosen])),
});

type Change = CacheChange<AdvanceProxyCacheConfig> | undefined;

/** The log does not say of which type an answer is that states no lifetime: the name of the file tells it, or the customer has to. */
function keepUnstated(config: AdvanceProxyCacheConfig, path: string, status: number): Change {
  const type = TYPES.find(([, extensions]) => extensions.test(path))?.[0];
  const isListed = type === undefined ? config.content_type.length === 0 : hasType(config, type);
  const span = durationParams(config.cache_ttl);
  const changed = withStatus(config, status);
  if (isListed)
    return changed && { message: 'remedy.status', params: { status: String(status), ...span }, config: changed };
  const isKept = changed !== undefined || config.response_code.includes(status);
  if (!isKept) return undefined;
  if (type === undefined)
    return changed && status >= 400
      ? undefined
      : { message: 'remedy.types', params: {}, config: changed ?? config, field: 'content_type' };
  const types = [...config.content_type, type];
  return { message: 'remedy.type', params: { type, ...span }, config: { ...(changed ?? config), content_type: types } };
}

export const cacheRemedy: CacheRemedy<AdvanceProxyCacheConfig> = (config, { path, status, cache, reason }) => {
  if (reason === 'off' || reason === 'path' || cache === '') {
    if (isUnlistedError(config, status)) return undefined;
    const isOff = config.global_disable_cache_completely;
    return isOff
      ? { message: 'remedy.on', params: {}, config: inMode(config, 'global_default_caching') }
      : { message: 'remedy.covered', params: {}, config };
  }
  // Without the switch it is not what the request asks for in Cache-Control, but its body or a websocket.
  if ((reason === 'request' || reason === 'request_no_store') && config.enable_cache_control)
    return { message: 'remedy.requests', params: {}, config: { ...config, enable_cache_control: false } };
  return reason === 'no_lifetime' ? keepUnstated(config, path, status) : undefined;
};
