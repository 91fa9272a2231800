import { normalizePath } from '../edge/request-path.ts';

/** What a request asks for (RFC 9112 3.2), in origin form or absolute form. */
export interface RequestTarget {
  /** In lower case, of the absolute form only. */
  readonly scheme: string | undefined;
  /** Name and port as they were sent, of the absolute form only. */
  readonly authority: string | undefined;
  /** Nothing decoded; empty where an absolute form ends with its authority. */
  readonly path: string;
  /** Without `?`; empty when there is none. */
  readonly query: string;
  /** Something follows a `#`, or nothing does. Browsers never send one. */
  readonly hasFragment: boolean;
}

const TARGET = /^(?:([a-z]+):\/\/([^/?#]*))?([^?#]*)(?:\?([^#]*))?/i;

/** Takes a request's target apart as nginx does. */
export function readTarget(target: string): RequestTarget {
  const [, scheme, authority, path = '', query = ''] = TARGET.exec(target) ?? [];
  return { scheme: scheme?.toLowerCase(), authority, path, query, hasFragment: target.includes('#') };
}

/** nginx's `$host` of a Host header field: lower case, without port and last dot. */
export function readHost(field: string): string {
  const lower = field.trim().toLowerCase();
  const [bare = ''] = lower.startsWith('[') ? lower.split(/(?<=\])/) : lower.split(':');
  return bare.replace(/\.$/, '');
}

/** Whether nginx takes the path, and does not answer it with 400. */
export const isReadablePath = (path: string): boolean => path.startsWith('/') && normalizePath(path) !== undefined;
