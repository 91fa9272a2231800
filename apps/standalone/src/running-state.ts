import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** `$DATA/running.json` (0600): what the operator commands and the tests need to know of a running instance. */
export interface RunningState {
  readonly startedAt: string;
  readonly origin: string;
  /** The launcher's child that supervises the others, and each part by name. */
  readonly pids: Readonly<Record<string, number>>;
  readonly ports: {
    readonly api: number;
    readonly edgeHttp: number;
    readonly edgeHttps: number;
    readonly dns: number;
    readonly agent: number;
    readonly postgres?: number;
    readonly clickhouse?: number;
  };
  readonly databaseUrl: string;
  readonly clickhouseUrl: string;
  readonly absentParts: readonly string[];
  readonly demo: DemoState | null;
}

export interface DemoState {
  /** Value of the header `Cordon-Demo-Secret`, with which the edge believes X-Forwarded-For from loopback. */
  readonly secret: string;
  /** `address:port` of the demo's origin server. */
  readonly origin: string;
  readonly account?: { readonly email: string; readonly password: string };
}

const FILE = 'running.json';

export function writeRunningState(dataDirectory: string, state: RunningState): void {
  const file = join(dataDirectory, FILE);
  writeFileSync(`${file}.next`, `${JSON.stringify(state, null, 2)}\n`, { mode: 0o600 });
  renameSync(`${file}.next`, file);
}

export function removeRunningState(dataDirectory: string): void {
  rmSync(join(dataDirectory, FILE), { force: true });
}
