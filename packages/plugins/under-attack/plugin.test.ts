import { expect, it } from 'vitest';
import { definition } from './plugin.ts';
import { schema } from './schema.ts';

it.each(['low', 'medium', 'high'] as const)('begins by itself at the level %s, and keeps what else is set', (level) => {
  const config = schema.parse({ mode: 'puzzle', automatic: false });
  expect(definition.atLevel?.(level, { enabled: true, config })).toEqual({
    enabled: true,
    config: { mode: 'puzzle', automatic: true },
  });
});
