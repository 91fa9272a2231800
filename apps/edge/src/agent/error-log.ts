import { closeSync, fchmodSync, ftruncateSync, openSync, readSync, statSync } from 'node:fs';
import { writeFileAtomically } from './files.ts';

const BYTES_MAX = 4 * 1024 * 1024;
const KEPT_BYTES = 256 * 1024;

/** What nginx says of itself. Processes of nginx hold the file open as they got it, so that it is bounded in place. */
export class ErrorLog {
  readonly #path: string;
  readonly #bytesMax: number;

  constructor(path: string, bytesMax = BYTES_MAX) {
    this.#path = path;
    this.#bytesMax = bytesMax;
  }

  /** Descriptor for nginx's stderr; the caller closes it. Appending is what lets `bound` empty the file. */
  open(): number {
    const descriptor = openSync(this.#path, 'a', 0o600);
    fchmodSync(descriptor, 0o600);
    return descriptor;
  }

  /** Empties a file that has grown too big; its end is kept as `<path>.1`. */
  bound(): void {
    const size = statSync(this.#path, { throwIfNoEntry: false })?.size ?? 0;
    if (size <= this.#bytesMax) return;
    const descriptor = openSync(this.#path, 'r+');
    try {
      const end = Buffer.alloc(Math.min(KEPT_BYTES, size));
      const read = readSync(descriptor, end, 0, end.length, size - end.length);
      ftruncateSync(descriptor);
      writeFileAtomically(`${this.#path}.1`, end.toString('utf8', 0, read));
    } finally {
      closeSync(descriptor);
    }
  }
}
