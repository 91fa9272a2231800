import { createSocket } from 'node:dgram';
import { type Answer, decode, encode, RECURSION_AVAILABLE, RECURSION_DESIRED } from 'dns-packet';

/** Records of one name. An alias stands alone; its addresses are answered along with it. */
export interface DnsRecords {
  readonly CNAME?: string;
  readonly A?: readonly string[];
  readonly AAAA?: readonly string[];
  readonly TXT?: readonly string[];
  readonly PTR?: string;
}

export interface DnsServer {
  /** What `CORDON_RESOLVER` takes. */
  readonly address: string;
  /** Names, lower case and without the last dot; changed while the server runs. */
  readonly names: Map<string, DnsRecords>;
  /** Names that were asked for, each with its type. */
  readonly asked: { readonly name: string; readonly type: string }[];
  /** Questions are read but not answered. */
  isSilent: boolean;
  /** Questions wait for their answer until the function that it returns is called. */
  hold(): () => void;
  close(): Promise<void>;
}

/** RFC 1035 4.1.1. */
const NXDOMAIN = 3;
const ALIASES_MAX = 8;
const TYPES = ['A', 'AAAA', 'CNAME', 'PTR', 'TXT'] as const;
type Type = (typeof TYPES)[number];

/** A name server (RFC 1035) on loopback that answers from a map; what is not in it does not exist. */
export async function startDnsServer(records: Readonly<Record<string, DnsRecords>> = {}): Promise<DnsServer> {
  const names = new Map(Object.entries(records));
  const asked: { name: string; type: string }[] = [];
  const socket = createSocket('udp4');
  let held = Promise.resolve();
  socket.on('message', async (message, sender) => {
    const query = decode(message);
    const [question] = query.questions ?? [];
    if (!question) return;
    const name = question.name.toLowerCase();
    const type = TYPES.find((one) => one === question.type);
    asked.push({ name, type: question.type });
    if (server.isSilent) return;
    await held;
    const flags = RECURSION_AVAILABLE | ((query.flags ?? 0) & RECURSION_DESIRED) | (names.has(name) ? 0 : NXDOMAIN);
    const answers = type ? find(names, name, type) : [];
    socket.send(
      encode({ type: 'response', id: query.id, flags, questions: [question], answers }),
      sender.port,
      sender.address,
    );
  });
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
  // A worker ends although its name servers still listen.
  socket.unref();
  const server: DnsServer = {
    address: `127.0.0.1:${socket.address().port}`,
    names,
    asked,
    isSilent: false,
    hold() {
      let release = () => {};
      held = new Promise((resolve) => {
        release = resolve;
      });
      return release;
    },
    close: () => new Promise((resolve) => socket.close(() => resolve())),
  };
  return server;
}

function find(names: ReadonlyMap<string, DnsRecords>, name: string, type: Type, depth = 0): Answer[] {
  const records = names.get(name);
  if (!records || depth > ALIASES_MAX) return [];
  if (records.CNAME !== undefined) {
    const alias: Answer = { name, type: 'CNAME', ttl: 0, data: records.CNAME };
    return type === 'CNAME' ? [alias] : [alias, ...find(names, records.CNAME.toLowerCase(), type, depth + 1)];
  }
  if (type === 'PTR') return records.PTR === undefined ? [] : [{ name, type, ttl: 0, data: records.PTR }];
  if (type === 'TXT') return (records.TXT ?? []).map((text) => ({ name, type, ttl: 0, data: stringsOf(text) }));
  if (type === 'A' || type === 'AAAA') return (records[type] ?? []).map((data) => ({ name, type, ttl: 0, data }));
  return [];
}

/** Character strings of at most 255 bytes. */
function stringsOf(text: string): Buffer[] {
  const bytes = Buffer.from(text);
  const parts: Buffer[] = [];
  for (let at = 0; at < bytes.length || at === 0; at += 255) parts.push(bytes.subarray(at, at + 255));
  return parts;
}
