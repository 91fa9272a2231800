import type { Phase } from '@cordon/plugin-kit';
import type { EdgeHandler } from '@cordon/plugin-kit/edge';

type Hook = keyof EdgeHandler<unknown, unknown> & ('access' | 'upstream' | 'response');

/** What differs between new plugins: the example that they begin with, which passes its own cases. */
export interface Example {
  readonly area: string;
  readonly reasons: Readonly<Record<string, string>>;
  /** The one setting: its name, its words, and `schema`, its line. */
  readonly setting: string;
  readonly hint: string;
  readonly schema: string;
  readonly summary: { readonly words: string; readonly params: string };
  /** Type of what `prepare` makes, and the rest of the handler. */
  readonly prepared: string;
  readonly handler: string;
  readonly cases: string;
}

/** Where a phase acts: what it decides of a request, or of what origins and visitors get. */
export function hookOf(phase: Phase): Hook {
  if (phase === 'upstream') return 'upstream';
  return phase === 'response' || phase === 'error' ? 'response' : 'access';
}

export function exampleOf(hook: Hook, name: string): Example {
  return hook === 'access' ? refusal : headerField(hook, `x-${name}`);
}

const refusal: Example = {
  area: 'protection',
  reasons: { path_refused: 'why the visitor was refused, in the words of the customer' },
  setting: 'paths',
  hint: 'what to enter, with an example',
  schema: `paths: z.array(text(255).startsWith('/')).max(100).default([]).describe('Paths that are refused.'),`,
  summary: { words: 'one line for the card; {count} is the number of paths', params: '{ count: config.paths.length }' },
  prepared: 'readonly string[]',
  handler: `  access: (ctx, paths) => {
    for (const path of paths) {
      if (ctx.request.path === path) return { kind: 'block', status: 403, reason: 'path_refused', rule: path };
    }
    return undefined;
  },`,
  cases: `  {
    name: 'a path on the list is refused',
    config: { paths: ['/private'] },
    request: { path: '/private' },
    expect: { verdict: 'block', status: 403, reason: 'path_refused', rule: '/private' },
  },
  { name: 'another path passes', config: { paths: ['/secret'] }, request: { path: '/' }, expect: { verdict: 'pass' } },`,
};

/** A header field for the origin or the visitor, which has no verdict and so no reason. */
function headerField(hook: 'upstream' | 'response', field: string): Example {
  const seen = hook === 'upstream' ? 'origin' : 'answer';
  const message = hook === 'upstream' ? 'request' : 'response';
  const expectation = (value: string) => `{ verdict: 'pass', ${seen}: { fields: { '${field}': ${value} } } }`;
  return {
    area: 'headers',
    reasons: {},
    setting: 'value',
    hint: 'what to enter, with an example',
    schema: `value: text(255)
    .regex(/^[\\w-]*$/)
    .default('')
    .describe('Value of the header field; empty: none.'),`,
    summary: { words: 'one line for the card; {value} is the value', params: '{ value: config.value }' },
    prepared: 'string',
    handler: `  ${hook}: (value, ${message}) => {
    if (value !== '') ${message}.fields.push({ name: '${field}', value });
  },`,
    cases: `  {
    name: 'the field is set',
    config: { value: 'one' },
    request: {},
    expect: ${expectation(`'one'`)},
  },
  {
    name: 'without a value there is none',
    config: {},
    request: {},
    expect: ${expectation('null')},
  },`,
  };
}
