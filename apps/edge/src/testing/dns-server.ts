import { createSocket, type Socket } from 'node:dgram';
import { freePort, releasePort } from './ports.ts';

const TYPES: Readonly<Record<number, string>> = { 1: 'A', 12: 'PTR', 28: 'AAAA' };

function encodeName(name: string): Buffer {
  const labels = name.split('.').flatMap((label) => [Buffer.from([label.length]), Buffer.from(label)]);
  return Buffer.concat([...labels, Buffer.from([0])]);
}

function encodeData(type: string, value: string): Buffer {
  if (type === 'A') return Buffer.from(value.split('.').map(Number));
  if (type === 'PTR') return encodeName(value);
  throw new Error(`${type} is not served`);
}

/** A name server on loopback with the records `"<name> <type>": value`; names that are missing do not exist. */
export class DnsServer {
  readonly #socket: Socket = createSocket('udp4');
  readonly records: Record<string, string>;
  readonly questions: string[] = [];
  /** Questions are read but not answered. */
  isSilent = false;
  port = 0;

  constructor(records: Record<string, string>) {
    this.records = records;
  }

  async start(): Promise<void> {
    this.port = await freePort();
    this.#socket.on('message', (query, peer) => {
      const answer = this.#answer(query);
      if (!this.isSilent) this.#socket.send(answer, peer.port, peer.address);
    });
    await new Promise<void>((resolve) => this.#socket.bind(this.port, '127.0.0.1', resolve));
  }

  #answer(query: Buffer): Buffer {
    const labels: string[] = [];
    let at = 12;
    for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
      labels.push(query.toString('latin1', at + 1, at + 1 + length));
      at += length + 1;
    }
    const type = TYPES[query.readUInt16BE(at + 1)] ?? '';
    const question = query.subarray(12, at + 5);
    const key = `${labels.join('.').toLowerCase()} ${type}`;
    this.questions.push(key);
    const value = this.records[key];
    const header = Buffer.alloc(12);
    query.copy(header, 0, 0, 2);
    header.writeUInt16BE(value === undefined ? 0x8183 : 0x8180, 2);
    header.writeUInt16BE(1, 4);
    header.writeUInt16BE(value === undefined ? 0 : 1, 6);
    if (value === undefined) return Buffer.concat([header, question]);
    const data = encodeData(type, value);
    const record = Buffer.alloc(12);
    record.writeUInt16BE(0xc00c, 0);
    record.writeUInt16BE(query.readUInt16BE(at + 1), 2);
    record.writeUInt16BE(1, 4);
    record.writeUInt32BE(60, 6);
    record.writeUInt16BE(data.length, 10);
    return Buffer.concat([header, question, record, data]);
  }

  async stop(): Promise<void> {
    await new Promise<void>((resolve) => this.#socket.close(() => resolve()));
    releasePort(this.port);
  }
}
