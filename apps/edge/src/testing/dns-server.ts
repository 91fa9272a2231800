import { createSocket, type Socket } from 'node:dgram';
import { decode, encode, RECURSION_AVAILABLE, RECURSION_DESIRED, type StringAnswer } from 'dns-packet';
import { freePort, releasePort } from './ports.ts';

/** RFC 1035 4.1.1. */
const NXDOMAIN = 3;

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
    const { id, questions } = decode(query);
    const [question] = questions ?? [];
    if (!question) throw new Error('a query without a question');
    const key = `${question.name.toLowerCase()} ${question.type}`;
    this.questions.push(key);
    const data = this.records[key];
    const answer = { name: question.name, type: question.type, ttl: 60, data } as StringAnswer;
    return encode({
      type: 'response',
      id,
      flags: RECURSION_DESIRED | RECURSION_AVAILABLE | (data === undefined ? NXDOMAIN : 0),
      questions: [question],
      answers: data === undefined ? [] : [answer],
    });
  }

  async stop(): Promise<void> {
    await new Promise<void>((resolve) => this.#socket.close(() => resolve()));
    releasePort(this.port);
  }
}
