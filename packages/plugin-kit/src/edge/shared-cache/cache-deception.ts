import { CACHEABLE_EXTENSIONS } from '@cordon/contract/cacheable-extensions';
import { isOneOfTypes, mediaTypeOf } from './media-type.ts';
import type { CacheAnswer } from './types.ts';

/**
 * Web cache deception: `/account/x.css` looks like a file to the cache, while the origin answers with what it has for `/account`.
 */

const DOT = 46;

const isFileExtension: { [extension: string]: true | undefined } = {};
for (const extension of CACHEABLE_EXTENSIONS) isFileExtension[extension] = true;

/** Of pages and data; no file of `CACHEABLE_EXTENSIONS` has one of them. */
const DOCUMENT_TYPES = ['text/html', 'application/xhtml+xml', 'application/json', 'text/json'];

function isNamedAsFile(path: string): boolean {
  let start = path.length;
  while (start > 0 && path.charCodeAt(start - 1) !== DOT) start--;
  return start > 0 && isFileExtension[path.substring(start).toLowerCase()] === true;
}

/** Without a body nothing has a type. */
function isEmpty(answer: CacheAnswer): boolean {
  const [length] = answer.fieldValues('content-length');
  return answer.status === 204 || answer.status === 205 || length === '0';
}

/** Whether a path ends like a file's, and the answer to it is a page, data or of no type: it may be one visitor's own. */
export function isTypeMismatched(this: void, path: string, answer: CacheAnswer): boolean {
  if (!isNamedAsFile(path)) return false;
  const type = mediaTypeOf(answer);
  if (type === '') return !isEmpty(answer);
  return isOneOfTypes(type, DOCUMENT_TYPES) || type.endsWith('+json');
}
