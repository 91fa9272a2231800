import type { PluginCase } from '@cordon/plugin-kit';
import type { z } from 'zod';
import type { schema } from './schema.ts';

const asked = (host: string) => ({ verdict: 'pass', origin: { host } }) as const;

export const cases: readonly PluginCase<z.input<typeof schema>>[] = [
  {
    name: 'the origin is asked for the name',
    config: { hostname: 'bucket.storage.example' },
    request: {},
    expect: asked('bucket.storage.example'),
  },
  {
    name: 'whatever the visitor’s own headers say',
    config: { hostname: 'bucket.storage.example' },
    request: { method: 'POST', path: '/a?b=c', headers: { 'X-Forwarded-Host': 'other.example', 'X-Host': 'x' } },
    expect: asked('bucket.storage.example'),
  },
  {
    name: 'as it is sent, however it was written',
    config: { hostname: ' Bücher.Example. ' },
    request: {},
    expect: asked('xn--bcher-kva.example'),
  },
  {
    name: 'the visited name is a name like any other',
    config: { hostname: 'upstream-host-same.test' },
    request: { host: 'upstream-host-same.test' },
    expect: asked('upstream-host-same.test'),
  },
];
