import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

/** `tsx tools/check.ts [name …]`: everything that needs no running part, side by side; prints only what fails. */
const root = resolve(fileURLToPath(import.meta.url), '../..');
const OUTPUT_CHARACTERS_MAX = 20_000;

interface Check {
  readonly name: string;
  /** Arguments for Node. */
  readonly args: readonly string[];
}

const script = (...path: string[]) => join(root, 'node_modules', ...path);
const tsx = (file: string, ...rest: string[]) => [script('tsx/dist/cli.mjs'), join(root, file), ...rest];
const optional = (name: string, file: string): Check[] =>
  existsSync(join(root, file)) ? [{ name, args: tsx(file) }] : [];

const workspaces = [
  ...['packages/contract', 'packages/plugin-kit', 'packages/plugins'],
  ...['apps/api', 'apps/console', 'apps/edge', 'apps/standalone', '.'],
];

/** A workspace may hold several programs (the edge: Node and Lua), each with a tsconfig of its own. */
const typeChecks = workspaces.flatMap((workspace) =>
  ['tsconfig.json', 'tsconfig.agent.json', 'tsconfig.runner.json']
    .filter((file) => existsSync(join(root, workspace, file)))
    .map((file) => ({
      name: `types:${workspace}${file === 'tsconfig.json' ? '' : `/${file}`}`,
      args: [script('@typescript/native/bin/tsc'), '-p', join(root, workspace, file)],
    })),
);

const checks: readonly Check[] = [
  ...typeChecks,
  { name: 'lint', args: [script('@biomejs/biome/bin/biome'), 'check', '--max-diagnostics=100', '.'] },
  {
    name: 'boundaries',
    args: [
      script('dependency-cruiser/bin/dependency-cruise.mjs'),
      ...['--config', '.dependency-cruiser.cjs', '--output-type', 'err', 'apps', 'packages'],
    ],
  },
  { name: 'folders', args: tsx('tools/check-folders.ts') },
  { name: 'doc-paths', args: tsx('tools/check-doc-paths.ts') },
  { name: 'plugins', args: tsx('tools/plugins-generate.ts', '--check') },
  ...optional('messages', 'tools/check-messages.ts'),
  { name: 'glossary', args: tsx('tools/check-glossary.ts') },
  ...optional('budgets', 'tools/check-budgets.ts'),
  { name: 'spec-coverage', args: tsx('tools/check-spec-coverage.ts') },
  { name: 'unused', args: [script('knip/bin/knip.js'), '--no-progress'] },
];

/** As many as there are processors would starve the one slow check; TypeScript 7 uses several threads itself. */
const AT_ONCE = 3;

function run(check: Check): Promise<{ name: string; output: string; hasFailed: boolean }> {
  return new Promise((done) => {
    const options = {
      cwd: root,
      maxBuffer: 64 * 1024 * 1024,
      env: { ...process.env, NO_COLOR: '1', FORCE_COLOR: '0' },
    };
    execFile(process.execPath, [...check.args], options, (error, stdout, stderr) => {
      done({ name: check.name, output: `${stdout}${stderr}`.trim(), hasFailed: error !== null });
    });
  });
}

const names = process.argv.slice(2);
const wanted = checks.filter(({ name }) => names.length === 0 || names.some((each) => name.startsWith(each)));
const startedAt = performance.now();
const waiting = [...wanted];
const failed: string[] = [];
const secondsOf = new Map<string, number>();
await Promise.all(
  Array.from({ length: AT_ONCE }, async () => {
    for (let check = waiting.shift(); check; check = waiting.shift()) {
      const checkStartedAt = performance.now();
      const { name, output, hasFailed } = await run(check);
      secondsOf.set(name, (performance.now() - checkStartedAt) / 1000);
      if (!hasFailed) continue;
      failed.push(name);
      const shown = output.length > OUTPUT_CHARACTERS_MAX ? `${output.slice(0, OUTPUT_CHARACTERS_MAX)}\n…` : output;
      console.log(`── ${name} ──\n${shown}\n`);
    }
  }),
);
const slowest = [...secondsOf]
  .sort(([, a], [, b]) => b - a)
  .slice(0, 3)
  .map(([name, seconds]) => `${name} ${seconds.toFixed(1)} s`)
  .join(', ');
const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
console.log(
  failed.length === 0
    ? `${wanted.length} checks passed in ${seconds} s (${slowest})`
    : `${failed.length} of ${wanted.length} checks failed in ${seconds} s (${slowest}): ${failed.sort().join(', ')}`,
);
process.exitCode = failed.length === 0 && wanted.length > 0 ? 0 : 1;
