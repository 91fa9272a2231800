import * as ffi from 'ffi';
import { options } from './runner-options.ts';
import './native.ts';

/**
 * Whether the disk has room for more objects. nginx breaks an answer off whose copy it cannot write: where too little is left, nothing
 * is stored, and everything served.
 */
const BYTES_MIN = 64 * 1024 * 1024;
/** Where a disk is small: a hundredth of it. */
const SHARE_MIN = 0.01;
const FILES_MIN = 1000;

const place = ffi.new<NativeFileSystem>('cordon_statvfs_t');
const known = { at: 0, hasRoom: true };

function look(): boolean {
  if (options.cacheDir === '' || ffi.C.statvfs(options.cacheDir, place) !== 0) return false;
  const unit = tonumber(place.fragment_bytes as never) as number;
  const free = (tonumber(place.blocks_available as never) as number) * unit;
  const total = (tonumber(place.blocks as never) as number) * unit;
  const files = tonumber(place.files as never) as number;
  // File systems that count no files say that they have none.
  const hasFiles = files === 0 || (tonumber(place.files_available as never) as number) >= FILES_MIN;
  return hasFiles && free >= Math.min(BYTES_MIN, total * SHARE_MIN);
}

/** Asked for each answer that could be stored, and found out anew for all of a moment: a disk can be full within a tenth of a second. */
export function hasRoomForObjects(): boolean {
  const now = ngx.now();
  if (now !== known.at) {
    known.at = now;
    known.hasRoom = look();
  }
  return known.hasRoom;
}
