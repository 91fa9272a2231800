import { cpSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync, watch, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build as esbuild, type Plugin } from 'esbuild';
import { buildInputs, builtHashFile, inputHash, type Part, readBuilt, staleParts } from './build-inputs.mjs';

/** `tsx tools/build.ts [--force] [--watch] [part …]`: builds the parts whose sources changed since their last build. */
const root = resolve(fileURLToPath(import.meta.url), '../..');
/** Written when all programs of a build are there; supervisors watch it (apps/standalone/src/restart-on-build.ts). */
const DONE_FILE = 'dist/.build-done';

const nodeEntries: Readonly<Record<string, string>> = {
  'api/main': 'apps/api/src/main.ts',
  'api/operator': 'apps/api/src/operator.ts',
  'edge/agent': 'apps/edge/src/agent/main.ts',
  'standalone/main': 'apps/standalone/src/main.ts',
  'standalone/clickhouse': 'apps/standalone/src/clickhouse.ts',
  'standalone/name-server': 'apps/standalone/src/name-server.ts',
};

/** Workspaces are bundled from source; everything from npm stays in node_modules (native addons, license texts). */
const externalPackages: Plugin = {
  name: 'external-packages',
  setup(build) {
    build.onResolve({ filter: /^[^./]/ }, ({ path, kind }) => {
      if (kind === 'entry-point' || path.startsWith('@cordon/')) return undefined;
      return { path, external: true };
    });
  },
};

async function buildNode(): Promise<void> {
  const entries = Object.entries(nodeEntries).filter(([, source]) => existsSync(join(root, source)));
  for (const [name, source] of Object.entries(nodeEntries)) {
    if (!existsSync(join(root, source))) console.warn(`${name} is left out: ${source} does not exist yet`);
  }
  await esbuild({
    absWorkingDir: root,
    entryPoints: Object.fromEntries(entries.map(([name, source]) => [name, join(root, source)])),
    outdir: 'dist',
    bundle: true,
    platform: 'node',
    target: 'node20',
    format: 'esm',
    sourcemap: true,
    plugins: [externalPackages],
    logLevel: 'warning',
    // Dependencies written as CommonJS find `require` through this; our own code never uses it.
    banner: {
      js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);",
    },
  });
}

async function buildEdge(): Promise<void> {
  const script = join(root, 'apps/edge/build-lua.ts');
  if (!existsSync(script)) return;
  const { buildLua } = (await import(pathToFileURL(script).href)) as { buildLua(outDir: string): Promise<void> | void };
  await buildLua(join(root, 'dist/edge/lua'));
  const database = join(root, 'apps/edge/asn-database/build-asn-database.ts');
  const { buildAsnDatabase } = (await import(pathToFileURL(database).href)) as {
    buildAsnDatabase(file: string): Promise<void>;
  };
  await buildAsnDatabase(join(root, 'dist/edge/asn.mmdb'));
}

async function buildConsole(): Promise<void> {
  const configFile = join(root, 'apps/console/vite.config.ts');
  if (!existsSync(configFile)) return;
  const { build } = await import('vite');
  await build({ root: dirname(configFile), configFile, logLevel: 'warn', build: { reportCompressedSize: false } });
}

/** Migrations that plugins bring, each below the plugin's name. */
function pluginMigrations(): [string, string][] {
  rmSync(join(root, 'dist/api/plugins'), { recursive: true, force: true });
  return readdirSync(join(root, 'packages/plugins')).map((plugin) => [
    `packages/plugins/${plugin}/migrations`,
    `dist/api/plugins/${plugin}/migrations`,
  ]);
}

function copyFiles(): void {
  for (const [from, to] of [
    ['apps/api/migrations', 'dist/api/migrations'],
    ['apps/api/clickhouse', 'dist/api/clickhouse'],
    ['apps/edge/nginx', 'dist/edge/nginx'],
    ...pluginMigrations(),
  ] as const) {
    if (!existsSync(join(root, from))) continue;
    rmSync(join(root, to), { recursive: true, force: true });
    cpSync(join(root, from), join(root, to), { recursive: true });
  }
}

const steps: Readonly<Record<Part, () => Promise<void> | void>> = {
  node: buildNode,
  edge: buildEdge,
  console: buildConsole,
  files: copyFiles,
};

/** Builds the given parts side by side and notes what they were built from. Throws after all of them have ended. */
export async function buildParts(parts: readonly Part[]): Promise<void> {
  mkdirSync(join(root, 'dist'), { recursive: true });
  const runs = parts.map((part) => ({ part, done: buildPart(part) }));
  const outcomes = Promise.allSettled(runs.map(({ done }) => done));
  // The console's files take longest, and nothing has to be started again for them.
  const programs = await Promise.allSettled(runs.filter(({ part }) => part !== 'console').map(({ done }) => done));
  if (programs.every(({ status }) => status === 'fulfilled')) {
    writeFileSync(join(root, DONE_FILE), new Date().toISOString());
  }
  const failed = (await outcomes).flatMap((outcome, at) =>
    outcome.status === 'rejected' ? [`${parts[at]}: ${describe(outcome.reason)}`] : [],
  );
  if (failed.length > 0) throw new Error(`Build failed.\n${failed.join('\n')}`);
}

async function buildPart(part: Part): Promise<void> {
  // Taken before: a file saved while the build runs makes the part stale again.
  const hash = inputHash(root, part);
  await steps[part]();
  const file = join(root, builtHashFile);
  writeFileSync(`${file}.${process.pid}`, JSON.stringify({ ...readBuilt(root), [part]: hash }));
  renameSync(`${file}.${process.pid}`, file);
}

function describe(reason: unknown): string {
  return reason instanceof Error ? reason.message : String(reason);
}

function watchParts(): void {
  let timer: NodeJS.Timeout | undefined;
  let running = Promise.resolve();
  const rebuild = () => {
    running = running.then(async () => {
      const parts = staleParts(root);
      if (parts.length === 0) return;
      await buildParts(parts).then(
        () => console.log(`built ${parts.join(', ')}`),
        (error: unknown) => console.error(describe(error)),
      );
    });
  };
  for (const input of new Set(Object.values(buildInputs).flat())) {
    if (!existsSync(join(root, input))) continue;
    watch(join(root, input), { recursive: true }, () => {
      clearTimeout(timer);
      timer = setTimeout(rebuild, 100);
    });
  }
}

const flags = process.argv.slice(2).filter((argument) => argument.startsWith('--'));
const named = process.argv.slice(2).filter((argument) => !argument.startsWith('--')) as Part[];
const all = Object.keys(steps) as Part[];
const wanted = flags.includes('--force') ? (named.length > 0 ? named : all) : staleParts(root);
const parts = wanted.filter((part) => named.length === 0 || named.includes(part));

if (flags.includes('--watch')) watchParts();
try {
  const startedAt = performance.now();
  if (parts.length > 0) {
    await buildParts(parts);
    console.log(`built ${parts.join(', ')} in ${((performance.now() - startedAt) / 1000).toFixed(1)} s`);
  }
} catch (error) {
  console.error(describe(error));
  process.exitCode = 1;
}
