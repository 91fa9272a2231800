import type { ErrorPage, HeaderField } from '@cordon/plugin-kit/edge';
import { isRepeatableField } from '@cordon/plugin-kit/pipeline';

/** A field that answers get, with how it is put there. */
export interface ResponseField extends HeaderField {
  /** It stands beside the origin's of the same name. */
  readonly isAdded: boolean;
}

/** A page of a route's own, in the parts around the places of the request id. */
export interface ResponsePage {
  readonly contentType: string;
  readonly parts: readonly string[];
  /** Whether it has places for the address of the request in the console. */
  readonly hasUrl: boolean;
  /** Of the route; empty: the default one. */
  readonly brand: string;
}

/** Whether this worker has prepared a route that changes answers: most nodes have none, and need not look for it. */
export const responseChanges = {
  ofAny: false,
  /** One of them sets Content-Type: what an origin calls its answers says less than what visitors read. */
  ofType: false,
};

const REQUEST_ID = '{{request_id}}';
/** In pages, and in their parts. */
export const REQUEST_URL = '{{request_url}}';

export function prepareFields(fields: readonly HeaderField[]): ResponseField[] {
  if (fields.length > 0) responseChanges.ofAny = true;
  if (fields.some(({ name }) => string.lower(name) === 'content-type')) responseChanges.ofType = true;
  return fields.map(({ name, value }) => ({ name, value, isAdded: isRepeatableField(name) }));
}

/** The value as it is given. */
export function prepareHsts(value: string | undefined): string | undefined {
  if (value !== undefined) responseChanges.ofAny = true;
  return value;
}

/** Pages by status; undefined when there is none. */
export function preparePages(pages: readonly ErrorPage[], brand: string): LuaTable<number, ResponsePage> | undefined {
  if (pages.length === 0) return undefined;
  responseChanges.ofAny = true;
  const byStatus = new LuaTable<number, ResponsePage>();
  for (const { status, contentType, body } of pages)
    byStatus.set(status, { contentType, parts: body.split(REQUEST_ID), hasUrl: body.includes(REQUEST_URL), brand });
  return byStatus;
}
