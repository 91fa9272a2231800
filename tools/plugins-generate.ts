import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { checkTogether } from './plugins/check-together.ts';
import { findNames } from './plugins/find-names.ts';
import { loadPlugins } from './plugins/load-plugins.ts';
import { findDrift, renderRegistry, writeRegistry } from './plugins/registry.ts';

/**
 * `tsx tools/plugins-generate.ts [--check] [--plugins <dir>]`: writes the registry from the plugins' folders; with
 * `--check` writes nothing and fails on drift and on everything that makes a plugin unfit to ship.
 */
const repositoryDir = resolve(fileURLToPath(import.meta.url), '../..');
const { values } = parseArgs({ options: { check: { type: 'boolean', default: false }, plugins: { type: 'string' } } });
const pluginsDir = resolve(values.plugins ?? join(repositoryDir, 'packages/plugins'));
const generatedDir = join(pluginsDir, 'generated');

const { plugins, faults: unreadable } = await loadPlugins(pluginsDir);
const registry = renderRegistry(plugins);
const faults = [...unreadable, ...checkTogether(plugins)];
if (values.check) {
  // Only now, because it brings the TypeScript compiler along.
  const { checkPlugin } = await import('./plugins/check-plugin.ts');
  const names = plugins.map(({ folder }) => folder);
  faults.push(
    ...plugins.flatMap(checkPlugin),
    // Plugins that stand elsewhere are not named here.
    ...(values.plugins === undefined ? findNames(names, repositoryDir) : []),
    ...findDrift(registry, generatedDir),
  );
} else if (faults.length === 0) {
  writeRegistry(registry, generatedDir);
}

for (const fault of faults) console.error(fault);
if (faults.length > 0) process.exitCode = 1;
else
  console.log(
    `${plugins.length} ${plugins.length === 1 ? 'plugin' : 'plugins'} ${values.check ? 'checked' : 'registered'}`,
  );
