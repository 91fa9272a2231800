import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { PHASES, type PluginCase, type PluginDefinition } from '@cordon/plugin-kit';

export const LANGUAGES = ['en', 'zh'] as const;
export type Language = (typeof LANGUAGES)[number];

/** Nested messages, as in `locales/en.json`. */
export interface Messages {
  readonly [key: string]: string | Messages;
}

/** A plugin's folder, read. */
export interface LoadedPlugin {
  readonly folder: string;
  readonly dir: string;
  readonly definition: PluginDefinition;
  readonly cases: readonly PluginCase<unknown>[];
  readonly messages: Readonly<Record<Language, Messages>>;
  readonly hasForm: boolean;
  readonly hasOverview: boolean;
  /** Has words of its own for values (`say-value.ts`). */
  readonly hasWords: boolean;
  /** Has `operations.ts` and `server.ts`. */
  readonly hasServer: boolean;
  /** Shows with requests of its own what it stops (`test-attacks.ts`). */
  readonly hasTestAttacks: boolean;
  /** Knows something against attacks that every site meets (`remedy.ts`). */
  readonly hasRemedy: boolean;
  /** Knows how to have a cache keep what costs an origin (`cache-remedy.ts`). */
  readonly hasCacheRemedy: boolean;
  /** Tells what of its configuration decided (`explain.ts`). */
  readonly hasExplanation: boolean;
  /** Tells of recorded requests what the log lacks (`recorded.ts`). */
  readonly hasRecorded: boolean;
}

export interface LoadResult {
  /** In the order of the pipeline. */
  readonly plugins: readonly LoadedPlugin[];
  /** Folders that could not be read, and why. */
  readonly faults: readonly string[];
}

const REQUIRED_FILES = [
  'plugin.ts',
  'schema.ts',
  'edge.ts',
  'cases.ts',
  ...LANGUAGES.map((language) => `locales/${language}.json`),
];

/** By phase, then order, then name. */
export function inPipelineOrder(left: PluginDefinition, right: PluginDefinition): number {
  return (
    PHASES.indexOf(left.phase) - PHASES.indexOf(right.phase) ||
    left.order - right.order ||
    left.name.localeCompare(right.name, 'en')
  );
}

async function loadPlugin(folder: string, dir: string): Promise<LoadedPlugin> {
  const missing = REQUIRED_FILES.filter((file) => !existsSync(join(dir, file)));
  if (missing.length > 0) throw new Error(`has no ${missing.join(', ')}`);
  const load = async (file: string, exported: string): Promise<unknown> => {
    const module = (await import(pathToFileURL(join(dir, file)).href)) as Record<string, unknown>;
    if (module[exported] === undefined) throw new Error(`${file} exports no ${exported}`);
    return module[exported];
  };
  const readMessages = (language: Language) =>
    JSON.parse(readFileSync(join(dir, `locales/${language}.json`), 'utf8')) as Messages;
  const definition = (await load('plugin.ts', 'definition')) as PluginDefinition;
  await load('edge.ts', 'handler');
  if (definition.name !== folder) throw new Error(`is called ${definition.name} in its plugin.ts`);
  const hasServer = existsSync(join(dir, 'operations.ts'));
  if (hasServer !== existsSync(join(dir, 'server.ts')))
    throw new Error('has one of operations.ts and server.ts without the other');
  if (hasServer) await load('operations.ts', 'operations');
  const has = async (file: string, exported: string) => {
    if (!existsSync(join(dir, file))) return false;
    await load(file, exported);
    return true;
  };
  return {
    folder,
    dir,
    definition,
    cases: (await load('cases.ts', 'cases')) as readonly PluginCase<unknown>[],
    messages: { en: readMessages('en'), zh: readMessages('zh') },
    hasForm: existsSync(join(dir, 'form.tsx')),
    hasOverview: existsSync(join(dir, 'overview.ts')),
    hasWords: await has('say-value.ts', 'sayValue'),
    hasServer,
    hasTestAttacks: await has('test-attacks.ts', 'testAttacks'),
    hasRemedy: await has('remedy.ts', 'remedy'),
    hasCacheRemedy: await has('cache-remedy.ts', 'cacheRemedy'),
    hasExplanation: await has('explain.ts', 'explain'),
    hasRecorded: await has('recorded.ts', 'recorded'),
  };
}

/** Reads every plugin folder in `pluginsDir`. Folders that cannot be read become faults, never exceptions. */
export async function loadPlugins(pluginsDir: string): Promise<LoadResult> {
  const plugins: LoadedPlugin[] = [];
  const faults: string[] = [];
  for (const entry of readdirSync(pluginsDir, { withFileTypes: true })) {
    if (
      !entry.isDirectory() ||
      entry.name === 'generated' ||
      entry.name === 'node_modules' ||
      entry.name.startsWith('.')
    )
      continue;
    try {
      plugins.push(await loadPlugin(entry.name, join(pluginsDir, entry.name)));
    } catch (error) {
      faults.push(`${entry.name}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  return { plugins: plugins.sort((left, right) => inPipelineOrder(left.definition, right.definition)), faults };
}
