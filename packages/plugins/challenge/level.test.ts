import { expect, it } from 'vitest';
import { definition } from './plugin.ts';
import { schema } from './schema.ts';

const at = (level: 'low' | 'medium' | 'high', enabled: boolean, path: string) =>
  definition.atLevel?.(level, { enabled, config: schema.parse({ path, mode: 'puzzle' }) });

it.each(['low', 'medium'] as const)('leaves a check of some paths to the customer at level %s', (level) => {
  expect(at(level, true, '^/account')).toMatchObject({ enabled: true, config: { path: '^/account' } });
  expect(at(level, true, '.*')).toMatchObject({ enabled: false, config: { path: '.*' } });
  expect(at(level, false, '.*')?.enabled).toBe(false);
});

it('checks every visitor at the highest level, in the way that was chosen', () => {
  expect(at('high', false, '^/account')).toMatchObject({ enabled: true, config: { path: '.*', mode: 'puzzle' } });
});
