import { createHash } from 'node:crypto';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { emitLua } from '@cordon/plugin-kit/lua';

const root = resolve(fileURLToPath(import.meta.url), '../../..');
const entry = join(root, 'apps/edge/src/runner/main.ts');
const declarations = join(root, 'apps/edge/src/runner/nginx.d.ts');

/** What modules of the runner know of LuaJIT and nginx. */
export const runnerTypes = {
  types: ['lua-types/jit', '@typescript-to-lua/language-extensions'],
  declarations: [declarations],
};

interface Stamp {
  /** Relative to the repository's root, so that a stamp from another copy of it is checked against the files here. */
  readonly files: readonly string[];
  readonly hash: string;
}

function hashFiles(files: readonly string[]): string {
  const hash = createHash('sha256');
  for (const name of files) {
    const path = join(root, name);
    hash
      .update(name)
      .update('\0')
      .update(existsSync(path) ? readFileSync(path) : '');
  }
  return hash.digest('hex');
}

/**
 * Emits the runner and the plugins' handlers as Lua into `outDir`, unless what is there was made of the same sources.
 * By the stamp it leaves, the agent also sees whether a running nginx has loaded the same Lua.
 */
export async function buildLua(outDir: string): Promise<void> {
  const stampFile = join(outDir, '.stamp.json');
  if (existsSync(stampFile)) {
    const stamp = JSON.parse(readFileSync(stampFile, 'utf8')) as Stamp;
    if (stamp.hash === hashFiles(stamp.files)) return;
  }
  rmSync(outDir, { recursive: true, force: true });
  const emitted = emitLua({ entries: [entry], outDir, ...runnerTypes });
  const makers = [fileURLToPath(import.meta.url), join(root, 'packages/plugin-kit/src/lua/emit-lua.ts')];
  const files = [...emitted, declarations, ...makers].map((path) => relative(root, path));
  writeFileSync(stampFile, JSON.stringify({ files, hash: hashFiles(files) } satisfies Stamp));
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  await buildLua(resolve(process.argv[2] ?? join(root, 'dist/edge/lua')));
}
