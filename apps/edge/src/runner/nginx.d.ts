/** The parts of nginx's Lua API (lua-nginx-module 0.10.23 and lua-resty-core 0.1.25) that the runner uses. */

declare const ngx: Nginx;

/** LuaJIT's own settings (https://luajit.org/running.html). */
declare const jit: { readonly opt: { start(this: void, ...options: string[]): void } };

/** @noSelf */
interface Nginx {
  readonly ERROR: number;
  readonly ERR: number;
  readonly WARN: number;
  status: number;
  ctx: import('./request-state.ts').RequestState;
  readonly headers_sent: boolean;
  readonly is_subrequest: boolean;
  /** Of a body filter: a piece of the body, and whether it is the last. */
  readonly arg: { [index: number]: string | boolean | undefined };
  readonly header: { [name: string]: string | number | undefined };
  readonly shared: { [name: string]: SharedDict };
  /** Variables of the request. Reading an absent one gives undefined. */
  readonly var: { [name: string]: string | undefined };
  readonly req: NginxRequest;
  readonly resp: { get_headers(max: number): LuaTable<string, string | string[] | true> };
  readonly re: NginxRegex;
  readonly socket: NginxSocket;
  readonly timer: NginxTimer;
  readonly worker: NginxWorker;
  readonly thread: NginxThread;
  /** As of when nginx last looked at the clock. */
  now(): number;
  update_time(): void;
  /** Waits without holding up other requests; not while a decision is made (`set_by_lua`). */
  sleep(seconds: number): void;
  get_phase(): string;
  exit(status: number): never;
  exec(location: string): never;
  send_headers(): 1 | undefined;
  print(text: string | readonly string[]): 1 | undefined;
  flush(wait: boolean): 1 | undefined;
  eof(): void;
  log(level: number, ...message: (string | number | undefined)[]): void;
  /** Unix seconds, whole. */
  time(): number;
  /** As HTTP has dates (RFC 9110 5.6.7). */
  http_time(seconds: number): string;
  parse_http_time(text: string): number | undefined;
  md5_bin(text: string): string;
  /** In hex digits. */
  md5(text: string): string;
  unescape_uri(this: void, text: string): string;
  escape_uri(this: void, text: string): string;
  decode_base64(text: string): string | undefined;
  encode_base64(text: string, noPadding: boolean): string;
  /** CRC-32 of ISO 3309. */
  crc32_long(text: string): number;
}

/** @noSelf */
interface NginxRequest {
  get_method(): string;
  get_headers(max: number, raw?: boolean): LuaTable<string, string | string[] | true>;
  set_header(name: string, value: string): void;
  clear_header(name: string): void;
  read_body(): void;
  get_body_data(): string | undefined;
  get_body_file(): string | undefined;
  discard_body(): void;
  /** Unix seconds with milliseconds. */
  start_time(): number;
  http_version(): number;
  /** The head as it came, whatever of it was changed since. */
  raw_header(withoutRequestLine: boolean): string;
  socket(): LuaMultiReturn<[TcpSocket | undefined, string | undefined]>;
}

/** @noSelf */
interface NginxRegex {
  find(
    subject: string,
    pattern: string,
    options: string,
  ): LuaMultiReturn<[number | undefined, number | undefined, string | undefined]>;
  gsub(
    subject: string,
    pattern: string,
    replace: string,
    options: string,
  ): LuaMultiReturn<[string | undefined, number, string | undefined]>;
}

/** @noSelf */
interface NginxSocket {
  tcp(): TcpSocket;
}

/** @noSelf */
interface NginxTimer {
  at(
    seconds: number,
    callback: (this: void, premature: boolean) => void,
  ): LuaMultiReturn<[1 | undefined, string | undefined]>;
}

/** @noSelf */
interface NginxWorker {
  /** Undefined in nginx's other processes. */
  id(): number | undefined;
  pid(): number;
  count(): number;
  exiting(): boolean;
}

/** @noSelf */
interface NginxThread {
  spawn(body: (this: void) => void): object;
  wait(...threads: object[]): boolean;
  kill(thread: object): boolean;
}

interface SharedDict {
  get(key: string): string | number | undefined;
  /** Never evicts: fails with `no memory` when the dictionary is full. */
  safe_set(
    key: string,
    value: string | number,
    seconds?: number,
  ): LuaMultiReturn<[boolean | undefined, string | undefined]>;
  set(key: string, value: string | number, seconds?: number): LuaMultiReturn<[boolean | undefined, string | undefined]>;
  safe_add(
    key: string,
    value: string | number,
    seconds?: number,
  ): LuaMultiReturn<[boolean | undefined, string | undefined]>;
  /** As `safe_add`, but a full dictionary evicts what was used longest ago. */
  add(key: string, value: string | number, seconds?: number): LuaMultiReturn<[boolean | undefined, string | undefined]>;
  incr(key: string, by: number, initial?: number, seconds?: number): number | undefined;
  delete(key: string): void;
  /** Of what is there: it ends so many seconds from now. */
  expire(key: string, seconds: number): void;
  /** Seconds until it ends; 0: it has no end. Negative: it has ended, and is not taken away yet. Undefined: it is not there. */
  ttl(key: string): number | undefined;
  rpush(key: string, value: string): LuaMultiReturn<[number | undefined, string | undefined]>;
  lpop(key: string): LuaMultiReturn<[string | number | undefined, string | undefined]>;
  llen(key: string): LuaMultiReturn<[number | undefined, string | undefined]>;
  flush_expired(max: number): number;
  get_keys(max: number): string[];
  capacity(): number;
  free_space(): number;
}

interface TcpSocket {
  settimeouts(connectMs: number, sendMs: number, readMs: number): void;
  connect(host: string, port?: number): LuaMultiReturn<[1 | undefined, string | undefined]>;
  sslhandshake(reused: false, name: string, verify: boolean): LuaMultiReturn<[boolean | undefined, string | undefined]>;
  send(data: string): LuaMultiReturn<[number | undefined, string | undefined]>;
  receive(pattern: string | number): LuaMultiReturn<[string | undefined, string | undefined, string | undefined]>;
  receiveany(max: number): LuaMultiReturn<[string | undefined, string | undefined]>;
  getreusedtimes(): LuaMultiReturn<[number | undefined, string | undefined]>;
  setkeepalive(idleMs: number, poolSize: number): void;
  close(): void;
}

/** Data of C, indexed from zero. */
interface NativeBytes {
  readonly __native: unique symbol;
  [index: number]: number;
}

/** Rows of bytes. */
interface NativeRows {
  readonly __native: unique symbol;
  [index: number]: NativeBytes;
}

interface NativeText {
  readonly len: number;
  readonly data: NativeBytes;
}

interface NativeHeaders {
  readonly __native: unique symbol;
  [index: number]: { readonly key: NativeText; readonly value: NativeText };
}

interface NativeInteger {
  readonly __native: unique symbol;
  [index: number]: number;
}

/** A type of C. */
interface NativeType<T> {
  readonly __native: T;
}

/** Words of 64 bits, and pointers in their place. */
interface NativeWords {
  readonly __native: unique symbol;
  [index: number]: object;
}
interface NativePointers<T> {
  readonly __native: unique symbol;
  [index: number]: T | undefined;
}

/** `ngx_str_t` of whole words, and pointers to bytes. */
interface NativePlacedText {
  readonly length: number;
  readonly data: NativeBytes;
}
interface NativePlaces {
  readonly __native: unique symbol;
  [index: number]: NativeBytes;
}

/** `ngx_http_request_body_t` as far as it is read: numbers of 64 bits in two halves. */
interface NativeBody {
  readonly rest: number;
  readonly rest_high: number;
  readonly received: number;
  readonly received_high: number;
}

/** `ngx_table_elt_t` and `ngx_list_part_t`. */
interface NativeField {
  readonly name_length: number;
  readonly name: NativeBytes;
  readonly value_length: number;
  readonly value: NativeBytes;
}
interface NativePart {
  readonly fields: { readonly __native: unique symbol; [index: number]: NativeField };
  readonly count: number;
  readonly next: NativePart | undefined;
}

/** `struct tcp_info` as far as it is read: a number of 64 bits. */
interface NativeTcpInfo {
  readonly states: NativeBytes;
  readonly counts: NativeInteger;
  readonly bytes_received: object;
}

/** `ngx_event_pipe_t` as far as it is read or written: a number of 64 bits. */
interface NativePipe {
  readonly upstream: NativeConnection | undefined;
  readonly request: object;
  flags: number;
  readonly bytes: object;
}

/** `ngx_http_upstream_t` as far as it is read or written. */
interface NativeUpstream {
  readonly connection: NativeConnection | undefined;
  readonly pipe: NativePipe | undefined;
  /** Ends the exchange; undefined once it has ended. */
  readonly cleanup: NativePointers<NativeCleanup> | undefined;
  flags: number;
}
type NativeCleanup = (this: void, request: NativeRequest) => void;

/** `ngx_http_request_t *`. */
interface NativeRequest {
  readonly __native: unique symbol;
}

/** `ngx_connection_t *` as far as it is read. */
interface NativeConnection {
  readonly data: object;
  readonly fd: number;
  /** Bytes that were taken, a number of 64 bits, or a negative one. */
  readonly send: (this: void, connection: NativeConnection, bytes: string, length: number) => object;
  /** No two connections of a worker have the same; the lower half of 64 bits. */
  readonly number: number;
  readonly buffered: number;
  readonly flags: number;
}

/** `ngx_http_v2_connection_t`, `ngx_http_v2_node_t` and `ngx_http_v2_stream_t` as far as they are read. */
interface NativeHttp2 {
  readonly connection: NativeConnection;
  readonly nodes: NativePointers<NativeHttp2Node>;
  readonly last_out: object | undefined;
}
interface NativeHttp2Node {
  readonly id: number;
  readonly next: NativeHttp2Node | undefined;
  readonly stream: NativeHttp2Stream | undefined;
}
interface NativeHttp2Stream {
  readonly request: object;
  readonly connection: NativeHttp2;
  readonly node: NativeHttp2Node;
}

interface NativeRequestHead {
  readonly signature: number;
  readonly connection: NativeConnection;
}

/** `struct statvfs` as far as it is read: numbers of 64 bits. */
interface NativeFileSystem {
  readonly __native: unique symbol;
  readonly fragment_bytes: object;
  readonly blocks: object;
  readonly blocks_available: object;
  readonly files: object;
  readonly files_available: object;
}

/** `sem_t *`. */
interface NativeSemaphore {
  readonly __native: unique symbol;
}

/** @noSelf */
interface NativeFunctions {
  ngx_http_lua_ffi_req_get_headers_count(request: NativeRequest, max: number, truncated: NativeInteger): number;
  ngx_http_lua_ffi_req_get_headers(request: NativeRequest, out: NativeHeaders, count: number, raw: number): number;
  ngx_http_lua_ffi_var_get(
    request: NativeRequest,
    name: string,
    nameLength: number,
    lowerCase: NativeBytes,
    capture: number,
    value: NativePlaces,
    valueLength: NativeInteger,
    failure: NativePlaces,
  ): number;
  ngx_http_lua_ffi_var_set(
    request: NativeRequest,
    name: string,
    nameLength: number,
    lowerCase: NativeBytes,
    value: NativeBytes,
    valueLength: number,
    failure: NativeBytes,
    failureLength: NativeInteger,
  ): number;
  readonly ngx_stat_active: NativeInteger;
  readonly ngx_stat_reading: NativeInteger;
  readonly ngx_stat_writing: NativeInteger;
  readonly ngx_stat_requests: NativeInteger;
  EVP_sha256(): NativeBytes;
  HMAC(
    hash: NativeBytes,
    key: string,
    keyLength: number,
    data: string,
    dataLength: number,
    out: NativeBytes,
    outLength: NativeInteger,
  ): NativeBytes;
  SHA256(data: string, length: number, out: NativeBytes): NativeBytes;
  strncasecmp(a: NativeBytes, b: string, length: number): number;
  CRYPTO_memcmp(a: string, b: string, length: number): number;
  RAND_bytes(out: NativeRows, length: number): number;
  ngx_hex_dump(out: NativeBytes, data: NativeBytes, length: number): NativeBytes;
  shutdown(fd: number, how: number): number;
  kill(pid: number, signal: number): number;
  getsockname(fd: number, out: NativeBytes, length: NativeInteger): number;
  getpeername(fd: number, out: NativeBytes, length: NativeInteger): number;
  ioctl(fd: number, request: number, out: NativeInteger): number;
  mmap(
    address: undefined,
    length: number,
    protection: number,
    flags: number,
    fd: number,
    offset: number,
  ): NativeSemaphore;
  statvfs(path: string, out: NativeFileSystem): number;
  sem_init(semaphore: NativeSemaphore, shared: number, value: number): number;
  sem_post(semaphore: NativeSemaphore): number;
  sem_getvalue(semaphore: NativeSemaphore, value: NativeInteger): number;
  getsockopt(fd: number, level: number, name: number, value: NativeTcpInfo, length: NativeInteger): number;
}

/** @noResolution */
declare module 'ffi' {
  function cdef(this: void, declarations: string): void;
  function _new<T>(this: void, type: string, size?: number): T;
  /** Parses a declaration once: `cast` with its text would do so at each call that is not compiled. */
  function _typeof<T>(this: void, type: string): NativeType<T>;
  function cast<T>(this: void, type: string | NativeType<T>, value: unknown): T;
  function string(this: void, value: NativeBytes, length: number): string;
  function sizeof(this: void, type: string): number;
  const C: NativeFunctions;

  export { _new as new, _typeof as typeof, C, cast, cdef, sizeof, string };
}

/** @noResolution */
declare module 'cjson.safe' {
  /** undefined when the text is no JSON. The agent leaves JSON's null out, so no result holds cjson's sentinel. */
  export function decode<T>(this: void, text: string): T | undefined;
  export function encode(this: void, value: unknown): string;
}

/** @noResolution */
declare module 'resty.lrucache' {
  interface LruCache<V> {
    get(key: string): V | undefined;
    set(key: string, value: V, seconds?: number): void;
    delete(key: string): void;
  }
  function _new<V>(this: void, size: number): LruCache<V>;

  export { _new as new, type LruCache };
}

/** @noResolution */
declare module 'ngx.semaphore' {
  interface Semaphore {
    /** Waits up to `seconds` for a post; false when none came. */
    wait(seconds: number): boolean;
    post(count: number): boolean;
  }
  function _new(this: void, count: number): LuaMultiReturn<[Semaphore | undefined, string | undefined]>;

  export { _new as new, type Semaphore };
}

/** @noResolution */
declare module 'ngx.balancer' {
  export function set_current_peer(
    this: void,
    address: string,
    port: number,
  ): LuaMultiReturn<[boolean | undefined, string | undefined]>;
  export function set_more_tries(this: void, count: number): boolean | undefined;
  export function get_last_failure(this: void): LuaMultiReturn<[string | undefined, number | undefined]>;
  export function set_timeouts(this: void, connect: number, send: number, read: number): boolean;
}

/** @noResolution */
declare module 'ngx.ssl' {
  /** The visitor's address as raw bytes, and `inet`, `inet6` or `unix`. */
  export function raw_client_addr(this: void): LuaMultiReturn<[string | undefined, string | undefined]>;
  /** SNI. */
  export function server_name(this: void): LuaMultiReturn<[string | undefined, string | undefined]>;
  export function clear_certs(this: void): LuaMultiReturn<[boolean | undefined, string | undefined]>;
  export function parse_pem_cert(this: void, pem: string): LuaMultiReturn<[object | undefined, string | undefined]>;
  export function parse_pem_priv_key(this: void, pem: string): LuaMultiReturn<[object | undefined, string | undefined]>;
  export function set_cert(this: void, chain: object): LuaMultiReturn<[boolean | undefined, string | undefined]>;
  export function set_priv_key(this: void, key: object): LuaMultiReturn<[boolean | undefined, string | undefined]>;
}

/** @noResolution */
declare module 'ngx.resp' {
  export function add_header(this: void, name: string, value: string): void;
}

/** @noResolution */
declare module 'resty.core.base' {
  export function get_request(this: void): NativeRequest | undefined;
}
