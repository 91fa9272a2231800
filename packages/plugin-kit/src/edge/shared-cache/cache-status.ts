import { endOfToken } from './field-syntax.ts';

/** This cache's name in Cache-Status (RFC 9211 2). */
const CACHE_NAME = 'Cordon';

/** Why a request went to the origin (RFC 9211 2.2). */
export type CacheForward = 'bypass' | 'method' | 'uri-miss' | 'vary-miss' | 'miss' | 'request' | 'stale' | 'partial';

/** How a request was handled. */
export interface CacheReport {
  /** Undefined: it was answered from what is stored. */
  readonly forward: CacheForward | undefined;
  /** Status that the origin answered with; undefined where it is that of the answer, or the request was not forwarded. */
  readonly forwardStatus: number | undefined;
  /** Seconds for which the answer is still fresh, below 0 those since it is not; undefined: it has no lifetime. */
  readonly freshSeconds: number | undefined;
  /** The origin's answer was stored. */
  readonly isStored: boolean;
  /** The request waited for another one's answer: true, it was given that; false, it could not be; undefined, it did not wait. */
  readonly isCollapsed: boolean | undefined;
  /** What else there is to say, such as why an answer was not stored; empty: nothing. */
  readonly detail: string;
}

const SPACE = 32;
const QUOTE = 34;
const STAR = 42;
const BACKSLASH = 92;
const DELETE = 127;

/** Whether it can stand as a Token (RFC 8941 3.3.4). */
function isStructuredToken(text: string): boolean {
  const first = text.charCodeAt(0);
  const lower = first | 32;
  return (first === STAR || (lower >= 97 && lower <= 122)) && endOfToken(text, 0) === text.length;
}

/** A Token, or else a String (RFC 8941 3.3.3), whose characters are those of ASCII. */
function writeText(text: string): string {
  if (isStructuredToken(text)) return text;
  let written = '"';
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE || code === BACKSLASH) written += '\\';
    written += code < SPACE || code >= DELETE ? '?' : text.charAt(at);
  }
  return `${written}"`;
}

/** This cache's member of the field Cache-Status (RFC 9211): goes behind those of caches nearer to the origin. */
export function formatCacheStatus(this: void, report: CacheReport): string {
  const { forward, forwardStatus, freshSeconds, isCollapsed } = report;
  let text = CACHE_NAME;
  if (forward === undefined) text += '; hit';
  else {
    text += `; fwd=${forward}`;
    if (forwardStatus !== undefined) text += `; fwd-status=${forwardStatus}`;
    if (report.isStored) text += '; stored';
    if (isCollapsed !== undefined) text += isCollapsed ? '; collapsed' : '; collapsed=?0';
  }
  if (freshSeconds !== undefined) text += `; ttl=${Math.floor(freshSeconds)}`;
  if (report.detail !== '') text += `; detail=${writeText(report.detail)}`;
  return text;
}
