import { PluginFault, PluginFaults, type ResolveTools } from '@cordon/plugin-kit';
import type { ErrorPage } from '@cordon/plugin-kit/edge';
import { type CustomErrorPageConfig, STATUSES } from './schema.ts';

/** Held in the memory of every node, once for each domain and status. */
export const PAGE_BYTES_MAX = 32 * 1024;

/** What `edge.ts` gets. */
export interface ResolvedPages {
  readonly pages: readonly ErrorPage[];
}

const MEDIA_TYPES: readonly string[] = ['text/html', 'application/xhtml+xml', 'text/plain'];

async function fetchPage(url: string, path: string, tools: ResolveTools): Promise<Omit<ErrorPage, 'status'>> {
  const found = await tools.fetch(url, PAGE_BYTES_MAX);
  if (found === undefined) throw new PluginFault(path, 'ERROR_PAGE_UNREACHABLE');
  // The page itself may be kept under the very status that it is for.
  if (found.status >= 300 && found.status < 400) throw new PluginFault(path, 'ERROR_PAGE_REDIRECTS');
  if (found.status >= 500 || found.body.length === 0)
    throw new PluginFault(path, 'ERROR_PAGE_STATUS', { status: found.status });
  if (found.isTruncated) throw new PluginFault(path, 'ERROR_PAGE_TOO_LARGE', { kilobytes: PAGE_BYTES_MAX / 1024 });
  const mediaType = (found.headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
  const isEncoded = (found.headers['content-encoding'] ?? 'identity') !== 'identity';
  if (isEncoded || !MEDIA_TYPES.includes(mediaType)) throw new PluginFault(path, 'ERROR_PAGE_NOT_HTML');
  try {
    const body = new TextDecoder('utf-8', { fatal: true }).decode(found.body);
    return { contentType: `${mediaType}; charset=utf-8`, body };
  } catch {
    throw new PluginFault(path, 'ERROR_PAGE_NOT_UTF8');
  }
}

function faultOf(error: unknown): PluginFault {
  if (error instanceof PluginFault) return error;
  throw error;
}

/** Fetches the pages, each address once. Throws PluginFaults for all that are of no use. */
export async function resolvePages(config: CustomErrorPageConfig, tools: ResolveTools): Promise<ResolvedPages> {
  const fetched = new Map<string, Omit<ErrorPage, 'status'> | PluginFault>();
  const pages: ErrorPage[] = [];
  const faults: PluginFault[] = [];
  for (const status of STATUSES) {
    const path = `error_${status}` as const;
    const url = config[path];
    if (url === null) continue;
    const page = fetched.get(url) ?? (await fetchPage(url, path, tools).catch(faultOf));
    fetched.set(url, page);
    if (page instanceof PluginFault) faults.push(new PluginFault(path, page.code, page.params));
    else pages.push({ status, ...page });
  }
  if (faults.length > 0) throw new PluginFaults(faults);
  return { pages };
}
