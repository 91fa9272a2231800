import { schemaDefaults } from '@cordon/plugin-kit/schema';
import { describe, expect, it } from 'vitest';
import { definition } from './plugin.ts';
import { schema } from './schema.ts';

describe('domain-config', () => {
  it('has the default of the specification', () => expect(schemaDefaults(schema)).toEqual({ is_bypass_acme: false }));

  it('says what becomes of challenges', () => {
    expect(definition.summary(schema.parse({})).message).toBe('summary.none');
    expect(definition.summary(schema.parse({ is_bypass_acme: true })).message).toBe('summary.bypass');
  });
});
