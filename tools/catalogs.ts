import { readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const console_ = 'apps/console/src';

/** Words of one part of the console, or of a plugin, in both languages: keys with dots between levels. */
export interface Catalog {
  /** As `useTranslations` names it; plugins' catalogs are read by their own forms and have none. */
  namespace: string | undefined;
  /** Paths from the project's folder: the English one, and the Chinese one. */
  file: string;
  zhFile: string;
  en: ReadonlyMap<string, string>;
  zh: ReadonlyMap<string, string>;
}

/** Files below a folder of the project, as paths from it. */
export const filesOf = (folder: string, wanted: RegExp): string[] =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .map((file) => `${folder}/${file.replaceAll('\\', '/')}`)
    .filter((file) => wanted.test(file) && !file.includes('node_modules'));

const camelCase = (kebab: string) => kebab.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());

/** Keys of a catalog with dots between levels. */
function flatten(node: unknown, prefix = ''): [string, string][] {
  if (typeof node === 'string') return [[prefix, node]];
  return Object.entries(node as Record<string, unknown>).flatMap(([key, value]) =>
    flatten(value, prefix === '' ? key : `${prefix}.${key}`),
  );
}

const read = (file: string) => new Map(flatten(JSON.parse(readFileSync(join(root, file), 'utf8'))));

/** Every catalog there is. */
export function findCatalogs(): Catalog[] {
  const own = filesOf(`${console_}/locales/en`, /\.json$/).map((file) => ({
    namespace: camelCase(basename(file, '.json')),
    file,
    zhFile: file.replace('/en/', '/zh/'),
  }));
  const featured = [`${console_}/domain`, `${console_}/features`]
    .flatMap((folder) => filesOf(folder, /locales\/en\.json$/))
    .map((file) => ({
      namespace: camelCase(basename(dirname(dirname(file)))),
      file,
      zhFile: file.replace('en.json', 'zh.json'),
    }));
  const plugins = filesOf('packages/plugins', /^packages\/plugins\/[^/]+\/locales\/en\.json$/).map((file) => ({
    namespace: undefined,
    file,
    zhFile: file.replace('en.json', 'zh.json'),
  }));
  return [...own, ...featured, ...plugins].map(({ namespace, file, zhFile }) => ({
    namespace,
    file,
    zhFile,
    en: read(file),
    zh: read(zhFile),
  }));
}
