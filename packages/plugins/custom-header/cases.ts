import type { PluginCase } from '@cordon/plugin-kit';
import type { z } from 'zod';
import type { schema } from './schema.ts';

type Case = PluginCase<z.input<typeof schema>>;

const adding = (...headers: [string, string][]): Case['config'] => ({
  add: { headers: headers.map(([name, value]) => ({ name, value })) },
});
const asked = (fields: Record<string, string | null>) => ({ verdict: 'pass', origin: { fields } }) as const;

export const cases: readonly Case[] = [
  {
    name: 'the origin gets the field',
    config: adding(['X-Origin-Secret', 'a b;c="d"']),
    request: {},
    expect: asked({ 'x-origin-secret': 'a b;c="d"' }),
  },
  {
    name: 'every field, with every method and path',
    config: adding(['X-First', '1'], ['X-Second', '2']),
    request: { method: 'POST', path: '/a?b=c' },
    expect: asked({ 'x-first': '1', 'x-second': '2' }),
  },
  {
    name: 'a visitor cannot send one of the same name',
    config: adding(['X-Origin-Secret', 'ours']),
    request: { headers: { 'x-origin-SECRET': 'guessed' } },
    expect: asked({ 'x-origin-secret': 'ours' }),
  },
  {
    name: 'neither by declaring it to be for one hop',
    config: adding(['X-Origin-Secret', 'ours']),
    request: { headers: { Connection: 'X-Origin-Secret' } },
    expect: asked({ 'x-origin-secret': 'ours' }),
  },
  {
    name: 'what else the visitor sends stays',
    config: adding(['Authorization', 'Basic YTpi']),
    request: { headers: { Cookie: 'a=1', 'X-Other': 'stays' } },
    expect: asked({ authorization: 'Basic YTpi', cookie: 'a=1', 'x-other': 'stays' }),
  },
  {
    name: 'an underscore stays one',
    config: adding(['X_Under_Score', 'yes']),
    request: {},
    expect: asked({ x_under_score: 'yes', 'x-under-score': null }),
  },
];
