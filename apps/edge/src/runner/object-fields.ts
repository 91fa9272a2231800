/** Fields of an answer that say something of the exchange, and of who may read it; all others are about what is stored. */
const kept = new LuaSet<string>();
for (const name of ['date', 'age', 'cache-status', 'connection', 'server', 'vary', 'strict-transport-security'])
  kept.add(name);
for (const name of ['content-range', 'timing-allow-origin']) kept.add(name);

const isOfReader = (name: string): boolean => {
  const start = string.sub(name, 1, 13);
  return start === 'access-contro' || start === 'cross-origin-';
};

/** Takes what is about the stored object off the head of an answer that does not send it (RFC 9110 15.5.17). */
export function dropObjectFields(this: void): void {
  for (const [name] of ngx.resp.get_headers(0)) {
    const text = string.lower(name);
    if (!kept.has(text) && !isOfReader(text)) ngx.header[name] = undefined;
  }
}
