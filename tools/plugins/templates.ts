import type { Phase } from '@cordon/plugin-kit';

export interface NewPlugin {
  /** kebab-case. */
  readonly name: string;
  readonly phase: Phase;
  readonly order: number;
}

const json = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`;

function locale(language: string): string {
  const text = (what: string) => `TODO ${language}: ${what}`;
  return json({
    name: text('name of the plugin'),
    description: text('one sentence that says what it does for the customer'),
    fields: { paths: { label: text('label'), hint: text('what to enter, with an example') } },
    reasons: { path_refused: text('why the visitor was refused, in the words of the customer') },
    summary: { paths: text('one line for the card; {count} is the number of paths') },
    notices: {},
    errors: {},
  });
}

/**
 * Files of a new plugin by path below its folder. They are a working example (refuse some paths), so that types,
 * tests and registry are green from the start, and every place to fill in says TODO, which the check refuses.
 */
export function renderTemplates({ name, phase, order }: NewPlugin): Map<string, string> {
  const type = name.replace(/(?:^|-)(\w)/g, (_, letter: string) => letter.toUpperCase());
  return new Map([
    [
      'plugin.ts',
      `import { definePlugin } from '@cordon/plugin-kit';
import { schema } from './schema.ts';

export const definition = definePlugin({
  name: '${name}',
  // TODO Where it runs among the others (PHASES in plugin-kit) and which part of the domain page shows it.
  phase: '${phase}',
  order: ${order},
  area: 'protection',
  schema,
  // TODO Codes that schema.ts itself gives; each needs words under errors in the locales.
  errorCodes: [],
  // TODO Every reason of edge.ts; each needs words under reasons in the locales and a case.
  reasons: ['path_refused'],
  tier: 'free',

  summary: (config) => ({ message: 'summary.paths', params: { count: config.paths.length } }),

  notices: () => [],
});
`,
    ],
    [
      'schema.ts',
      `import { z } from 'zod';

// TODO One field per setting, with default, bounds and description. Read @cordon/plugin-kit/schema first.
export const schema = z.strictObject({
  paths: z.array(z.string().startsWith('/').max(255)).max(100).default([]).describe('Paths that are refused.'),
});

export type ${type}Config = z.output<typeof schema>;
`,
    ],
    [
      'edge.ts',
      `import type { EdgeHandler } from '@cordon/plugin-kit/edge';
import type { ${type}Config } from './schema.ts';

interface Prepared {
  readonly paths: readonly string[];
}

// TODO What it does. Read the rules at the top of plugin-kit/src/edge/context.ts first: this becomes Lua.
export const handler: EdgeHandler<${type}Config, Prepared> = {
  prepare: (config) => ({ paths: config.paths }),

  access: (ctx, prepared) => {
    for (const path of prepared.paths) {
      if (ctx.request.path === path) return { kind: 'block', status: 403, reason: 'path_refused', rule: path };
    }
    return undefined;
  },
};
`,
    ],
    [
      'cases.ts',
      `import type { PluginCase } from '@cordon/plugin-kit';
import type { z } from 'zod';
import type { schema } from './schema.ts';

// TODO Each reason, each boundary, and what must pass.
export const cases: readonly PluginCase<z.input<typeof schema>>[] = [
  {
    name: 'a path on the list is refused',
    config: { paths: ['/private'] },
    request: { path: '/private' },
    expect: { verdict: 'block', status: 403, reason: 'path_refused', rule: '/private' },
  },
  { name: 'another path passes', config: { paths: ['/private'] }, request: { path: '/' }, expect: { verdict: 'pass' } },
];
`,
    ],
    [
      'edge.test.ts',
      `import { testPluginCases } from '@cordon/plugin-kit/testing';
import { cases } from './cases.ts';
import { handler } from './edge.ts';
import { definition } from './plugin.ts';

testPluginCases({ definition, handler, cases, edge: new URL('./edge.ts', import.meta.url) });
`,
    ],
    ['locales/en.json', locale('English')],
    ['locales/zh.json', locale('Chinese')],
  ]);
}
