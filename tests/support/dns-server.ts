import { createSocket } from 'node:dgram';
import { isIP } from 'node:net';

/** Records of one name. An alias stands alone; its addresses are answered along with it. */
export interface DnsRecords {
  readonly CNAME?: string;
  readonly A?: readonly string[];
  readonly AAAA?: readonly string[];
  readonly TXT?: readonly string[];
}

export interface DnsServer {
  /** What `CORDON_RESOLVER` takes. */
  readonly address: string;
  /** Names, lower case and without the last dot; changed while the server runs. */
  readonly names: Map<string, DnsRecords>;
  /** Names that were asked for, each with its type. */
  readonly asked: { readonly name: string; readonly type: string }[];
  close(): Promise<void>;
}

const TYPES = { A: 1, CNAME: 5, TXT: 16, AAAA: 28 } as const;
type Type = keyof typeof TYPES;
interface Answer {
  readonly name: string;
  readonly type: Type;
  readonly data: Buffer;
}
const NAME_DOES_NOT_EXIST = 3;
const ALIASES_MAX = 8;

/** A name server (RFC 1035) on loopback that answers from a map; what is not in it does not exist. */
export async function startDnsServer(): Promise<DnsServer> {
  const names = new Map<string, DnsRecords>();
  const asked: { name: string; type: string }[] = [];
  const socket = createSocket('udp4');
  socket.on('message', (message, sender) => {
    const { name, end } = readName(message, 12);
    const code = message.readUInt16BE(end);
    const type = (Object.keys(TYPES) as Type[]).find((one) => TYPES[one] === code);
    asked.push({ name, type: type ?? String(code) });
    const answers = type ? find(names, name, type) : [];
    const isAbsent = !names.has(name);
    const header = Buffer.alloc(12);
    message.copy(header, 0, 0, 2);
    // An answer, recursion offered, and whatever of the question's flags belongs in it.
    header.writeUInt16BE(0x8180 | (message.readUInt16BE(2) & 0x0100) | (isAbsent ? NAME_DOES_NOT_EXIST : 0), 2);
    header.writeUInt16BE(1, 4);
    header.writeUInt16BE(answers.length, 6);
    const question = message.subarray(12, end + 4);
    socket.send(Buffer.concat([header, question, ...answers.map(writeAnswer)]), sender.port, sender.address);
  });
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
  return {
    address: `127.0.0.1:${socket.address().port}`,
    names,
    asked,
    close: () => new Promise((resolve) => socket.close(() => resolve())),
  };
}

function find(names: ReadonlyMap<string, DnsRecords>, name: string, type: Type, depth = 0): Answer[] {
  const records = names.get(name);
  if (!records || depth > ALIASES_MAX) return [];
  if (records.CNAME !== undefined) {
    const alias: Answer = { name, type: 'CNAME', data: writeName(records.CNAME) };
    return type === 'CNAME' ? [alias] : [alias, ...find(names, records.CNAME.toLowerCase(), type, depth + 1)];
  }
  if (type === 'A') return (records.A ?? []).map((text) => ({ name, type, data: addressBytes(text) }));
  if (type === 'AAAA') return (records.AAAA ?? []).map((text) => ({ name, type, data: addressBytes(text) }));
  if (type === 'TXT') return (records.TXT ?? []).map((text) => ({ name, type, data: textBytes(text) }));
  return [];
}

function readName(message: Buffer, start: number): { name: string; end: number } {
  const labels: string[] = [];
  let at = start;
  for (let length = message.readUInt8(at); length > 0; length = message.readUInt8(at)) {
    labels.push(message.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join('.').toLowerCase(), end: at + 1 };
}

function writeName(name: string): Buffer {
  const labels = name.split('.').filter(Boolean);
  return Buffer.concat([
    ...labels.map((label) => Buffer.concat([Buffer.from([label.length]), Buffer.from(label, 'latin1')])),
    Buffer.from([0]),
  ]);
}

function addressBytes(text: string): Buffer {
  if (isIP(text) === 4) return Buffer.from(text.split('.').map(Number));
  const [head = '', tail = ''] = text.split('::');
  const groups = (part: string) => part.split(':').filter(Boolean);
  const missing = 8 - groups(head).length - groups(tail).length;
  const words = [...groups(head), ...Array.from({ length: missing }, () => '0'), ...groups(tail)];
  return Buffer.concat(words.map((word) => Buffer.from(word.padStart(4, '0'), 'hex')));
}

/** Character strings of at most 255 bytes. */
function textBytes(text: string): Buffer {
  const bytes = Buffer.from(text);
  const parts: Buffer[] = [];
  for (let at = 0; at < bytes.length || at === 0; at += 255) {
    const part = bytes.subarray(at, at + 255);
    parts.push(Buffer.from([part.length]), part);
  }
  return Buffer.concat(parts);
}

function writeAnswer({ name, type, data }: Answer): Buffer {
  const fixed = Buffer.alloc(10);
  fixed.writeUInt16BE(TYPES[type], 0);
  fixed.writeUInt16BE(1, 2);
  fixed.writeUInt32BE(0, 4);
  fixed.writeUInt16BE(data.length, 8);
  return Buffer.concat([writeName(name), fixed, data]);
}
