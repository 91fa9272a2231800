/**
 * Writes a MaxMind DB (specification 2.0) of IPv6 and IPv4 networks, the latter below `::/96` as readers expect. Only what
 * nginx's geoip2 module reads of ours: maps of texts and whole numbers.
 */

export type MmdbValue = Readonly<Record<string, string | number>>;

const EMPTY = -1;
const METADATA_MARK = Buffer.from('\xab\xcd\xefMaxMind.com', 'latin1');
const SEPARATOR_BYTES = 16;
const RECORD_BYTES = 4;

const TEXT = 2;
const MAP = 7;
const UINT16 = 5;
const UINT32 = 6;
const UINT64 = 9;
const ARRAY = 11;

/** Control byte of a field, its extended type and size (specification, "Data Field Format"). */
function head(type: number, size: number): Buffer {
  const types = type > 7 ? [0, type - 7] : [type];
  const [first = 0, ...extended] = types;
  if (size < 29) return Buffer.from([(first << 5) | size, ...extended]);
  if (size < 285) return Buffer.from([(first << 5) | 29, ...extended, size - 29]);
  if (size > 65_820) throw new Error(`a field of ${size} bytes`);
  const rest = size - 285;
  return Buffer.from([(first << 5) | 30, ...extended, rest >> 8, rest & 255]);
}

function text(value: string): Buffer {
  const bytes = Buffer.from(value);
  return Buffer.concat([head(TEXT, bytes.length), bytes]);
}

function whole(type: number, value: number): Buffer {
  const bytes: number[] = [];
  for (let rest = value; rest > 0; rest = Math.floor(rest / 256)) bytes.unshift(rest % 256);
  return Buffer.concat([head(type, bytes.length), Buffer.from(bytes)]);
}

const map = (entries: readonly (readonly [string, Buffer])[]): Buffer =>
  Buffer.concat([head(MAP, entries.length), ...entries.flatMap(([key, value]) => [text(key), value])]);

export class MmdbWriter {
  /** Two records for each node: another node, a value (below -1), or nothing. */
  #records = new Int32Array(1 << 16).fill(EMPTY);
  #nodes = 1;
  readonly #values: Buffer[] = [];
  readonly #offsets: number[] = [];
  #dataBytes = 0;

  /** Keeps a value, for networks to refer to. */
  addValue(value: MmdbValue): number {
    const entries = Object.entries(value).map(
      ([key, one]) => [key, typeof one === 'string' ? text(one) : whole(UINT32, one)] as const,
    );
    const data = map(entries);
    this.#offsets.push(this.#dataBytes);
    this.#values.push(data);
    this.#dataBytes += data.length;
    return this.#values.length - 1;
  }

  #addNode(): number {
    if ((this.#nodes + 1) * 2 > this.#records.length) {
      const larger = new Int32Array(this.#records.length * 2).fill(EMPTY);
      larger.set(this.#records);
      this.#records = larger;
    }
    return this.#nodes++;
  }

  /** @param words Four of 32 bits, the first bits of the network first. Networks do not overlap. */
  addNetwork(words: readonly number[], prefix: number, value: number): void {
    let node = 0;
    for (let bit = 0; ; bit++) {
      const side = ((words[bit >> 5] as number) >>> (31 - (bit & 31))) & 1;
      const at = node * 2 + side;
      if (bit === prefix - 1) {
        this.#records[at] = -2 - value;
        return;
      }
      let next = this.#records[at] as number;
      if (next === EMPTY) {
        next = this.#addNode();
        this.#records[at] = next;
      } else if (next < EMPTY) throw new Error('networks overlap');
      node = next;
    }
  }

  toBuffer(databaseType: string, description: string, builtAt: Date): Buffer {
    const tree = Buffer.alloc(this.#nodes * 2 * RECORD_BYTES);
    for (let at = 0; at < this.#nodes * 2; at++) {
      const record = this.#records[at] as number;
      const pointer =
        record >= 0
          ? record
          : record === EMPTY
            ? this.#nodes
            : this.#nodes + SEPARATOR_BYTES + (this.#offsets[-2 - record] as number);
      tree.writeUInt32BE(pointer, at * RECORD_BYTES);
    }
    const metadata = map([
      ['node_count', whole(UINT32, this.#nodes)],
      ['record_size', whole(UINT16, RECORD_BYTES * 8)],
      ['ip_version', whole(UINT16, 6)],
      ['database_type', text(databaseType)],
      ['languages', Buffer.concat([head(ARRAY, 1), text('en')])],
      ['binary_format_major_version', whole(UINT16, 2)],
      ['binary_format_minor_version', whole(UINT16, 0)],
      ['build_epoch', whole(UINT64, Math.floor(builtAt.getTime() / 1000))],
      ['description', map([['en', text(description)]])],
    ]);
    return Buffer.concat([tree, Buffer.alloc(SEPARATOR_BYTES), ...this.#values, METADATA_MARK, metadata]);
  }
}
