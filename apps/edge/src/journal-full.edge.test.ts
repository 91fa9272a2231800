import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { cachePlugin } from './testing/caching.ts';
import { startOrigin, type TestOrigin } from './testing/origin.ts';
import { testRoute, testTarget, testUpstream } from './testing/routes.ts';
import { startEdge, type TestEdge } from './testing/start-edge.ts';

/** What was cleared while there was no room to write it down. Mounting a small disk takes root (docs/testing.md). */
const disk = mkdtempSync(join(tmpdir(), 'cordon-small-disk-'));
const HOST = 'unwritten.test';
const ROUTE_ID = '00000000-0000-4000-8000-0000000000f2';
/** Lines of so many URLs fit into no rest of a page that the disk has. */
const URLS = 100;
let edge: TestEdge;
let origin: TestOrigin;
let version = 1;

beforeAll(async () => {
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=64m,mode=711', 'cordon-test', disk], { stdio: 'pipe' });
  origin = await startOrigin((_, response) => {
    response.writeHead(200, { 'content-type': 'text/plain', 'cache-control': 'max-age=3600' });
    response.end(`${version}`);
  });
  const upstream = testUpstream([testTarget(origin.port)]);
  const plugins = [cachePlugin('advance-proxy-cache', {})];
  edge = await startEdge({
    routes: [testRoute({ id: ROUTE_ID, hosts: [HOST], upstream, plugins })],
    environment: { CORDON_EDGE_DIR: join(disk, 'edge') },
  });
});
afterAll(async () => {
  await edge?.stop();
  await origin?.stop();
  execFileSync('umount', ['-l', disk], { stdio: 'pipe' });
  rmSync(disk, { recursive: true, force: true });
});

const filler = join(disk, 'filler');
function fill(): void {
  for (const bytes of [1024 * 1024, 4096]) {
    try {
      for (;;) writeFileSync(filler, Buffer.alloc(bytes), { flag: 'a' });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
    }
  }
}
const visit = async (path: string, method = 'GET') => (await edge.request(HOST, { path, method })).body;
const knownAt = () => statSync(join(disk, 'edge/logs/cache/clears.journal.known')).mtimeMs;
const nginxPid = () =>
  (JSON.parse(readFileSync(join(disk, 'edge/nginx.json'), 'utf8')) as { process: { pid: number } }).process.pid;

async function killNginx(): Promise<void> {
  const pid = nginxPid();
  process.kill(pid, 'SIGKILL');
  await vi.waitFor(() => expect(nginxPid()).not.toBe(pid), { timeout: 10_000 });
  await edge.ready();
}

it('stays cleared once nginx was killed, and so does what was cleared when there was room again', async () => {
  const paths = ['/cleared', '/changed', '/later'];
  for (const path of paths) expect([await visit(path), await visit(path)]).toEqual(['1', '1']);
  const before = knownAt();
  fill();
  const others = Array.from({ length: URLS }, (_, at) => `${HOST}/other-${at}`);
  await edge.control.cleared(ROUTE_ID, 'urls', [...others, `${HOST}/cleared`]);
  await visit('/changed', 'POST');
  rmSync(filler);
  await edge.control.cleared(ROUTE_ID, 'urls', [`${HOST}/later`]);
  await vi.waitFor(() => expect(knownAt()).toBeGreaterThan(before), { timeout: 5000 }).catch(() => {});
  version = 2;
  await killNginx();
  for (const path of paths) expect([path, await visit(path)]).toEqual([path, '2']);
});
