import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { PluginCase } from '../cases.ts';
import { bytesOfText } from '../edge/byte-text.ts';
import { type EmitLuaOptions, emitLua } from '../lua/emit-lua.ts';
import type { PluginDefinition } from '../plugin.ts';
import { inShapeOf, readOutcome } from './case-outcome.ts';
import { toPlainCase } from './run-case.ts';

const testingDir = dirname(fileURLToPath(import.meta.url));
const repositoryDir = resolve(testingDir, '../../../..');
const FIELD_END = '\u001f';
const RECORD_END = '\u001e';

/** Plain data as a Lua expression; undefined and null become nil. */
export function toLuaLiteral(value: unknown): string {
  if (value === undefined || value === null) return 'nil';
  if (typeof value === 'boolean' || typeof value === 'number') return String(value);
  if (typeof value === 'string') {
    // Decimal escapes of the bytes mean the same in every Lua.
    return `"${Array.from(Buffer.from(bytesOfText(value), 'latin1'), (byte) => (/[\w ./:?=&-]/.test(String.fromCharCode(byte)) ? String.fromCharCode(byte) : `\\${String(byte).padStart(3, '0')}`)).join('')}"`;
  }
  if (Array.isArray(value)) return `{${value.map(toLuaLiteral).join(',')}}`;
  return `{${Object.entries(value as object)
    .map(([key, entry]) => `[${toLuaLiteral(key)}]=${toLuaLiteral(entry)}`)
    .join(',')}}`;
}

/** Name by which an emitted module is required. */
export const luaModuleName = (file: string) =>
  relative(repositoryDir, file)
    .replace(/\.tsx?$/, '')
    .replaceAll('/', '.');

/**
 * Emits the modules as Lua and runs the script under LuaJIT in one process, with the modules on its path. Returns what
 * the script printed. Throws when LuaJIT is not installed or the script fails.
 */
export function runUnderLuaJit(
  entries: readonly string[],
  script: string,
  needed: Pick<EmitLuaOptions, 'types' | 'declarations'> = {},
): string {
  const outDir = mkdtempSync(join(tmpdir(), 'cordon-lua-'));
  try {
    emitLua({ entries, outDir, ...needed });
    return runScript(outDir, script);
  } finally {
    rmSync(outDir, { recursive: true, force: true });
  }
}

/** Runs the script under LuaJIT with the modules emitted into `moduleDir` on its path; returns what it printed. */
function runScript(moduleDir: string, script: string): string {
  const scriptFile = join(moduleDir, 'script.lua');
  writeFileSync(scriptFile, `package.path = ${toLuaLiteral(`${moduleDir}/?.lua`)}\n${script}`);
  for (const program of ['luajit', 'luajit2']) {
    try {
      return execFileSync(program, [scriptFile], { encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    }
  }
  throw new Error('LuaJIT is not installed: on Debian and Ubuntu, apt-get install luajit');
}

/** By the folder of the plugins, where all of them were emitted; undefined where one of them has a fault. */
const emissions = new Map<string, string | undefined>();

/** Emits all plugins next to this one at once, for all test files of this worker: types are checked once, not once for each. */
function emitNeighbours(edgeFile: string, runnerFile: string): string | undefined {
  const folder = dirname(dirname(edgeFile));
  if (emissions.has(folder)) return emissions.get(folder);
  // Written anew by each run: a test worker gets no notice of its end at which it could remove it.
  const outDir = join(repositoryDir, 'node_modules/.cache/cordon-lua', process.env.VITEST_POOL_ID ?? '0');
  rmSync(outDir, { recursive: true, force: true });
  const edgeFiles = readdirSync(folder)
    .map((name) => join(folder, name, 'edge.ts'))
    .filter((file) => existsSync(file));
  let emitted: string | undefined = outDir;
  try {
    emitLua({ entries: [runnerFile, ...edgeFiles], outDir });
  } catch {
    // The fault of one plugin fails its own tests only: each emits itself.
    emitted = undefined;
  }
  emissions.set(folder, emitted);
  return emitted;
}

/**
 * Emits the plugin's `edge.ts` and runs all cases through it under LuaJIT. Returns what really happened, in the order
 * of the cases; each is equal to its `expect` when all is well.
 */
export function runCasesUnderLuaJit(
  definition: PluginDefinition,
  edgeFile: string,
  cases: readonly PluginCase<unknown>[],
): PluginCase<unknown>['expect'][] {
  const runnerFile = join(testingDir, 'case-runner.ts');
  const script = [
    `local runner = require(${toLuaLiteral(luaModuleName(runnerFile))})`,
    `local edge = require(${toLuaLiteral(luaModuleName(edgeFile))})`,
    'local cases = {}',
    ...cases.map(
      (pluginCase, index) =>
        `cases[${index + 1}] = function() return ${toLuaLiteral(toPlainCase(definition, pluginCase))} end`,
    ),
    'for _, case in ipairs(cases) do',
    '  local outcome = runner.runPlainCase(nil, edge.handler, case())',
    `  io.write(table.concat(outcome, ${toLuaLiteral(FIELD_END)}), ${toLuaLiteral(RECORD_END)})`,
    'end',
  ].join('\n');
  const moduleDir = emitNeighbours(edgeFile, runnerFile);
  const printed =
    moduleDir === undefined ? runUnderLuaJit([runnerFile, edgeFile], script) : runScript(moduleDir, script);
  const records = printed.split(RECORD_END).slice(0, -1);
  return cases.map((pluginCase, index) => {
    return inShapeOf(readOutcome((records[index] ?? 'nothing').split(FIELD_END)), pluginCase.expect);
  });
}
