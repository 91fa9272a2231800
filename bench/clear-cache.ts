import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, linkSync, mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { connect } from 'node:net';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { createCustomer, deployDomain } from '../tests/support/customer.ts';
import { Instance } from '../tests/support/instance.ts';
import { startOrigin } from '../tests/support/origin.ts';
import { until } from '../tests/support/until.ts';
import { quantile } from './support/deploys.ts';
import { addNode, type MoreNode, removeNode } from './support/more-nodes.ts';

/**
 * `npx tsx bench/clear-cache.ts [clears] [--objects N]`: three nodes of one czone, each an agent with its nginx, two of them as an operator
 * adds them. From the call that clears to the last answer with what was stored before that any node gives, asked every 2 ms of
 * all of them; by URL, prefix, tag and all in turn. Each node has N objects (10,000): up to 100,000 by requests, further ones as files
 * in its folder, which nginx reads when it is started anew. Bars: p50 under 10 ms, p99 under 30 ms.
 */
const words = process.argv.slice(2);
const objectsAt = words.indexOf('--objects');
const objects = objectsAt < 0 ? 10_000 : Number(words[objectsAt + 1]);
const clears = Number(words.find((word, at) => /^\d+$/.test(word) && at !== objectsAt + 1) ?? 200);
const BARS_MS = { p50: 10, p99: 30 };
const NAME = 'www.clears.example';
const REQUESTED_MAX = 100_000;
const GIVE_UP_MS = 5_000;
/** Between two questions to a node: without it, they alone take both cores. */
const PAUSE_MS = 2;
/** ext4 allows 65,000 of a file. */
const LINKS_PER_FILE = 50_000;
const PATH = '/probe/object';
const KINDS = ['urls', 'prefixes', 'tags', 'all'] as const;
const VALUES = { urls: [PATH], prefixes: ['/probe/'], tags: ['probe'], all: [] };

type Node = Pick<MoreNode, 'http' | 'dir'>;

let generation = 0;
const origin = await startOrigin((req, res) => {
  const isProbe = req.url === PATH;
  res.writeHead(200, {
    'content-type': 'text/css',
    'cache-control': 'max-age=86400',
    ...(isProbe ? { 'cache-tag': 'probe', 'content-length': String(generation).length } : {}),
  });
  res.end(isProbe ? String(generation) : 'x'.repeat(1024));
});
const keysMb = Math.max(16, Math.ceil((objects / 1_000_000) * 200));
const environment = {
  CORDON_UPSTREAM_ALLOW: `127.0.0.1:${origin.port}`,
  CORDON_DEMO: '1',
  CORDON_EDGE_CACHE_KEYS_MB: String(keysMb),
};
const instance = await Instance.start({ environment });
const nodes: Node[] = [{ http: instance.ports.edgeHttp, dir: join(instance.dataDirectory, 'edge') }];
const added: MoreNode[] = [];

const kept = new Agent({ keepAlive: true, maxSockets: 32 });
const get = (port: number, path: string) =>
  new Promise<{ body: string; cache: string }>((resolve, reject) => {
    const call = request({ host: '127.0.0.1', port, path, agent: kept, headers: { host: NAME } }, (res) => {
      let body = '';
      res.on('data', (piece) => {
        body += piece;
      });
      res.on('end', () => resolve({ body, cache: String(res.headers['cache-status']) }));
    });
    call.on('error', reject);
    call.end();
  });

const nginxPid = ({ dir }: Node): number =>
  (JSON.parse(readFileSync(join(dir, 'nginx.json'), 'utf8')) as { process: { pid: number } }).process.pid;

/** Whether nginx still reads what lies in its folders. */
function isLoading(node: Node): boolean {
  try {
    const children = readFileSync(`/proc/${nginxPid(node)}/task/${nginxPid(node)}/children`, 'utf8')
      .trim()
      .split(' ');
    return children.some((pid) => readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('cache loader'));
  } catch {
    return true;
  }
}

/** Files with the names of other keys, which nobody asks for: nginx goes by the names. */
async function addFiles(node: Node, count: number): Promise<void> {
  const zone = join(node.dir, 'logs/cache/paid');
  const fileIn = (folder: string): string | undefined => {
    for (const name of readdirSync(folder)) {
      const path = join(folder, name);
      if (statSync(path).isFile()) return path;
      const found = fileIn(path);
      if (found) return found;
    }
    return undefined;
  };
  const sample = fileIn(zone);
  if (!sample) throw new Error('nothing is stored');
  const { uid, gid } = statSync(sample);
  let source = sample;
  for (let at = 0; at < count; at++) {
    const name = `${at.toString(16).padStart(8, '0')}${'0123456789abcdef0123'}${((at * 2654435761) % 65536).toString(16).padStart(4, '0')}`;
    const folder = join(zone, name.slice(-1), name.slice(-3, -1));
    mkdirSync(folder, { recursive: true });
    const path = join(folder, name);
    if (at % LINKS_PER_FILE === 0) {
      copyFileSync(sample, path);
      source = path;
    } else {
      linkSync(source, path);
    }
  }
  await once(spawn('chown', ['-R', `${uid}:${gid}`, zone]), 'exit');
}

async function fill(): Promise<void> {
  const requested = Math.min(objects, REQUESTED_MAX);
  await Promise.all(
    nodes.map(async ({ http }) => {
      let next = 0;
      const work = async () => {
        while (next < requested) await get(http, `/fill/${next++}`);
      };
      await Promise.all(Array.from({ length: 8 }, work));
    }),
  );
  if (objects <= requested) return;
  for (const node of nodes) await addFiles(node, objects - requested);
  for (const node of nodes) process.kill(nginxPid(node), 'SIGKILL');
  // It begins a minute after the start.
  await delay(70_000);
  while (nodes.some(isLoading)) await delay(1_000);
}

/** Asks for the object over one connection, with as little work as can be: what it costs, the nodes and the API lack. */
async function openProbe(port: number): Promise<{ ask(): Promise<string>; close(): void }> {
  const socket = connect({ host: '127.0.0.1', port, noDelay: true });
  await once(socket, 'connect');
  const message = `GET ${PATH} HTTP/1.1\r\nHost: ${NAME}\r\n\r\n`;
  let text = '';
  let answered: ((body: string) => void) | undefined;
  let failed: ((error: Error) => void) | undefined;
  socket.on('close', () => failed?.(new Error('a node has closed the connection of the probe')));
  socket.on('data', (piece) => {
    text += piece.toString('latin1');
    const end = text.indexOf('\r\n\r\n');
    const length = Number(/content-length: (\d+)/i.exec(text)?.[1] ?? Number.NaN);
    if (end < 0 || text.length < end + 4 + length) return;
    const body = text.slice(end + 4, end + 4 + length);
    text = '';
    answered?.(body);
  });
  return {
    ask: () =>
      new Promise((resolve, reject) => {
        answered = resolve;
        failed = reject;
        socket.write(message);
      }),
    close: () => socket.destroy(),
  };
}

/** When the last answer with the old generation came, and the first with the new one. */
async function watch(port: number): Promise<{ last: number; first: number }> {
  const probe = await openProbe(port);
  const now = String(generation);
  const giveUpAt = performance.now() + GIVE_UP_MS;
  try {
    for (let last = 0; performance.now() < giveUpAt; ) {
      if ((await probe.ask()) === now) return { last, first: performance.now() };
      last = performance.now();
      await delay(PAUSE_MS);
    }
    throw new Error('a node goes on with what was cleared');
  } finally {
    probe.close();
  }
}

try {
  for (const name of ['second', 'third']) added.push(await addNode(instance, name, environment));
  nodes.push(...added);
  const customer = await createCustomer(instance, 'bench@example.com', 'vip');
  const route = await deployDomain(instance, customer, NAME, origin.port);
  await customer.api.updateRoute({
    params: { id: route.id },
    ifMatch: route.draft_revision,
    body: {
      deploy: true,
      plugins: [
        { name: 'advance-proxy-cache', enabled: true, config: {} },
        { name: 'ip-restriction', enabled: true, config: { deny: ['198.41.128.7'], blacklistMode: true } },
      ],
    },
  });
  const isCached = async ({ http }: Node) => (await get(http, PATH).catch(() => undefined))?.cache.includes('; hit');
  const untilCached = async () => {
    for (const node of nodes) await until('the object stored', async () => isCached(node));
  };
  await untilCached();
  await fill();
  await untilCached();

  const times: Record<'old' | 'new' | 'told' | 'call', number[]> = { old: [], new: [], told: [], call: [] };
  const oldByKind: Record<string, number[]> = {};
  for (let at = 0; at < clears; at++) {
    await untilCached();
    const kind = KINDS[at % KINDS.length] as (typeof KINDS)[number];
    generation++;
    const watching = nodes.map(({ http }) => watch(http));
    await delay(20);
    const startedAt = performance.now();
    const calling = customer.api
      .clearCache({ params: { id: route.id }, body: { kind, values: VALUES[kind] } })
      .then(({ clear }) => {
        times.call.push(performance.now() - startedAt);
        times.told.push(Math.max(...clear.nodes.map(({ milliseconds }) => milliseconds ?? 0)));
        if (clear.nodes.some(({ state }) => state !== 'cleared')) throw new Error('a node has not answered');
      });
    const seen = await Promise.all(watching);
    await calling;
    times.old.push(Math.max(...seen.map(({ last }) => last)) - startedAt);
    oldByKind[kind] = [...(oldByKind[kind] ?? []), times.old.at(-1) as number];
    times.new.push(Math.max(...seen.map(({ first }) => first)) - startedAt);
  }
  process.stdout.write(
    `${cpus().length} cores, ${cpus()[0]?.model}, ${new Date().toISOString().slice(0, 10)}, ${clears} clears on ${nodes.length} nodes of ${objects} objects\n`,
  );
  for (const [key, what] of [
    ['old', 'last answer with what was cleared'],
    ['new', 'new answers of all nodes'],
    ['told', 'nginx of the last node, as nodes report'],
    ['call', 'answer of the call'],
  ] as const) {
    const [p50, p99] = [quantile(times[key], 0.5), quantile(times[key], 0.99)];
    const isMet = p50 < BARS_MS.p50 && p99 < BARS_MS.p99;
    process.stdout.write(
      `${what}: p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms (bars ${BARS_MS.p50} and ${BARS_MS.p99} ms, ${isMet ? 'met' : 'MISSED'})\n`,
    );
    if (!isMet && key === 'old') process.exitCode = 1;
  }
  for (const [kind, of] of Object.entries(oldByKind))
    process.stdout.write(
      `last answer with what was cleared by ${kind}: p50 ${quantile(of, 0.5).toFixed(1)} ms, slowest ${quantile(of, 1).toFixed(1)} ms\n`,
    );
} finally {
  kept.destroy();
  for (const node of added) await removeNode(node);
  await instance.stop();
  await origin.close();
}
