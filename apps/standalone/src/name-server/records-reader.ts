import pg from 'pg';

export interface DnsRecord {
  readonly name: string;
  readonly type: string;
  readonly content: string;
  readonly ttl: number;
}

const ANSWER_MS_MAX = 1_000;
const READ_MS_MAX = 120_000;
const ROWS_AT_ONCE = 5_000;

/** The views as PowerDNS sees them, and word of their changes. */
export class RecordsReader {
  readonly #url: string;
  readonly #onChange: () => void;
  #client: pg.Client | undefined;

  /** @param onChange Also called when changes may have been missed. */
  constructor(url: string, onChange: () => void) {
    this.#url = url;
    this.#onChange = onChange;
  }

  /** Names of the zones; throws when the database does not answer in time. */
  async zones(): Promise<string[]> {
    this.#client ??= await this.#connect();
    const client = this.#client;
    try {
      const { rows } = await client.query<{ name: string }>('SELECT name FROM domains ORDER BY id');
      return rows.map((row) => row.name);
    } catch (error) {
      this.#forget(client);
      throw error;
    }
  }

  async #connect(): Promise<pg.Client> {
    const client = new pg.Client({
      connectionString: this.#url,
      application_name: 'cordon-dns-copy',
      connectionTimeoutMillis: ANSWER_MS_MAX,
      query_timeout: ANSWER_MS_MAX,
    });
    client.on('error', () => this.#forget(client));
    client.on('end', () => this.#forget(client));
    client.on('notification', this.#onChange);
    try {
      await client.connect();
      await client.query('LISTEN dns');
    } catch (error) {
      this.#forget(client);
      throw error;
    }
    this.#onChange();
    return client;
  }

  #forget(client: pg.Client): void {
    if (this.#client === client) this.#client = undefined;
    client.removeAllListeners();
    client.on('error', () => undefined);
    client.end().catch(() => undefined);
  }

  /** All records of one moment, in parts. */
  async *records(): AsyncGenerator<readonly DnsRecord[]> {
    const client = new pg.Client({
      connectionString: this.#url,
      application_name: 'cordon-dns-copy',
      connectionTimeoutMillis: ANSWER_MS_MAX,
      query_timeout: READ_MS_MAX,
    });
    client.on('error', () => undefined);
    try {
      await client.connect();
      await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
      await client.query(
        'DECLARE copied NO SCROLL CURSOR FOR SELECT name, type, content, ttl FROM records WHERE type IS NOT NULL AND NOT disabled',
      );
      for (;;) {
        const { rows } = await client.query<DnsRecord>(`FETCH ${ROWS_AT_ONCE} FROM copied`);
        if (rows.length === 0) return;
        yield rows;
      }
    } finally {
      await client.end().catch(() => undefined);
    }
  }

  close(): void {
    if (this.#client) this.#forget(this.#client);
  }
}
