import { add_header } from 'ngx.resp';
import { readBody, type StoredObject, statusOf, storedFields } from './cache-object.ts';

/**
 * What is stored, where Lua sends it. Its body is in the worker's memory until the last of it has been taken, so that visitors who do not read
 * could have it hold any amount: beyond a bound, it takes no more. Bytes by who sends them.
 */
const held = new LuaTable<string, number>();
let heldBytes = 0;

/** Of a worker. */
const HELD_BYTES_MAX = 32 * 1024 * 1024;

export const isHoldingMuch = (): boolean => heldBytes >= HELD_BYTES_MAX;

function setStoredFields(stored: StoredObject, bytes: number): void {
  for (const { name, value } of storedFields(stored))
    if (name !== 'connection' && name !== 'transfer-encoding' && name !== 'content-length') add_header(name, value);
  ngx.status = statusOf(stored);
  ngx.header['X-Accel-Expires'] = '0';
  ngx.header['Cordon-Served'] = '1';
  ngx.header['Content-Length'] = bytes;
}

/** The body of an object; undefined: it is too large, not there any more, or too much is held already. */
export function holdBody(holder: string, object: StoredObject): string | undefined {
  const body = isHoldingMuch() ? undefined : readBody(object);
  if (body === undefined) return undefined;
  releaseBody(holder);
  held.set(holder, body.length);
  heldBytes += body.length;
  return body;
}

/** Answers with what is stored, stale as it is; false: there is no body of it to be had. */
export function sendStored(holder: string, stored: StoredObject | undefined): boolean {
  const body = stored === undefined ? undefined : holdBody(holder, stored);
  if (stored === undefined || body === undefined) return false;
  setStoredFields(stored, body.length);
  ngx.print(body);
  ngx.exit(ngx.status);
  return true;
}

/** Gives an answer that is about to be sent the fields of what is stored: its body; undefined: there is none to be had. */
export function replaceByStored(holder: string, stored: StoredObject | undefined): string | undefined {
  const body = stored === undefined ? undefined : holdBody(holder, stored);
  if (stored === undefined || body === undefined) return undefined;
  for (const [name] of ngx.resp.get_headers(0)) ngx.header[name] = undefined;
  setStoredFields(stored, body.length);
  return body;
}

/** To be called when the holder's request has ended, however it did. */
export function releaseBody(holder: string): void {
  const bytes = held.get(holder) as number | undefined;
  if (bytes === undefined) return;
  held.delete(holder);
  heldBytes -= bytes;
}
