import type { PluginEntry } from '@cordon/contract';
import { z } from 'zod';
import type { PluginDefinition } from './plugin.ts';

/** Adds an issue whose message is a code, of ours or of the plugin's own, with values for its words. */
export function addCodeIssue(
  ctx: z.RefinementCtx,
  path: readonly (string | number)[],
  code: string,
  params: Readonly<Record<string, string | number>> = {},
): void {
  ctx.addIssue({ code: 'custom', path: [...path], message: code, params });
}

/** The default of each field that has one, for a form about a plugin that is not configured yet. */
export function schemaDefaults(schema: z.ZodType): Record<string, unknown> {
  const defaults: Record<string, unknown> = {};
  if (!(schema instanceof z.ZodObject)) return defaults;
  for (const [name, field] of Object.entries(schema.shape as Record<string, z.ZodType>)) {
    const parsed = field.safeParse(undefined);
    if (parsed.success && parsed.data !== undefined) defaults[name] = parsed.data;
  }
  return defaults;
}

/** What holds of a plugin on a domain that does not configure it: its defaults, and on only if it is always on. */
export const defaultEntry = ({
  name,
  schema,
  isAlwaysOn = false,
}: Pick<PluginDefinition, 'name' | 'schema' | 'isAlwaysOn'>): PluginEntry => ({
  name,
  enabled: isAlwaysOn,
  config: schemaDefaults(schema),
});

/** What setting a plugin up for the first time begins with: on, with what a new form starts with. */
export const firstEntry = ({
  name,
  schema,
  start,
}: Pick<PluginDefinition, 'name' | 'schema' | 'start'>): PluginEntry => ({
  name,
  enabled: true,
  config: { ...schemaDefaults(schema), ...(start as Record<string, unknown> | undefined) },
});

/**
 * A stored configuration with every default of today's schema written out, so that one kept before a field existed
 * equals one kept since. What the schema refuses stays as it is.
 */
export function materialise(schema: z.ZodType, config: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const parsed = schema.safeParse(config);
  return (parsed.success ? parsed.data : config) as Record<string, unknown>;
}
