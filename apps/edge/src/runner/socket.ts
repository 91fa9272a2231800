import type { Address } from '@cordon/plugin-kit/edge';
import * as ffi from 'ffi';

/** What Linux knows of a TCP connection (linux/tcp.h, linux/sockios.h). */
const IPPROTO_TCP = 6;
const TCP_INFO = 11;
const FIONREAD = 0x541b;
const SIOCOUTQ = 0x5411;
/** Milliseconds, at these places of the counts. */
const LAST_DATA_SENT = 9;
const LAST_DATA_RECEIVED = 11;

const info = ffi.new<NativeTcpInfo>('cordon_tcp_info_t');
const length = ffi.new<NativeInteger>('unsigned int[1]');
const count = ffi.new<NativeInteger>('int[1]');

/** States of a connection that the other side has closed (net/tcp_states.h). */
const TCP_CLOSE = 7;
const TCP_CLOSE_WAIT = 8;

/** Whether the other side has closed a connection. */
export function isClosedByPeer(descriptor: number): boolean {
  length[0] = ffi.sizeof('cordon_tcp_info_t');
  if (ffi.C.getsockopt(descriptor, IPPROTO_TCP, TCP_INFO, info, length) !== 0) return false;
  return info.states[0] === TCP_CLOSE || info.states[0] === TCP_CLOSE_WAIT;
}

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

/** `struct sockaddr_in` and `sockaddr_in6` (netinet/in.h): family, port, and where the address begins. */
const AF_INET = 2;
const AF_INET6 = 10;
const SOCKADDR_BYTES = 28;
const sockaddr = ffi.new<NativeBytes>('unsigned char[28]');

function familyOf(result: number): number {
  return result === 0 ? (sockaddr[0] as number) + 256 * (sockaddr[1] as number) : 0;
}

/** The port of this side; undefined for what is no TCP socket. */
export function localPort(descriptor: number): number | undefined {
  length[0] = SOCKADDR_BYTES;
  const family = familyOf(ffi.C.getsockname(descriptor, sockaddr, length));
  if (family !== AF_INET && family !== AF_INET6) return undefined;
  return 256 * (sockaddr[2] as number) + (sockaddr[3] as number);
}

/** The address of the other side; undefined for what is not connected. */
export function peerOf(descriptor: number): Address | undefined {
  length[0] = SOCKADDR_BYTES;
  const family = familyOf(ffi.C.getpeername(descriptor, sockaddr, length));
  if (family !== AF_INET && family !== AF_INET6) return undefined;
  const bytes = ffi.string(sockaddr, SOCKADDR_BYTES);
  return addressOfBytes(family === AF_INET ? string.sub(bytes, 5, 8) : string.sub(bytes, 9, 24));
}

/** The word in front of an IPv4 address that is mapped into IPv6 (RFC 4291 2.5.5.2). */
const MAPPED = 0xffff;

/** The address of 4 or 16 bytes, a mapped one as IPv4. */
export function addressOfBytes(bytes: string): Address {
  const words: number[] = [];
  for (let at = 1; at <= bytes.length; at += 4) {
    const [a, b, c, d] = string.byte(bytes, at, at + 3);
    words.push((((a ?? 0) * 256 + (b ?? 0)) * 256 + (c ?? 0)) * 256 + (d ?? 0));
  }
  if (words.length === 1) return { family: 4, words };
  const isMapped = words[0] === 0 && words[1] === 0 && words[2] === MAPPED;
  return isMapped ? { family: 4, words: [words[3] as number] } : { family: 6, words };
}

/** How long neither side has sent anything. */
export function secondsSilent(descriptor: number): number {
  length[0] = ffi.sizeof('cordon_tcp_info_t');
  if (ffi.C.getsockopt(descriptor, IPPROTO_TCP, TCP_INFO, info, length) !== 0) return 0;
  return Math.min(info.counts[LAST_DATA_SENT] as number, info.counts[LAST_DATA_RECEIVED] as number) / 1000;
}
