import { createParser, type EventSourceMessage } from 'eventsource-parser';

/** Several times as long as an event of the control plane. */
export const EVENT_CHARACTERS_MAX = 32 * 1024 * 1024;

/** Reads `text/event-stream` (HTML standard 9.2.6) piece by piece. */
export class EventStreamReader {
  readonly #decoder = new TextDecoder();
  readonly #events: EventSourceMessage[] = [];
  readonly #parser = createParser({
    onEvent: (event) => this.#events.push(event),
    maxBufferSize: EVENT_CHARACTERS_MAX,
  });

  /** Events that this piece completes. Throws behind the beginning of one that is longer than EVENT_CHARACTERS_MAX. */
  read(piece: Uint8Array): EventSourceMessage[] {
    this.#parser.feed(this.#decoder.decode(piece, { stream: true }));
    return this.#events.splice(0);
  }
}
