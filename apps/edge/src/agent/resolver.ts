import { formatAddress, parseAddress } from '@cordon/contract/address';
import { log } from './log.ts';
import { SystemNames } from './system-names.ts';

const CONCURRENT_MAX = 32;
const ADDRESSES_MAX = 16;
/** A name that has never been resolved is asked for again this soon at first. */
const RETRY_MS = 1000;

/**
 * How long to wait before a name is asked for again that failed so many times. Names that never answer hold a place
 * each until they time out: asked for every second, one customer's would keep everybody else's waiting.
 */
export function nextAskMs(failures: number, intervalMs: number): number {
  return failures === 0 ? intervalMs : Math.min(intervalMs, RETRY_MS * 2 ** (failures - 1));
}

interface KnownName {
  addresses: readonly string[];
  /** Times in a row that it had no address. */
  failures: number;
  nextAt: number;
  isRunning: boolean;
}

/** Addresses of origin names. A name that stops resolving keeps its last answer. */
export class OriginResolver {
  readonly #source: SystemNames;
  readonly #intervalMs: number;
  readonly #names = new Map<string, KnownName>();
  #running = 0;
  #timer: NodeJS.Timeout | undefined;
  /** A name has other addresses than before. */
  onChange: (name: string) => void = () => {};

  constructor(servers: readonly string[], intervalSeconds: number) {
    this.#intervalMs = intervalSeconds * 1000;
    this.#source = new SystemNames(servers);
  }

  start(): void {
    this.#timer = setInterval(() => this.#refresh(), Math.min(this.#intervalMs / 2, 1000));
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  /** Last known addresses; asks for the name when it is new. */
  addressesOf(name: string): readonly string[] {
    let known = this.#names.get(name);
    if (!known) {
      known = { addresses: [], failures: 0, nextAt: 0, isRunning: false };
      this.#names.set(name, known);
      this.#refresh();
    }
    return known.addresses;
  }

  /** Forgets the names that no route has any more. */
  keepOnly(names: ReadonlySet<string>): void {
    for (const name of this.#names.keys()) if (!names.has(name)) this.#names.delete(name);
  }

  #refresh(): void {
    const now = Date.now();
    for (const [name, known] of this.#names) {
      if (this.#running >= CONCURRENT_MAX) return;
      if (!known.isRunning && known.nextAt <= now) void this.#resolve(name, known);
    }
  }

  async #resolve(name: string, known: KnownName): Promise<void> {
    known.isRunning = true;
    this.#running++;
    try {
      const found = await this.#source.addresses(name);
      const addresses = found
        .flatMap((text) => parseAddress(text) ?? [])
        .map(formatAddress)
        .sort()
        .slice(0, ADDRESSES_MAX);
      known.failures = addresses.length > 0 ? 0 : known.failures + 1;
      if (addresses.length > 0 && addresses.join() !== known.addresses.join()) {
        known.addresses = addresses;
        this.onChange(name);
      }
    } catch (error) {
      known.failures += 1;
      if (known.failures === 1)
        log.warn('an origin name cannot be resolved', { name, reason: error instanceof Error ? error.message : '' });
    } finally {
      const failures = known.addresses.length > 0 ? 0 : known.failures;
      known.nextAt = Date.now() + nextAskMs(failures, this.#intervalMs);
      if (this.#names.get(name) === known) {
        // Behind those that have not been asked since.
        this.#names.delete(name);
        this.#names.set(name, known);
      }
      known.isRunning = false;
      this.#running--;
      if (this.#names.size > this.#running) this.#refresh();
    }
  }
}
