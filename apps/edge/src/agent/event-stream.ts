import { createParser, type EventSourceMessage } from 'eventsource-parser';

/** Reads `text/event-stream` (HTML standard 9.2.6) piece by piece. */
export class EventStreamReader {
  readonly #decoder = new TextDecoder();
  readonly #events: EventSourceMessage[] = [];
  readonly #parser = createParser({ onEvent: (event) => this.#events.push(event) });

  /** Events that this piece completes. */
  read(piece: Uint8Array): EventSourceMessage[] {
    this.#parser.feed(this.#decoder.decode(piece, { stream: true }));
    return this.#events.splice(0);
  }
}
