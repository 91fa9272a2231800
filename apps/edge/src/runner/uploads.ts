import { BUFFERED_BODY_BYTES_MAX } from '@cordon/contract/constants';
import { get_request } from 'resty.core.base';
import { addressOf } from './client-address.ts';
import { releasePlaces, takePlace } from './concurrency-limit.ts';
import { shutdownDescriptor, visitorDescriptor } from './native.ts';
import { clientKey, keyTag } from './network-key.ts';
import { recur, TICKS_PER_SECOND } from './recurring.ts';
import { bytesOfStream, isBodyArriving, learnBodies, originDescriptor } from './request-body.ts';
import { options } from './runner-options.ts';
import { bytesReceived, bytesUnread, bytesUntaken } from './socket.ts';

/**
 * Bodies of requests. A small one is read before the origin is connected to, so that a slow visitor holds no connection of
 * the origin's. Larger ones, and those of unknown length, are passed on as they come, as long as they come fast enough.
 */
interface Upload {
  readonly request: NativeRequest;
  readonly visitor: number | undefined;
  readonly isStream: boolean;
  /** Unix seconds of the end of the window, and the bytes that had arrived at its beginning. */
  windowEndsAt: number;
  bytesBefore: number;
}

/** Bodies of this worker that are passed on, by request id; what ends a request takes it out before its memory is freed. */
const uploads = new LuaTable<string, Upload>();
let uploadsCount = 0;
/** Requests that were ended here, by id, until their page is made. */
const ended = new LuaTable<string, 'too_slow' | 'no_length'>();

const CLIENT_TAG = keyTag('uploads of a client');
/** Places of uploads are given back before the request ends. */
const holderOf = (requestId: string): string => `upload ${requestId}`;

export type UploadRefusal = 'too_many_of_client' | 'too_many_of_domain' | 'too_slow';

const isHttp2 = (): boolean => ngx.var.server_protocol === 'HTTP/2.0';

/**
 * Whether a body of HTTP/2 may come without a field that says so. GET and HEAD have none that is worth another location for
 * each page view: `refuseUnseenBody` refuses theirs.
 */
export function canHaveUnsaidBody(): boolean {
  const method = ngx.req.get_method();
  return method !== 'GET' && method !== 'HEAD' && isHttp2();
}

const lengthOfBody = (): number | undefined => tonumber(ngx.var.http_content_length ?? '');

/** Whether this request has a body, or may have one. */
const hasBody = (): boolean =>
  ngx.var.http_transfer_encoding !== undefined ||
  (lengthOfBody() ?? 0) > 0 ||
  (lengthOfBody() === undefined && canHaveUnsaidBody());

function takePlaceOfClient(holder: string): boolean {
  const client = clientKey(addressOf(ngx.var.cordon_client ?? ''), CLIENT_TAG);
  return takePlace(holder, client, options.limits.uploads_per_client);
}

/**
 * Reads the whole body, where this may wait; false when it does not come in time. The slowest rate is that of bodies that are
 * passed on. `begin` is called when there is something to wait for; false: it is not waited for.
 */
export function readWholeBody(length: number, begin: () => boolean): boolean {
  let isRead = false;
  const reader = ngx.thread.spawn(() => {
    ngx.req.read_body();
    isRead = true;
  });
  // Most small bodies come with the head.
  if (isRead) return true;
  if (begin()) {
    const { upload_window_seconds, upload_bytes_per_second } = options.limits;
    const clock = ngx.thread.spawn(() => ngx.sleep(upload_window_seconds + length / upload_bytes_per_second));
    ngx.thread.wait(reader, clock);
    ngx.thread.kill(isRead ? clock : reader);
  } else ngx.thread.kill(reader);
  return isRead;
}

function readSmallBody(requestId: string, length: number): UploadRefusal | undefined {
  const holder = holderOf(requestId);
  let hasPlace = true;
  const isRead = readWholeBody(length, () => {
    hasPlace = takePlaceOfClient(holder);
    return hasPlace;
  });
  releasePlaces(holder);
  if (isRead) return undefined;
  return hasPlace ? 'too_slow' : 'too_many_of_client';
}

/** Takes in the body of a request on its way to the proxy; why it is refused, if it is. */
export function takeInBody(routeId: string): UploadRefusal | undefined {
  if (!hasBody()) return undefined;
  const length = lengthOfBody();
  const requestId = ngx.var.cordon_request_id ?? '';
  if (length !== undefined && length <= BUFFERED_BODY_BYTES_MAX) return readSmallBody(requestId, length);
  const holder = holderOf(requestId);
  if (!takePlaceOfClient(holder)) return 'too_many_of_client';
  if (!takePlace(holder, `upload ${routeId}`, options.limits.uploads_per_domain)) {
    releasePlaces(holder);
    return 'too_many_of_domain';
  }
  learnBodies();
  const request = get_request() as NativeRequest;
  const isStream = isHttp2();
  const visitor = visitorDescriptor(request);
  uploads.set(requestId, {
    request,
    visitor,
    isStream,
    windowEndsAt: ngx.now() + options.limits.upload_window_seconds,
    bytesBefore: isStream || visitor === undefined ? 0 : bytesReceived(visitor),
  });
  uploadsCount++;
  return undefined;
}

/** In the balancer: whether a body arrives that nothing looks at (`canHaveUnsaidBody`). */
export function refuseUnseenBody(): boolean {
  learnBodies();
  const request = get_request() as NativeRequest;
  if (isBodyArriving(request) !== true) return false;
  const requestId = ngx.var.cordon_request_id ?? '';
  if (uploads.get(requestId) !== undefined) return false;
  ended.set(requestId, 'no_length');
  return true;
}

/** Why a request was ended here, if it was. */
export function reasonOfEnd(): 'too_slow' | 'no_length' | undefined {
  return ended.get(ngx.var.cordon_request_id ?? '') as 'too_slow' | 'no_length' | undefined;
}

/** In `log_by_lua` of every place where a request with a body can end. */
export function endUpload(requestId: string): void {
  ended.delete(requestId);
  releasePlaces(holderOf(requestId));
  if (uploads.get(requestId) === undefined) return;
  uploads.delete(requestId);
  uploadsCount--;
}

/** Ends the upload if too little of it has come in its window: by its connection to the origin, so that the visitor gets a page. */
function lookAt(requestId: string, upload: Upload, now: number): void {
  const { request, visitor, isStream } = upload;
  const bytes = isStream || visitor === undefined ? bytesOfStream(request) : bytesReceived(visitor);
  const least = options.limits.upload_window_seconds * options.limits.upload_bytes_per_second;
  const origin = originDescriptor(request);
  // The visitor is not to blame for an origin that takes nothing: its own time-outs end that.
  const isOriginSlow =
    origin === undefined ||
    bytesUntaken(origin) > 0 ||
    (!isStream && visitor !== undefined && bytesUnread(visitor) > 0);
  if (bytes - upload.bytesBefore < least && !isOriginSlow) {
    ended.set(requestId, 'too_slow');
    shutdownDescriptor(origin);
  }
  upload.bytesBefore = bytes;
  upload.windowEndsAt = now + options.limits.upload_window_seconds;
}

function sweep(this: void): void {
  if (uploadsCount === 0) return;
  const now = ngx.now();
  for (const [requestId, upload] of uploads) {
    // A whole body is no upload any more, however long its answer takes.
    if (isBodyArriving(upload.request) === false) {
      releasePlaces(holderOf(requestId));
      uploads.delete(requestId);
      uploadsCount--;
    } else if (now >= upload.windowEndsAt && isBodyArriving(upload.request) === true) lookAt(requestId, upload, now);
  }
}

/** `init_worker_by_lua`. */
export function sweepUploads(): void {
  recur(TICKS_PER_SECOND, sweep);
}
