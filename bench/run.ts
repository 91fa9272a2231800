import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * `npm run bench [-- name [argument …]]`: every script of this folder in turn, or the named one with its arguments. A
 * figure is worth noting only from a machine that does nothing else: the load before each is printed.
 */
const folder = dirname(fileURLToPath(import.meta.url));
/** What a script starts as a process of its own is no benchmark. */
const names = readdirSync(folder)
  .filter((file) => /^[a-z-]+\.ts$/.test(file) && file !== 'run.ts' && !file.endsWith('-server.ts'))
  .map((file) => file.slice(0, -'.ts'.length))
  .sort();

const [wanted, ...args] = process.argv.slice(2);
if (wanted !== undefined && !names.includes(wanted)) {
  process.stderr.write(`Unknown benchmark ${wanted}: use ${names.join(', ')}.\n`);
  process.exit(1);
}

async function run(name: string): Promise<boolean> {
  const load = loadavg()[0]?.toFixed(1);
  process.stdout.write(
    `\n━━ ${name} ━━ ${cpus().length} cores, load ${load}, Node ${process.versions.node}, ${new Date().toISOString()}\n`,
  );
  const startedAt = performance.now();
  const child = spawn(process.execPath, [...process.execArgv, join(folder, `${name}.ts`), ...args], {
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  const stop = () => child.kill('SIGINT');
  process.once('SIGINT', stop);
  const [code] = (await once(child, 'exit')) as [number | null];
  process.off('SIGINT', stop);
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(0);
  process.stdout.write(`${name}: ${code === 0 ? 'done' : `failed (${code ?? 'killed'})`} in ${seconds} s\n`);
  return code === 0;
}

const failed: string[] = [];
for (const name of wanted === undefined ? names : [wanted]) {
  if (!(await run(name))) failed.push(name);
}
if (failed.length > 0) {
  process.stderr.write(`Failed: ${failed.join(', ')}\n`);
  process.exitCode = 1;
}
