import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, constants } from 'node:zlib';
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';
import { API_BASE, operations } from '../../packages/contract/src/api.ts';

const outDir = fileURLToPath(new URL('../../dist/console', import.meta.url));
const BROTLI_MINIMUM_BYTES = 1024;

const SLIM_API = 'virtual:cordon-slim-api';

/**
 * The client needs only method and path of each operation; their zod schemas would cost the shell 40 kB. Forms still
 * import the whole contract, and are loaded with their dialogs.
 */
function slimOperations(): Plugin {
  const slim = Object.fromEntries(
    Object.entries(operations).map(([name, { method, path }]) => [name, { method, path }]),
  );
  return {
    name: 'cordon:slim-operations',
    enforce: 'pre',
    apply: 'build',
    resolveId(source, importer) {
      const isFromClient = source === './api.ts' && importer?.endsWith('/packages/contract/src/client.ts');
      return isFromClient || source === SLIM_API ? `\0${SLIM_API}` : undefined;
    },
    transform(code, id) {
      // Whoever imports the constant alone must not get the schemas with it.
      if (!id.endsWith('/packages/contract/src/api.ts')) return;
      return code.replace(/^export const API_BASE = .*$/m, `export { API_BASE } from '${SLIM_API}';`);
    },
    load(id) {
      if (id !== `\0${SLIM_API}`) return;
      return `export const API_BASE = ${JSON.stringify(API_BASE)};\nexport const operations = ${JSON.stringify(slim)};\n`;
    },
  };
}

/**
 * A constant that lives beside schemas must not bring them, and zod, into a screen that checks nothing: each schema of
 * the contract is made in a function marked pure, so that it is dropped where nobody uses it.
 */
function pureSchemas(): Plugin {
  return {
    name: 'cordon:pure-schemas',
    apply: 'build',
    transform(code, id) {
      if (!/\/packages\/contract\/src\/.*\.ts$/.test(id)) return;
      const calls = this.parse(code).body.flatMap((statement) => {
        const declaration = statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement;
        if (declaration?.type !== 'VariableDeclaration') return [];
        return declaration.declarations.flatMap(({ init }) => (init?.type === 'CallExpression' ? [init] : []));
      });
      // From the end, so that the places before stay where they are.
      return calls.reverse().reduce((text, { start, end }) => {
        return `${text.slice(0, start)}/* @__PURE__ */ (() => ${text.slice(start, end)})()${text.slice(end)}`;
      }, code);
    },
  };
}

/** Writes `.br` beside every text file, so that the server never compresses by itself. */
function precompress(): Plugin {
  const compress = promisify(brotliCompress);
  return {
    name: 'cordon:precompress',
    apply: 'build',
    async writeBundle({ dir = outDir }) {
      const files = await readdir(dir, { recursive: true });
      await Promise.all(
        files
          .filter((file) => /\.(js|css|html|svg|json)$/.test(file))
          .map(async (file) => {
            const content = await readFile(join(dir, file));
            if (content.length < BROTLI_MINIMUM_BYTES) return;
            await writeFile(
              join(dir, `${file}.br`),
              await compress(content, { params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY } }),
            );
          }),
      );
    },
  };
}

export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  plugins: [slimOperations(), pureSchemas(), react(), tailwindcss(), precompress()],
  define: { __BUILD_TIME__: JSON.stringify(new Date().toISOString()) },
  build: {
    outDir,
    emptyOutDir: true,
    manifest: true,
    target: 'es2023',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      input: ['index.html', 'silent.html'].map((page) => fileURLToPath(new URL(page, import.meta.url))),
      // The contract's modules have no effects of their own: what is not imported is left out, zod schemas first.
      treeshake: {
        moduleSideEffects: [{ test: /packages\/contract\/src\//, sideEffects: false }],
      },
      output: {
        codeSplitting: {
          includeDependenciesRecursively: false,
          groups: [
            // Small parts that several screens share stay out of the screens' own chunks.
            // Few requests before the first paint: what both programs need, and what the console needs.
            {
              name: 'react',
              test: /node_modules\/(react|react-dom|scheduler|use-intl|intl-messageformat|@formatjs|clsx)\//,
            },
            {
              name: 'console-libraries',
              test: /node_modules\/(@tanstack|oidc-client-ts|jwt-decode|use-sync-external-store)\//,
            },
            { name: 'zod', test: /node_modules\/zod\// },
            { name: 'form-library', test: /node_modules\/(react-hook-form|@hookform)\// },
            {
              name: 'chart-parts',
              test: /src\/ui\/charts\/(chart-types|time-series-chart|bar-list|stacked-bar|world-map)\.tsx?$/,
            },
          ],
        },
      },
    },
  },
  server: {
    port: 5173,
    strictPort: true,
    proxy: Object.fromEntries(['/api', '/auth'].map((path) => [path, { target: 'http://127.0.0.1:8000', ws: true }])),
  },
});
