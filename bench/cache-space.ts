import { execFileSync } from 'node:child_process';
import { chownSync, mkdirSync, readdirSync, readFileSync, statfsSync, statSync, writeFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { definitions } from '@cordon/plugins/definitions';
import { startOrigin } from '../apps/edge/src/testing/origin.ts';
import { startBenchEdge } from './support/bench-edge.ts';

/**
 * `npx tsx bench/cache-space.ts [objects] [--keys MB]`: what so many objects of 1 kB (1,000,000) take on a node: memory that nginx's
 * processes share, files and bytes of the disk, and the time in which nginx reads their names after a start, during which it serves. They lie
 * in the folder as files of their own. `--keys`: how much memory names may take (200); what has no room is taken off the disk.
 */
const words = process.argv.slice(2);
const keysAt = words.indexOf('--keys');
const keysMb = keysAt < 0 ? 200 : Number(words[keysAt + 1]);
const objects = Number(words.find((word, at) => /^\d+$/.test(word) && at !== keysAt + 1) ?? 1_000_000);
const LOADER_MS = 60_000;

const origin = await startOrigin((_, response) => {
  response.writeHead(200, { 'content-type': 'text/css', 'cache-control': 'max-age=86400' });
  response.end('x'.repeat(1024));
});
const config = definitions.find(({ name }) => name === 'advance-proxy-cache')?.schema.parse({});
const edge = await startBenchEdge(
  origin.port,
  [{ name: 'advance-proxy-cache', config: config as Record<string, unknown> }],
  { CORDON_EDGE_CACHE_KEYS_MB: String(keysMb), CORDON_EDGE_CACHE_MB: '60000' },
);
const zone = join(edge.dir, 'logs/cache/paid');

const agent = new Agent({ keepAlive: true });
const get = (path: string) =>
  new Promise<string>((resolve, reject) => {
    const call = request(
      { host: '127.0.0.1', port: edge.httpPort, path, agent, headers: { host: 'bench.test' } },
      (res) => {
        res.resume();
        res.on('end', () => resolve(String(res.headers['cache-status'])));
      },
    );
    call.on('error', reject);
    call.end();
  });

/** Of the machine: kB that processes share in memory. */
const sharedKb = () => Number(/^Shmem:\s+(\d+)/m.exec(readFileSync('/proc/meminfo', 'utf8'))?.[1]);
const nameOf = (pid: string) => readFileSync(`/proc/${pid}/cmdline`, 'utf8');
const childrenOf = (pid: number) =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean);
const isLoading = () => {
  try {
    return childrenOf(edge.nginxPid).some((pid) => nameOf(pid).includes('cache loader'));
  } catch {
    return true;
  }
};

function sampleFile(folder: string): string | undefined {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    const found = entry.isFile() ? path : sampleFile(path);
    if (found) return found;
  }
  return undefined;
}

/** nginx goes by the names: nobody asks for these. */
function addFiles(sample: string): void {
  const content = readFileSync(sample);
  const { uid, gid } = statSync(sample);
  const folders = new Set<string>();
  for (let at = 0; at < objects; at++) {
    const name = `${at.toString(16).padStart(8, '0')}0123456789abcdef0123${((at * 2_654_435_761) % 65_536).toString(16).padStart(4, '0')}`;
    const folder = join(zone, name.slice(-1), name.slice(-3, -1));
    if (!folders.has(folder)) {
      mkdirSync(folder, { recursive: true });
      for (const path of [join(folder, '..'), folder]) chownSync(path, uid, gid);
      folders.add(folder);
    }
    const path = join(folder, name);
    writeFileSync(path, content);
    chownSync(path, uid, gid);
  }
}

async function restart(): Promise<void> {
  const before = edge.nginxPid;
  process.kill(before, 'SIGKILL');
  while (edge.nginxPid === before || !(await get('/sample').catch(() => ''))) await delay(200);
}

const mb = (bytes: number) => `${(bytes / 1_000_000).toFixed(0)} MB`;
try {
  await get('/sample');
  const sample = sampleFile(zone);
  if (!sample) throw new Error('nothing is stored');
  await restart();
  const sharedBefore = sharedKb();
  const freeBefore = statfsSync(zone);
  addFiles(sample);
  const freeAfter = statfsSync(zone);
  await restart();
  await delay(LOADER_MS - 5_000);
  const startedAt = performance.now();
  const waits: number[] = [];
  while (!isLoading() && performance.now() - startedAt < 2 * LOADER_MS) await delay(20);
  const loadingAt = performance.now();
  while (isLoading()) {
    const askedAt = performance.now();
    if (!(await get('/sample')).includes('hit')) throw new Error('the object is not served while nginx reads the rest');
    waits.push(performance.now() - askedAt);
    await delay(20);
  }
  const loadSeconds = (performance.now() - loadingAt) / 1000;
  const kept = Number(execFileSync('sh', ['-c', `find ${zone} -type f | wc -l`], { encoding: 'utf8' }));
  process.stdout.write(
    [
      `${cpus().length} cores, ${cpus()[0]?.model}, ${new Date().toISOString().slice(0, 10)}, ${objects} objects of 1 kB, keys ${keysMb} MB`,
      `memory shared by nginx's processes: ${mb((sharedKb() - sharedBefore) * 1024)}`,
      `disk: ${mb((freeBefore.bfree - freeAfter.bfree) * freeBefore.bsize)}, ${freeBefore.ffree - freeAfter.ffree} files`,
      `names read after a start: ${loadSeconds.toFixed(1)} s; a hit took ${Math.max(...waits).toFixed(1)} ms at most meanwhile`,
      `objects kept: ${kept}; then ${await get('/new')}`,
      '',
    ].join('\n'),
  );
} finally {
  agent.destroy();
  await edge.stop();
  await origin.stop();
}
