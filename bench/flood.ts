import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { workersOf } from '../apps/edge/src/agent/processes.ts';
import { freePort } from '../apps/edge/src/testing/ports.ts';
import { testRoute, testTarget, testUpstream } from '../apps/edge/src/testing/routes.ts';
import { startEdge } from '../apps/edge/src/testing/start-edge.ts';
import { startOrigin, stopNginx } from './nginx-server.ts';

/**
 * A flood of 10,000 requests a second from 5,000 addresses on one domain, which bans those that send too many, beside another
 * domain of the same worker: the p99 of the other one, quiet and under the flood. Bar: at most twice as long, or 10 ms more.
 * The generator has a core of its own, nginx the other.
 */
const SECONDS = 8;
const ADDRESSES = 5000;
/** Each waits so long between an answer and its next request: with the answer itself, somewhat more than 10,000 a second. */
const RATE_MIN = 10_000;
const CONNECTIONS = 120;
const FLOOD_PAUSE_MS = 10;
const VISITORS = 4;
const VISITOR_PAUSE_MS = 10;
const EXTRA_MS_MAX = 10;
const NGINX_CORE = '0';
const GENERATOR_CORE = '1';

const dir = mkdtempSync(join(tmpdir(), 'cordon-flood-'));
const pause = (ms: number) => `function delay() return ${ms} end\n`;
const floodScript = join(dir, 'flood.lua');
writeFileSync(
  floodScript,
  `${pause(FLOOD_PAUSE_MS)}local at = 0
function request()
  at = (at * 1103515245 + 12345) % 2147483648
  local client = at % ${ADDRESSES}
  return wrk.format("GET", "/search?q=" .. at, { Host = "flooded.test", ["X-Forwarded-For"] = "45." .. math.floor(client / 256) .. "." .. client % 256 .. ".7" })
end
`,
);
const visitScript = join(dir, 'visit.lua');
writeFileSync(visitScript, pause(VISITOR_PAUSE_MS));

const originPort = await freePort();
const origin = startOrigin(originPort);
const upstream = testUpstream([testTarget(originPort)]);
const plugins = [
  { name: 'ban', config: { default_timeout: 3600 } },
  {
    name: 'request-limit',
    config: { banpath: '.*', findtime: 60, maxretry: 10, bantime: '1h', only_dynamic: true },
  },
];
const edge = await startEdge({
  workers: 1,
  environment: { CORDON_DEMO_SECRET: '', CORDON_TRUSTED_PROXIES: '127.0.0.1' },
  routes: [
    testRoute({ hosts: ['flooded.test'], upstream, plugins }),
    testRoute({ hosts: ['calm.test'], upstream, plugins: plugins.slice(0, 1) }),
  ],
});

const url = `http://127.0.0.1:${edge.httpPort}/`;
const onCore = (core: string, command: readonly string[]) => ['-c', core, ...command];
/** The visitor asks little, and is measured, not the wait for the generator that it shares a core with. */
const FIRST = ['nice', '-n', '-20'] as const;

interface Figures {
  readonly p99: number;
  readonly perSecond: number;
}
function read(output: string): Figures {
  const [, value = '', unit] = /99%\s+([\d.]+)(us|ms|s)/.exec(output) ?? [];
  const ms = Number(value) * (unit === 's' ? 1000 : unit === 'us' ? 0.001 : 1);
  return { p99: ms, perSecond: Number(/Requests\/sec:\s+([\d.]+)/.exec(output)?.[1]) };
}
const wrk = (connections: number, script: string, seconds: number, more: readonly string[] = []) =>
  ['wrk', '-t1', `-c${connections}`, `-d${seconds}s`, '--latency', '-s', script, ...more, url] as const;

async function visit(): Promise<Figures> {
  const { stdout } = await promisify(execFile)(
    'taskset',
    onCore(GENERATOR_CORE, [...FIRST, ...wrk(VISITORS, visitScript, SECONDS, ['-H', 'Host: calm.test'])]),
  );
  if (/Non-2xx/.test(stdout)) throw new Error(stdout);
  return read(stdout);
}

let flood: ChildProcess | undefined;
try {
  for (const pid of workersOf(edge.nginxPid)) execFileSync('taskset', ['-p', '-c', NGINX_CORE, String(pid)]);
  await visit();
  const quiet = await visit();
  flood = spawn('taskset', onCore(GENERATOR_CORE, wrk(CONNECTIONS, floodScript, SECONDS + 4)));
  let output = '';
  flood.stdout?.on('data', (chunk) => {
    output += chunk;
  });
  await delay(1000);
  const flooded = await visit();
  if (flood.exitCode === null) await once(flood, 'exit');
  const { perSecond } = read(output);
  const bar = Math.max(2 * quiet.p99, quiet.p99 + EXTRA_MS_MAX);
  const stopped = Number(/Non-2xx or 3xx responses: (\d+)/.exec(output)?.[1] ?? 0);
  console.log(
    JSON.stringify(
      {
        name: 'flood',
        date: new Date().toISOString(),
        machine: `${cpus().length} × ${cpus()[0]?.model}`,
        flood_per_second: Math.round(perSecond),
        flood_stopped: stopped,
        visitor_p99_ms: { quiet: quiet.p99, flooded: flooded.p99, bar },
        visits_per_second: { quiet: Math.round(quiet.perSecond), flooded: Math.round(flooded.perSecond) },
      },
      null,
      2,
    ),
  );
  if (!(flooded.p99 <= bar && perSecond >= RATE_MIN && stopped > 0)) process.exitCode = 1;
} finally {
  flood?.kill();
  await edge.stop();
  await stopNginx(origin);
  rmSync(dir, { recursive: true, force: true });
}
