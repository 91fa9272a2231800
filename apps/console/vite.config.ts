import { readFileSync } from 'node:fs';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, constants } from 'node:zlib';
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { build, defineConfig, type Plugin, type Rolldown } from 'vite';
import { API_BASE, operations } from '../../packages/contract/src/api/api.ts';
import type { Operation } from '../../packages/contract/src/operation.ts';
import { pluginOperations } from '../../packages/plugins/generated/operations.ts';
import { type Catalog, compileCatalog } from './compile-catalog.ts';

type ChunkingContext = Rolldown.ChunkingContext;

const outDir = fileURLToPath(new URL('../../dist/console', import.meta.url));
const BROTLI_MINIMUM_BYTES = 1024;

const SLIM_API = 'virtual:cordon-slim-api';
const SLIM_PLUGIN_API = 'virtual:cordon-slim-plugin-api';

/** Code that makes the operations: their paths by what else they have, which many share. */
function slim(all: Readonly<Record<string, Operation>>): string {
  const groups = new Map<string, Record<string, string>>();
  for (const [name, { auth, method, path, streams, scope, looks, once, ifMatch }] of Object.entries(all)) {
    if (auth === 'machine') continue;
    const scopes = [scope].flat();
    const isRead = method !== 'GET' && scopes.every((one) => one?.endsWith(':read'));
    const kind = { method, streams, looks, once, ifMatch, scope: isRead ? scopes[0] : undefined };
    const paths = groups.get(JSON.stringify(kind)) ?? {};
    groups.set(JSON.stringify(kind), paths);
    paths[name] = path;
  }
  const kinds = [...groups].map(([kind, paths]) => [JSON.parse(kind), paths]);
  return `Object.fromEntries(${JSON.stringify(kinds)}.flatMap(([kind, paths]) =>
    Object.entries(paths).map(([name, path]) => [name, { ...kind, path }])))`;
}

/**
 * The client needs only method and path of each operation but those of nodes, and the scope of what reads by another method; their zod schemas would cost the shell 40 kB. Forms still
 * import the whole contract, and the calls of plugins, and are loaded with their dialogs.
 */
function slimOperations(): Plugin {
  return {
    name: 'cordon:slim-operations',
    enforce: 'pre',
    apply: 'build',
    resolveId(source, importer) {
      if (source === '@cordon/plugins/operations' && importer?.endsWith('/src/app/api-client.ts'))
        return `\0${SLIM_PLUGIN_API}`;
      const isFromClient = source === './api.ts' && importer?.endsWith('/packages/contract/src/api/client.ts');
      return isFromClient || source === SLIM_API ? `\0${SLIM_API}` : undefined;
    },
    transform(code, id) {
      // An import of the constant alone must not bring the schemas with it.
      if (!id.endsWith('/packages/contract/src/api/api.ts')) return;
      return code.replace(/^export const API_BASE = .*$/m, `export { API_BASE } from '${SLIM_API}';`);
    },
    load(id) {
      if (id === `\0${SLIM_PLUGIN_API}`) return `export const pluginOperations = ${slim(pluginOperations)};\n`;
      if (id !== `\0${SLIM_API}`) return;
      return `export const API_BASE = ${JSON.stringify(API_BASE)};\nexport const operations = ${slim(operations)};\n`;
    },
  };
}

/** What reads one page after the other comes with the client of queries to the shell, for screens of which there is none. */
function withoutInfiniteQueries(): Plugin {
  return {
    name: 'cordon:without-infinite-queries',
    enforce: 'pre',
    apply: 'build',
    transform(code, id) {
      if (!id.includes('/query-core/') || !id.endsWith('/query.js')) return;
      return code.replace(/^import \{ infiniteQueryBehavior \} .*$/m, 'const infiniteQueryBehavior = undefined;');
    },
  };
}

/**
 * A constant that lives beside schemas must not bring them, and zod, into a screen that checks nothing: each schema of
 * the contract is made in a function marked pure, so that it is dropped where it is not used.
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

/** What a call of a method has in a syntax tree. */
interface MethodCall {
  readonly type?: 'CallExpression';
  readonly callee?: { readonly property?: { readonly name?: string }; readonly object: { readonly end: number } };
  readonly end: number;
}

/** Every part of a syntax tree. */
function* partsOf(node: object): Generator<MethodCall> {
  yield node as MethodCall;
  for (const value of Object.values(node)) if (typeof value === 'object' && value !== null) yield* partsOf(value);
}

/** Descriptions of schemas are for the API's documents: a console that loads one needs none of their sentences. */
function withoutDescriptions(): Plugin {
  return {
    name: 'cordon:without-descriptions',
    apply: 'build',
    transform(code, id) {
      if (!/\/packages\/(contract|plugin-kit|plugins)\/.*\.ts$/.test(id) || !code.includes('.describe(')) return;
      const ranges = [...partsOf(this.parse(code))].flatMap(({ type, callee, end }) =>
        type === 'CallExpression' && callee?.property?.name === 'describe' ? [{ start: callee.object.end, end }] : [],
      );
      // From the end, so that the places before stay where they are.
      ranges.sort((one, other) => other.end - one.end);
      return ranges.reduce((text, { start, end }) => text.slice(0, start) + text.slice(end), code);
    },
  };
}

/** What forms, which check what is sent, need nothing of. */
const OF_ANSWERS = new Set(['ok', 'okMinimal', 'summary']);

/** A property in a syntax tree. */
interface Property {
  readonly type?: string;
  readonly key?: { readonly name?: string };
  readonly start: number;
  readonly end: number;
}

/** The schemas of answers are for the API: a form that checks by the operation's body would bring them all. */
function withoutAnswers(): Plugin {
  return {
    name: 'cordon:without-answers',
    apply: 'build',
    transform(code, id) {
      if (!/\/packages\/contract\/src\/operations\/[^/]*\.ts$/.test(id)) return;
      const ranges = [...partsOf(this.parse(code))].flatMap((part) => {
        const { type, key, start, end } = part as Property;
        return type === 'Property' && OF_ANSWERS.has(key?.name ?? '') ? [{ start, end }] : [];
      });
      // From the end, so that the places before stay where they are.
      ranges.sort((one, other) => other.end - one.end);
      return ranges.reduce((text, { start, end }) => {
        return text.slice(0, start) + text.slice(end).replace(/^\s*,/, '');
      }, code);
    },
  };
}

const source = (path: string) => fileURLToPath(new URL(`src/${path}`, import.meta.url));

/** Modules that are there when `files` run. */
function closureOf(context: ChunkingContext, ...files: string[]): Set<string> {
  const found = new Set<string>();
  const visit = (id: string) => {
    if (found.has(id)) return;
    found.add(id);
    context.getModuleInfo(id)?.importedIds.forEach(visit);
  };
  files.map(source).forEach(visit);
  return found;
}

let parts: { readonly name: string; readonly has: (id: string) => boolean }[] | undefined;

/**
 * Few requests before the first paint: a module that several screens share would be a file of its own, most of them
 * smaller than the head of their request, and a browser asks for six at a time. So what is loaded together is one file:
 * what the sign-in shares with the start screen, and with other forms, the shell with its program, what the
 * screens of domains share, and what dialogs need of Base UI, which comes with the first of them. Only what is shared: a part that only one
 * of them needs may lean on that one, and files must not wait for each other in a circle.
 */
function sharedParts(context: ChunkingContext) {
  const main = closureOf(context, 'main.ts');
  const signIn = closureOf(context, 'features/identity/start-identity.tsx');
  const first = closureOf(context, 'routes/start-console.tsx');
  const list = closureOf(context, 'routes/domain-list-screen.tsx');
  const page = closureOf(context, 'routes/domain-screen.tsx');
  const tables = closureOf(context, 'routes/rules-screen.tsx', 'routes/bans-screen.tsx');
  const dialog = closureOf(context, 'app/leave-dialog.tsx');
  // On almost every screen, and too small for files of their own.
  const everywhere = new Set(['ui/badge.tsx', 'ui/sentences.ts'].map(source));
  return [
    { name: 'common', has: (id: string) => signIn.has(id) && (first.has(id) || list.has(id)) && !main.has(id) },
    { name: 'shell-parts', has: (id: string) => (first.has(id) || everywhere.has(id)) && !main.has(id) },
    { name: 'form-parts', has: (id: string) => signIn.has(id) && !/features\/identity\//.test(id) && !main.has(id) },
    { name: 'domain-parts', has: (id: string) => list.has(id) && page.has(id) && !main.has(id) },
    { name: 'table-parts', has: (id: string) => list.has(id) && tables.has(id) && !main.has(id) },
    {
      name: 'popup-parts',
      has: (id: string) =>
        /node_modules\/@(base-ui|floating-ui)\//.test(id) &&
        dialog.has(id) &&
        ![first, list, page, signIn].some((closure) => closure.has(id)),
    },
  ];
}

function sharedPart(id: string, context: ChunkingContext): string | null {
  parts ??= sharedParts(context);
  // Of the libraries, only what a single dialog needs comes here.
  if (id.includes('/node_modules/@tanstack/')) return null;
  // What is imported dynamically is a file of its own.
  if (context.getModuleInfo(id)?.dynamicImporters.length !== 0) return null;
  return parts.find(({ has }) => has(id))?.name ?? null;
}

let domainModules: Set<string> | undefined;

/** Icons that many need, those of the start screen and of a domain's page apart: these do not wait for all others. */
function iconsOf(id: string, context: ChunkingContext): string {
  domainModules ??= closureOf(context, 'routes/domain-list-screen.tsx', 'routes/domain-screen.tsx');
  return domainModules.has(id) ? 'domain-icons' : 'icons';
}

/** The parser of messages (ICU) is 12 kB of every first visit: the build parses, browsers only format. */
function compiledMessages(): Plugin {
  return {
    name: 'cordon:compiled-messages',
    enforce: 'pre',
    apply: 'build',
    config: () => ({
      resolve: {
        alias: [{ find: /^use-intl\/format-message$/, replacement: 'use-intl/format-message/format-only' }],
      },
    }),
    transform(code, id) {
      if (!/\/locales\/.*\.json$/.test(id)) return;
      return { code: JSON.stringify(compileCatalog(JSON.parse(code) as Catalog)), map: null };
    },
  };
}

/** Icons by their own files, drawn by ui/draw-icon.ts: through the package's index all of them would belong to whatever has one. */
function singleIcons(): Plugin {
  const folder = fileURLToPath(import.meta.resolve('lucide-react')).replace(/dist\/.*/, 'dist/esm/');
  const index = readFileSync(`${folder}lucide-react.mjs`, 'utf8');
  const files = new Map(
    [...index.matchAll(/export \{ (.*?) \} from '\.\/(icons\/[\w-]+\.mjs)'/g)].flatMap(([, names = '', file = '']) =>
      names.split(', ').map((name) => [name.replace('default as ', ''), folder + file] as const),
    ),
  );
  return {
    name: 'cordon:single-icons',
    enforce: 'pre',
    apply: 'build',
    resolveId: (imported) => (imported.endsWith('/createLucideIcon.mjs') ? source('ui/draw-icon.ts') : undefined),
    transform(code, id) {
      if (!/\.tsx?$/.test(id) || !code.includes("'lucide-react'")) return;
      return code.replace(/import \{([^}]*)\} from 'lucide-react';/g, (_, list: string) => {
        const imports = list.split(',').map((one) => one.trim().split(' as '));
        const single = imports.map(([name = '', alias = name]) => {
          if (name === '' || name.startsWith('type ')) return '';
          return `import ${alias} from '${files.get(name) ?? `lucide-react/${name}`}';`;
        });
        return single.join(' ');
      });
    },
  };
}

/** One file of its own that needs no other; gives its code. */
async function buildAlone(file: string, define: Record<string, string> = {}): Promise<string> {
  const built = await build({
    root: fileURLToPath(new URL('.', import.meta.url)),
    configFile: false,
    logLevel: 'error',
    define,
    build: {
      write: false,
      target: 'es2023',
      modulePreload: { polyfill: false },
      rolldownOptions: { input: fileURLToPath(new URL(file, import.meta.url)), output: { format: 'iife' } },
    },
  });
  return (built as Rolldown.RolldownOutput).output[0].code.trim().replaceAll('</script', '<\\/script');
}

/** The service worker, whose name stays the same: the API serves it with `no-cache`. The page it shows stands in it. */
function offlineWorker(): Plugin {
  return {
    name: 'cordon:offline-worker',
    apply: 'build',
    async generateBundle() {
      const script = JSON.stringify(await buildAlone('src/offline-page.ts'));
      const source = await buildAlone('src/offline-worker.ts', { __OFFLINE_SCRIPT__: script });
      this.emitFile({ type: 'asset', fileName: 'offline-worker.js', source });
    },
  };
}

/** What must run before anything is loaded stands in the page itself, and costs no request (the API allows it by its hash). */
function inlineFirstScripts(): Plugin {
  const SCRIPT = /<script type="module" src="\/(src\/(?:page-start|silent)\.ts)"><\/script>/;
  return {
    name: 'cordon:inline-first-scripts',
    apply: 'build',
    transformIndexHtml: {
      order: 'pre',
      async handler(html) {
        const file = SCRIPT.exec(html)?.[1];
        if (!file) throw new Error('The page has no first script');
        const code = await buildAlone(file);
        return html.replace(SCRIPT, () => `<script>${code}</script>`);
      },
    },
  };
}

/**
 * Names the files of the programs that the page may start with, so that its script can ask for them before main.ts has
 * arrived to say so.
 */
function listFirstFiles(): Plugin {
  const PLACE = '<!--page-data-->';
  const programs = {
    identity: ['features/identity/start-identity.tsx', 'features/identity/locales/*.json'],
    console: ['routes/start-console.tsx', 'locales/*/ui.json'],
    list: ['routes/start-console.tsx', 'locales/*/ui.json', 'routes/domain-list-screen.tsx', 'domain/locales/*.json'],
  };
  return {
    name: 'cordon:list-first-files',
    apply: 'build',
    transformIndexHtml(html, { bundle, path }) {
      if (path !== '/index.html') return html;
      const chunks = Object.values(bundle ?? {}).filter((file) => file.type === 'chunk');
      const chunkOf = (module: string) => {
        const chunk = chunks.find(({ moduleIds }) => moduleIds.includes(module));
        if (!chunk) throw new Error(`No file has ${module}`);
        return chunk.fileName;
      };
      const needed = (fileName: string): string[] => [
        fileName,
        ...(chunks.find((chunk) => chunk.fileName === fileName)?.imports.flatMap(needed) ?? []),
      ];
      const known = new Set(needed(chunkOf(source('main.ts'))));
      const filesOf = (modules: readonly string[], locale: string) =>
        [...new Set(modules.flatMap((module) => needed(chunkOf(source(module.replace('*', locale))))))]
          .filter((fileName) => !known.has(fileName))
          .map((fileName) => `/${fileName}`);
      const files = Object.fromEntries(
        Object.entries(programs).map(([program, modules]) => [
          program,
          { en: filesOf(modules, 'en'), zh: filesOf(modules, 'zh') },
        ]),
      );
      const element = `<script type="application/json" id="page-files">${JSON.stringify(files)}</script>`;
      return html.replace(PLACE, () => PLACE + element);
    },
  };
}

/** Styles hold back the paint of what follows them only: the outline of page-start.ts stands before them. */
function placeStyles(): Plugin {
  const STYLES = /\s*<link rel="stylesheet"[^>]*>/g;
  return {
    name: 'cordon:place-styles',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler(html, { path }) {
        if (path !== '/index.html') return html;
        const styles = html.match(STYLES)?.join('');
        if (!styles) throw new Error('The page has no styles');
        return html.replace(STYLES, '').replace(/\s*<!--styles-->/, () => styles);
      },
    },
  };
}

/** Writes `.br` beside every text file, so that the server itself never compresses. */
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

/** Files that are there before any part is loaded. */
const ASKED_FOR_FIRST =
  /\/(index|react|console-libraries|sign-in-library|shell-parts|common|client|constants|preload-helper|rolldown-runtime)-/;

export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  plugins: [
    slimOperations(),
    withoutInfiniteQueries(),
    withoutDescriptions(),
    withoutAnswers(),
    pureSchemas(),
    compiledMessages(),
    inlineFirstScripts(),
    offlineWorker(),
    singleIcons(),
    react(),
    tailwindcss(),
    listFirstFiles(),
    placeStyles(),
    precompress(),
  ],
  // React has had this one of its own since 18.
  resolve: { alias: [{ find: /^use-sync-external-store\/shim\b/, replacement: 'use-sync-external-store' }] },
  define: { __BUILD_TIME__: JSON.stringify(new Date().toISOString()) },
  build: {
    outDir,
    emptyOutDir: true,
    manifest: true,
    target: 'es2023',
    assetsInlineLimit: 0,
    modulePreload: {
      polyfill: false,
      // What the page itself asks for first (page-start.ts) need not be named beside each part that leans on it; nor what the form
      // that asks for a part has already.
      resolveDependencies(part, needed, { hostType }) {
        if (hostType === 'html') return needed;
        return part.includes('refused-elsewhere') ? [] : needed.filter((file) => !ASKED_FOR_FIRST.test(file));
      },
    },
    rolldownOptions: {
      // How long plugins take is nothing for who starts Cordon.
      checks: { bundlerTimings: false },
      input: ['index.html', 'silent.html'].map((page) => fileURLToPath(new URL(page, import.meta.url))),
      // The contract's modules have no effects of their own: what is not imported is left out, zod schemas first.
      treeshake: {
        moduleSideEffects: [{ test: /packages\/contract\/src\//, sideEffects: false }],
      },
      output: {
        // Hashes are what compression makes nothing of, and the shell names 150 files: seven of their letters tell as well that one has changed.
        ...{ entryFileNames: 'assets/[name]-[hash:7].js', chunkFileNames: 'assets/[name]-[hash:7].js' },
        codeSplitting: {
          includeDependenciesRecursively: false,
          groups: [
            // Few requests before the first paint: what both programs need, and what the console needs.
            {
              name: 'react',
              test: /node_modules\/(react|react-dom|scheduler|use-intl|intl-messageformat|@formatjs|clsx)\//,
            },
            {
              name: 'console-libraries',
              // But for what a single dialog needs.
              test: /node_modules\/(@tanstack|use-sync-external-store)\/(?!.*[iI]nfiniteQuery(Observer)?\.js)/,
            },
            // The forms of the identity provider need this one, and nothing else of the console's.
            { name: 'sign-in-library', test: /node_modules\/oauth4webapi\// },
            { name: 'zod', test: /node_modules\/zod\// },
            { name: 'form-library', test: /node_modules\/(react-hook-form|@hookform)\// },
            {
              name: 'chart-parts',
              test: /src\/ui\/charts\/(chart-types|last-bucket|time-series-chart|bar-list|stacked-bar|world-map)\.tsx?$/,
            },
            {
              name: 'traffic-parts',
              test: /src\/(domain\/traffic\/(first-data|change|traffic-numbers|traffic-chart|beside-course|challenges)|ui\/charts\/mini-chart)\.tsx?$/,
            },
            {
              name: 'dialog-parts',
              test: /src\/ui\/(closing|confirm-dialog|dialog-title|discard-question|failure-line|first-field|less-motion|long-wait|popup-classes|tab-round|use-failing-here)\.tsx?$/,
            },
            // Of all forms that the contract checks.
            {
              name: 'contract-fields',
              test: /packages\/contract\/src\/(entities\/)?(text|enumerations|domain-name)\.ts$/,
            },
            // Too small for files of their own.
            {
              name: 'save-parts',
              test: /src\/domain\/(form\/(save-buttons|use-deploy-key|use-draft|note-max)|data\/use-update-route|changes\/(also-deployed|changed-names)|plugins\/refused)\.tsx?$/,
            },
            {
              name: 'bans-parts',
              test: /src\/(features\/bans\/(undo\/causes|(allowed\/)?queries)|ui\/undo-notice)\.tsx?$/,
            },
            { name: 'tabs', test: /src\/(ui\/tabs|routes\/known-tab)\.tsx?$/ },
            { name: 'page-parts', test: /src\/(app\/who|ui\/now)\.tsx?$/ },
            {
              name: 'place-parts',
              test: /src\/ui\/(place|loaded-part|labelled|moment-text)\.tsx?$|plugins\/generated\/areas\.ts$/,
            },
            { name: 'duration-parts', test: /plugin-kit\/src\/(edge\/)?duration(-params)?\.ts$/ },
            {
              debugName: 'shared parts',
              name: sharedPart,
            },
            {
              debugName: 'words of the shell',
              name: (id) => `words-${/locales\/(en|zh)\//.exec(id)?.[1]}`,
              test: /src\/locales\/(en|zh)\/(ui|shell|errors)\.json$/,
            },
            // Of two parts of the shell: not a file of its own.
            { name: 'icons', test: /node_modules\/lucide-react\/.*\/user-round\.m?js$/ },
            { debugName: 'icons', name: iconsOf, test: /node_modules\/lucide-react\//, minShareCount: 3 },
          ],
        },
      },
    },
  },
  // Workers of their own know nothing of the page's plugins: without these, zod's whole contract would be in them.
  worker: {
    format: 'es',
    plugins: () => [slimOperations(), withoutDescriptions(), withoutAnswers(), pureSchemas()],
    rolldownOptions: {
      treeshake: { moduleSideEffects: [{ test: /packages\/contract\/src\//, sideEffects: false }] },
    },
  },
  server: {
    port: 5173,
    strictPort: true,
    proxy: Object.fromEntries(['/api', '/auth'].map((path) => [path, { target: 'http://127.0.0.1:8000', ws: true }])),
  },
});
