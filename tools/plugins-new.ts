import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { PHASES, type Phase } from '@cordon/plugin-kit';
import { loadPlugins } from './plugins/load-plugins.ts';
import { renderTemplates } from './plugins/templates.ts';

/** `tsx tools/plugins-new.ts <name> [--phase <phase>] [--plugins <dir>]`: makes the folder of a new plugin. */
const USAGE = `usage: npm run plugins:new -- <name> [--phase ${PHASES.join('|')}]`;
const repositoryDir = resolve(fileURLToPath(import.meta.url), '../..');

function fail(reason: string): never {
  console.error(reason);
  process.exit(1);
}

const isPhase = (text: string): text is Phase => (PHASES as readonly string[]).includes(text);

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { phase: { type: 'string', default: 'access' }, plugins: { type: 'string' } },
});
const [name] = positionals;
const { phase } = values;
if (positionals.length !== 1 || name === undefined) fail(USAGE);
if (!/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(name) || name === 'generated')
  fail(`${name} is not a kebab-case name\n${USAGE}`);
if (!isPhase(phase)) fail(`there is no phase ${phase}\n${USAGE}`);

const pluginsDir = resolve(values.plugins ?? join(repositoryDir, 'packages/plugins'));
const folder = join(pluginsDir, name);
if (existsSync(folder)) fail(`${relative(process.cwd(), folder)} exists already`);

const { plugins } = await loadPlugins(pluginsDir);
const orders = plugins.filter(({ definition }) => definition.phase === phase).map(({ definition }) => definition.order);
// Steps of ten leave room between neighbours.
const order = Math.max(0, ...orders) + 10;

const files = renderTemplates({ name, phase, order });
console.log(`Made ${relative(process.cwd(), folder)}. To fill in:`);
for (const [path, content] of files) {
  const file = join(folder, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, content);
  for (const [index, line] of content.split('\n').entries()) {
    const todo = line.split('TODO ')[1];
    if (todo !== undefined) console.log(`  ${relative(process.cwd(), file)}:${index + 1}  ${todo.replace(/",?$/, '')}`);
  }
}
console.log(
  `Then: npm run plugins:generate, npx vitest run --project unit ${relative(repositoryDir, folder)}, npm run plugins:generate -- --check`,
);
