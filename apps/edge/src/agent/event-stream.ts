export interface ServerSentEvent {
  readonly event: string;
  readonly id: string | undefined;
  readonly data: string;
}

/** Reads `text/event-stream` (HTML standard 9.2.6) piece by piece. */
export class EventStreamReader {
  readonly #decoder = new TextDecoder();
  #rest = '';
  #event = 'message';
  #id: string | undefined;
  #data: string[] = [];

  /** Events that this piece completes. */
  read(piece: Uint8Array): ServerSentEvent[] {
    const lines = (this.#rest + this.#decoder.decode(piece, { stream: true })).split(/\r\n|\n|\r/);
    this.#rest = lines.pop() ?? '';
    return lines.flatMap((line) => this.#readLine(line) ?? []);
  }

  #readLine(line: string): ServerSentEvent | undefined {
    if (line === '') {
      const event = { event: this.#event, id: this.#id, data: this.#data.join('\n') };
      const isEmpty = this.#data.length === 0 && this.#event === 'message';
      this.#event = 'message';
      this.#data = [];
      this.#id = undefined;
      return isEmpty ? undefined : event;
    }
    const colon = line.indexOf(':');
    if (colon === 0) return undefined;
    const field = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? '' : line.slice(colon + 1).replace(/^ /, '');
    if (field === 'event') this.#event = value;
    else if (field === 'id') this.#id = value;
    else if (field === 'data') this.#data.push(value);
    return undefined;
  }
}
