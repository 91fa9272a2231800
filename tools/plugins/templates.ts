import type { Phase } from '@cordon/plugin-kit';
import { type Example, exampleOf, hookOf } from './template-examples.ts';

export interface NewPlugin {
  /** kebab-case. */
  readonly name: string;
  readonly phase: Phase;
  readonly order: number;
}

const json = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`;

function locale(language: string, { setting, hint, reasons, summary }: Example): string {
  const text = (what: string) => `TODO ${language}: ${what}`;
  return json({
    name: text('name of the plugin'),
    description: text('what it does, in one line'),
    fields: { [setting]: { label: text('label'), hint: text(hint) } },
    reasons: Object.fromEntries(Object.entries(reasons).map(([reason, words]) => [reason, text(words)])),
    summary: { [setting]: text(summary.words) },
    notices: {},
    errors: {},
  });
}

/**
 * Files of a new plugin by path below its folder. They are a working example of what its phase does, so that types,
 * tests and registry are green from the start, and every place to fill in says TODO, which the check refuses.
 */
export function renderTemplates({ name, phase, order }: NewPlugin): Map<string, string> {
  const type = name.replace(/(?:^|-)(\w)/g, (_, letter: string) => letter.toUpperCase());
  const example = exampleOf(hookOf(phase), name);
  const { area, reasons, setting, schema, summary, prepared, handler, cases } = example;
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
  area: '${area}',
  schema,
  // TODO Codes that schema.ts itself gives; each needs words under errors in the locales.
  errorCodes: [],
  // TODO Every reason of edge.ts; each needs words under reasons in the locales and a case.
  reasons: [${Object.keys(reasons)
    .map((reason) => `'${reason}'`)
    .join(', ')}],
  tier: 'free',

  summary: (config) => ({ message: 'summary.${setting}', params: ${summary.params} }),

  notices: () => [],
});
`,
    ],
    [
      'schema.ts',
      `import { text } from '@cordon/contract/text';
import { z } from 'zod';

// TODO One field per setting, with default, bounds and description. Read @cordon/plugin-kit/schema, and address-list beside it, first.
export const schema = z.strictObject({
  ${schema}
});

export type ${type}Config = z.output<typeof schema>;
`,
    ],
    [
      'edge.ts',
      `import type { EdgeHandler } from '@cordon/plugin-kit/edge';
import type { ${type}Config } from './schema.ts';

// TODO What it does. Read the rules at the top of plugin-kit/src/edge/context.ts first: this becomes Lua.
export const handler: EdgeHandler<${type}Config, ${prepared}> = {
  prepare: (config) => config.${setting},

${handler}
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
${cases}
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
    ['locales/en.json', locale('English', example)],
    ['locales/zh.json', locale('Chinese', example)],
  ]);
}
