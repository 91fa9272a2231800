import * as ffi from 'ffi';

/** Declarations of the C functions and structures that the runner reaches through LuaJIT's FFI. */
ffi.cdef(`
typedef struct cordon_connection_s {
  void *data;
  void *read;
  void *write;
  int fd;
  void *receive;
  int64_t (*send)(struct cordon_connection_s *connection, const char *bytes, size_t length);
  void *rest[19];
  uint32_t number, number_high;
  void *more[2];
  uint8_t buffered, flags;
} cordon_connection_t;
typedef struct {
  uint32_t signature;
  cordon_connection_t *connection;
} cordon_request_t;
typedef struct {
  uint32_t length, length_high;
  unsigned char *data;
} cordon_text_t;
typedef struct {
  void *temp_file;
  void *chain;
  void *buffer;
  uint32_t rest;
  int32_t rest_high;
  uint32_t received;
  uint32_t received_high;
} cordon_body_t;
typedef struct {
  uint64_t hash;
  uint32_t name_length, name_length_high;
  unsigned char *name;
  uint32_t value_length, value_length_high;
  unsigned char *value;
  unsigned char *lower;
} cordon_field_t;
typedef struct cordon_part_s {
  cordon_field_t *fields;
  uint32_t count, count_high;
  struct cordon_part_s *next;
} cordon_part_t;
typedef struct {
  cordon_connection_t *upstream;
  void *downstream;
  void *chains[10];
  void *request;
  void *threads[3];
  uint8_t flags, rest[47];
  int64_t bytes;
} cordon_pipe_t;
typedef struct {
  void *read_handler;
  void *write_handler;
  cordon_connection_t *connection;
  void *peer[17];
  cordon_pipe_t *pipe;
  void *rest[119];
  void (**cleanup)(void *request);
  uint8_t flags;
} cordon_upstream_t;
struct cordon_http2_stream_s;
typedef struct cordon_http2_node_s {
  uint32_t id, id_high;
  struct cordon_http2_node_s *next;
  void *rest[10];
  struct cordon_http2_stream_s *stream;
} cordon_http2_node_t;
typedef struct {
  cordon_connection_t *connection;
  void *rest[46];
  cordon_http2_node_t **nodes;
  void *last_out;
} cordon_http2_t;
typedef struct cordon_http2_stream_s {
  void *request;
  cordon_http2_t *connection;
  cordon_http2_node_t *node;
} cordon_http2_stream_t;
int shutdown(int fd, int how);
int kill(int pid, int signal);
int getsockname(int fd, void *address, unsigned int *length);
int getpeername(int fd, void *address, unsigned int *length);
typedef struct {
  uint8_t states[8];
  uint32_t counts[24];
  uint64_t pacing_rate, max_pacing_rate, bytes_acked, bytes_received;
} cordon_tcp_info_t;
int getsockopt(int fd, int level, int name, void *value, unsigned int *length);
int ioctl(int fd, unsigned long request, ...);
extern volatile uint32_t *ngx_stat_active, *ngx_stat_reading, *ngx_stat_writing;
extern volatile uint64_t *ngx_stat_requests;
const void *EVP_sha256(void);
unsigned char *HMAC(const void *hash, const void *key, int key_length, const unsigned char *data, size_t data_length,
  unsigned char *out, unsigned int *out_length);
unsigned char *SHA256(const unsigned char *data, size_t length, unsigned char *out);
int strncasecmp(const unsigned char *a, const char *b, size_t length);
int CRYPTO_memcmp(const void *a, const void *b, size_t length);
int RAND_bytes(void *out, int length);
void *mmap(void *address, size_t length, int protection, int flags, int fd, long offset);
int sem_init(void *semaphore, int shared, unsigned int value);
typedef struct {
  uint64_t block_bytes, fragment_bytes, blocks, blocks_free, blocks_available, files, files_free, files_available;
  uint64_t rest[16];
} cordon_statvfs_t;
int statvfs(const char *path, cordon_statvfs_t *out);
int sem_post(void *semaphore);
int sem_getvalue(void *semaphore, int *value);
unsigned char *ngx_hex_dump(unsigned char *out, const unsigned char *data, size_t length);
`);

const digest = ffi.new<NativeBytes>('unsigned char[32]');
const digestLength = ffi.new<NativeInteger>('unsigned int[1]');

/** HMAC-SHA256 (RFC 2104) by the OpenSSL that nginx is linked with; 32 raw bytes. */
export function hmacSha256(key: string, text: string): string {
  ffi.C.HMAC(ffi.C.EVP_sha256(), key, key.length, text, text.length, digest, digestLength);
  return ffi.string(digest, 32);
}

const digestDigits = ffi.new<NativeBytes>('unsigned char[64]');

/** The same in 64 hex digits. */
export function hmacSha256Hex(key: string, text: string): string {
  ffi.C.HMAC(ffi.C.EVP_sha256(), key, key.length, text, text.length, digest, digestLength);
  ffi.C.ngx_hex_dump(digestDigits, digest, 32);
  return ffi.string(digestDigits, 64);
}

/** The first four bytes of a text's SHA-256 (FIPS 180-4) as a number. */
export function sha256Head(text: string): number {
  ffi.C.SHA256(text, text.length, digest);
  return (
    (digest[0] as number) * 16777216 +
    (digest[1] as number) * 65536 +
    (digest[2] as number) * 256 +
    (digest[3] as number)
  );
}

/** Compares in a time that does not depend on where two secrets of the same length differ. */
export function isEqualSecret(a: string, b: string): boolean {
  return a.length === b.length && ffi.C.CRYPTO_memcmp(a, b, a.length) === 0;
}

/** Drawn for many requests at once: for one, OpenSSL's preparations cost as much as a third of the whole decision. */
const POOL_IDS = 256;
const ID_BYTES = 16;
const pool = ffi.new<NativeRows>(`unsigned char[${POOL_IDS}][${ID_BYTES}]`);
const idDigits = ffi.new<NativeBytes>('unsigned char[32]');
let poolUsed = POOL_IDS;

/** Writes what nginx's `$request_id` is, 16 random bytes in hex digits; false when OpenSSL has none. */
function drawId(): boolean {
  if (poolUsed === POOL_IDS) {
    if (ffi.C.RAND_bytes(pool, POOL_IDS * ID_BYTES) !== 1) return false;
    poolUsed = 0;
  }
  ffi.C.ngx_hex_dump(idDigits, pool[poolUsed] as NativeBytes, ID_BYTES);
  poolUsed++;
  return true;
}

/** 16 random bytes in hex digits; undefined when OpenSSL has none. */
export const randomDigits = (): string | undefined => (drawId() ? ffi.string(idDigits, 2 * ID_BYTES) : undefined);

const ID_VARIABLE = 'cordon_request_id';
const ID_VARIABLE_BYTES = ID_VARIABLE.length;
const FAILURE_BYTES = 256;
const lowerCase = ffi.new<NativeBytes>('unsigned char[32]');
const failure = ffi.new<NativeBytes>(`unsigned char[${FAILURE_BYTES}]`);
const failureLength = ffi.new<NativeInteger>('size_t[1]');

/** Gives the request its id; nginx's own stands where there is none. No text of Lua is made of it: it would have to be kept and collected. */
export function setRequestId(request: NativeRequest): void {
  if (!drawId()) return;
  failureLength[0] = FAILURE_BYTES;
  ffi.C.ngx_http_lua_ffi_var_set(
    request,
    ID_VARIABLE,
    ID_VARIABLE_BYTES,
    lowerCase,
    idDigits,
    2 * ID_BYTES,
    failure,
    failureLength,
  );
}

/** `NGX_HTTP_MODULE` in memory order: the first word of every `ngx_http_request_t`. */
const REQUEST_SIGNATURE = 0x50545448;

/** File descriptor of the visitor's connection; undefined when nginx's structures are not as known. */
export function visitorDescriptor(request: NativeRequest): number | undefined {
  const head = ffi.cast<NativeRequestHead>('cordon_request_t *', request);
  return head.signature === REQUEST_SIGNATURE ? head.connection.fd : undefined;
}

/** Connections of all workers that were accepted and are open; also where there is no request. */
export const connectionsOpen = (): number => ffi.C.ngx_stat_active[0] as number;

/**
 * Requests of all workers, the agent's too, that have ended since nginx started: those that were begun, but for those whose head is being
 * read or that are being answered. One that goes from reading to answering is in neither for a moment, and looks ended (row-audit.ts).
 */
export function requestsEnded(): number {
  const begun = tonumber(ffi.C.ngx_stat_requests[0] as never) as number;
  const reading = ffi.C.ngx_stat_reading[0] as number;
  return begun - reading - (ffi.C.ngx_stat_writing[0] as number);
}

/** Of a process that runs as this user. */
export const isProcessAlive = (pid: number): boolean => ffi.C.kill(pid, 0) === 0;

/** Ends a connection in both directions at once; nginx sees it closed by the visitor. */
export function shutdownDescriptor(descriptor: number): void {
  ffi.C.shutdown(descriptor, 2);
}
