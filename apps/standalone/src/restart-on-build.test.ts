import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { Part } from './process/part.ts';
import { restartOnBuild } from './restart-on-build.ts';

let dist: string;

beforeEach(() => {
  dist = mkdtempSync(join(tmpdir(), 'cordon-dist-'));
  for (const folder of ['api', 'edge/lua']) mkdirSync(join(dist, folder), { recursive: true });
  writeFileSync(join(dist, 'api/main.js'), 'first');
  writeFileSync(join(dist, 'edge/lua/main.lua'), 'first');
});
afterEach(() => rmSync(dist, { recursive: true, force: true }));

it('starts anew what a finished build changed, and nothing else', async () => {
  const parts = { api: { restart: vi.fn() }, edge: { restart: vi.fn() } };
  const watcher = restartOnBuild(dist, [
    { folder: 'api', part: parts.api as unknown as Part },
    { folder: 'edge', part: parts.edge as unknown as Part },
  ]);
  try {
    // The same again, as a build does that emits everything anew, and half of another part.
    rmSync(join(dist, 'edge/lua'), { recursive: true });
    writeFileSync(join(dist, 'api/main.js'), 'second');
    writeFileSync(join(dist, 'api/main.js.map'), 'map');
    mkdirSync(join(dist, 'edge/lua'));
    writeFileSync(join(dist, 'edge/lua/main.lua'), 'first');
    expect(parts.api.restart).not.toHaveBeenCalled();
    writeFileSync(join(dist, '.build-done'), '1');
    await vi.waitFor(() => expect(parts.api.restart).toHaveBeenCalledTimes(1));
    expect(parts.edge.restart).not.toHaveBeenCalled();
    writeFileSync(join(dist, 'edge/lua/main.lua'), 'second');
    writeFileSync(join(dist, '.build-done'), '2');
    await vi.waitFor(() => expect(parts.edge.restart).toHaveBeenCalledTimes(1));
    expect(parts.api.restart).toHaveBeenCalledTimes(1);
  } finally {
    watcher.close();
  }
});
