import * as ffi from 'ffi';

/** What Linux knows of a TCP connection (linux/tcp.h, linux/sockios.h). */
const IPPROTO_TCP = 6;
const TCP_INFO = 11;
const FIONREAD = 0x541b;
const SIOCOUTQ = 0x5411;

const info = ffi.new<NativeTcpInfo>('cordon_tcp_info_t');
const length = ffi.new<NativeInteger>('unsigned int[1]');
const count = ffi.new<NativeInteger>('int[1]');

/** Bytes that have arrived on a connection since it was opened. */
export function bytesReceived(descriptor: number): number {
  length[0] = ffi.sizeof('cordon_tcp_info_t');
  if (ffi.C.getsockopt(descriptor, IPPROTO_TCP, TCP_INFO, info, length) !== 0) return 0;
  return tonumber(info.bytes_received as never) ?? 0;
}

const queued = (descriptor: number, what: number): number =>
  ffi.C.ioctl(descriptor, what, count) === 0 ? (count[0] as number) : 0;

/** Bytes that have arrived and were not read. */
export const bytesUnread = (descriptor: number): number => queued(descriptor, FIONREAD);

/** Bytes that were written and the other side has not acknowledged. */
export const bytesUntaken = (descriptor: number): number => queued(descriptor, SIOCOUTQ);
