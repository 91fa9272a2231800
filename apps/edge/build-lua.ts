import { createHash } from 'node:crypto';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { emitLua } from '@cordon/plugin-kit/lua';

const root = resolve(fileURLToPath(import.meta.url), '../../..');
const entry = join(root, 'apps/edge/src/runner/main.ts');
const declarations = join(root, 'apps/edge/src/runner/nginx.d.ts');

interface Stamp {
  readonly files: readonly string[];
  readonly hash: string;
}

function hashFiles(files: readonly string[]): string {
  const hash = createHash('sha256');
  for (const name of files)
    hash
      .update(name)
      .update('\0')
      .update(existsSync(name) ? readFileSync(name) : '');
  return hash.digest('hex');
}

/**
 * Emits the runner and the plugins' handlers as Lua into `outDir`, unless what is there was made of the same sources.
 * The stamp it leaves also tells the agent whether a running nginx has loaded the same Lua.
 */
export async function buildLua(outDir: string): Promise<void> {
  const stampFile = join(outDir, '.stamp.json');
  if (existsSync(stampFile)) {
    const stamp = JSON.parse(readFileSync(stampFile, 'utf8')) as Stamp;
    if (stamp.hash === hashFiles(stamp.files)) return;
  }
  rmSync(outDir, { recursive: true, force: true });
  const emitted = emitLua({
    entries: [entry],
    outDir,
    types: ['lua-types/jit', '@typescript-to-lua/language-extensions'],
    declarations: [declarations],
  });
  const files = [...emitted, declarations, fileURLToPath(import.meta.url)];
  writeFileSync(stampFile, JSON.stringify({ files, hash: hashFiles(files) } satisfies Stamp));
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  await buildLua(resolve(process.argv[2] ?? join(root, 'dist/edge/lua')));
}
