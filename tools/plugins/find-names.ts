import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Files that may name a plugin: documents, tests, measurements and the demo, which are about particular plugins; and where
 * the feeds have their names, of which one is called as its plugin is.
 */
const EXEMPT =
  /\.(?:md|png|svg|ico|woff2?|mmdb)$|\.test\.tsx?$|^(?:tests|bench|docs|apps\/standalone\/src\/demo)\/|^packages\/plugin-kit\/src\/edge\/feeds\.ts$|^package-lock\.json$/;

/**
 * A name of several words is found wherever it stands. A single word (`redirect`, `ban`) is ordinary language, so it
 * counts only as the value of a name or in a path.
 */
export function namePattern(name: string): RegExp {
  const whole = `${name}(?![\\w-])`;
  if (name.includes('-')) return new RegExp(`(?<![\\w-])${whole}`);
  return new RegExp(
    `plugins/${whole}|\\b(?:plugin|name|slug)\\b['"]?\\s*(?:[:=]|[!=]==?)\\s*['"\`]${name}['"\`]|plugins(?:\\??\\.|\\[['"])${whole}`,
  );
}

/** Places outside of a plugin's folder, and of the registry, that name it. */
export function findNames(names: readonly string[], repositoryDir: string): string[] {
  const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
    cwd: repositoryDir,
    encoding: 'utf8',
  });
  const patterns = names.map((name) => ({ name, pattern: namePattern(name), folder: `packages/plugins/${name}/` }));
  const faults: string[] = [];
  for (const file of files.split('\n')) {
    if (file === '' || EXEMPT.test(file) || file.startsWith('packages/plugins/generated/')) continue;
    const path = join(repositoryDir, file);
    if (!existsSync(path)) continue;
    const text = readFileSync(path, 'utf8');
    for (const { name, pattern, folder } of patterns) {
      if (file.startsWith(folder) || !pattern.test(text)) continue;
      const line = text.split('\n').findIndex((candidate) => pattern.test(candidate)) + 1;
      faults.push(`${file}:${line} names the plugin ${name}: only its own folder may`);
    }
  }
  return faults;
}
