import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { readSettings } from './settings.ts';

/** What README says first, before its walk, which `tests/e2e/readme.test.ts` goes. */

const fileOf = (path: string) => readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8');
const readme = fileOf('README.md');
const [, first = ''] = /```sh\n(.*?)\n```/s.exec(readme) ?? [];
const lines = first.split('\n').map((line) => line.split(/\s+# /) as [command: string, says: string]);
const { scripts, engines } = JSON.parse(fileOf('package.json')) as {
  scripts: Record<string, string>;
  engines: { node: string };
};
const main = fileOf('apps/standalone/src/main.ts');

it.each(lines)('README: %s is a script, with an argument that the program knows', (command) => {
  const [, script = '', argument] = /^npm (?:run )?(\w+)(?: -- (--\w+))?$/.exec(command) ?? [];
  expect(scripts).toHaveProperty(script);
  expect(argument === undefined || main.includes(`process.argv.includes('${argument}')`)).toBe(true);
});

it('README names the addresses that a start without settings has', () => {
  const { origin, edgeHttpPort, edgeHttpsPort, dataDirectory } = readSettings({}, '/srv/cordon');
  const named = [...(lines[0]?.[1] ?? '').matchAll(/https?:\/\/[^\s,]+/g)].map(([address]) => address);
  const edge = [`http://127.0.0.1:${edgeHttpPort}`, `https://127.0.0.1:${edgeHttpsPort}`];
  expect(named).toEqual([origin, ...edge]);
  expect(/Open (\S+) and press/.exec(readme)?.[1]).toBe(origin);
  expect(readme).toContain(`Everything it writes is in \`${dataDirectory.split('/').at(-1)}/\``);
});

it('README names the Node that the packages need, and how the tests are run', () => {
  expect(`>=${/Needs Node ([\d.]+) or later/.exec(readme)?.[1]}`).toBe(engines.node);
  expect(readme).toContain('`npm test` runs everything');
  expect(scripts).toHaveProperty('test');
});
