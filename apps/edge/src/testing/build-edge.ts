import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { buildAsnDatabase } from '../../asn-database/build-asn-database.ts';
import { buildLua } from '../../build-lua.ts';

const root = resolve(fileURLToPath(import.meta.url), '../../../../..');
const cache = join(root, 'node_modules/.cache/cordon-edge');
const BUILT = 'CORDON_TEST_EDGE_BUILT';

export const luaDir = join(cache, 'lua');
/** As deep below the root as its source: from where it lies the agent finds nginx's template. */
export const agentFile = join(cache, 'agent/agent.js');

/** The Lua and the agent that test edges run. What a run of tests has built once is not looked at again. */
export async function buildEdge(): Promise<void> {
  if (process.env[BUILT]) return;
  await buildLua(luaDir);
  // Where the agent finds it from the sources.
  await buildAsnDatabase(join(root, 'dist/edge/asn.mmdb'));
  await build({
    entryPoints: [join(root, 'apps/edge/src/agent/main.ts')],
    outfile: agentFile,
    bundle: true,
    platform: 'node',
    target: 'node20',
    format: 'esm',
    sourcemap: 'inline',
    logLevel: 'error',
    plugins: [
      {
        name: 'external-packages',
        setup({ onResolve }) {
          onResolve({ filter: /^[^./]/ }, ({ path, kind }) =>
            kind === 'entry-point' || path.startsWith('@cordon/') ? undefined : { path, external: true },
          );
        },
      },
    ],
  });
  process.env[BUILT] = '1';
}

/** Builds before the workers of a run start, which get the environment. */
export default buildEdge;
