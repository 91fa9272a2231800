import { operations } from '@cordon/contract';
import { pluginOperations } from '@cordon/plugins/operations';
import { describe, expect, it } from 'vitest';
import type { z } from 'zod';
import { walkSchema } from './plugins/walk-schema.ts';

describe('what an operation takes', () => {
  const parts = Object.entries({ ...operations, ...pluginOperations }).flatMap(([name, operation]) =>
    (['params', 'query', 'body'] as const).flatMap((part) => {
      const schema = (operation as Partial<Record<typeof part, z.ZodType>>)[part];
      return schema ? [{ name, part, schema }] : [];
    }),
  );
  it.each(parts)('$name: the texts of its $part are bounded and can be stored', ({ schema }) => {
    expect(walkSchema(schema).faults.filter((fault) => / is (a string|an array)/.test(fault))).toEqual([]);
  });
});
