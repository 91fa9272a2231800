import type { z } from 'zod';

/**
 * Pipeline phases in the order in which the edge runs them (product design, "Protection and performance"). Two
 * plugins never share phase and order.
 */
export const PHASES = ['allow', 'ban', 'access', 'rate', 'challenge', 'waf', 'redirect', 'cache', 'upstream', 'response', 'error'] as const;
export type Phase = (typeof PHASES)[number];

/** Which part of the domain page shows the plugin. */
export type PluginArea = 'upstreams' | 'ssl' | 'caching' | 'access' | 'protection' | 'headers' | 'error-pages';

/** What the rest of Cordon knows of a plugin. Built by `definePlugin` in the plugin's `plugin.ts`. */
export interface PluginDefinition<Schema extends z.ZodType = z.ZodType> {
  /** Folder name = configuration key = API slug = log field. */
  readonly name: string;
  readonly phase: Phase;
  /** Position within the phase, lowest first. */
  readonly order: number;
  readonly area: PluginArea;
  /** Schema of the configuration, with all defaults; the only place that has them. */
  readonly schema: Schema;
  /** Every reason the handler can give, for the log, the dashboard and the block page. */
  readonly reasons: readonly string[];
  /** Smallest plan that may enable it. */
  readonly tier: 'free' | 'vip';
  /** What the plugin needs of nginx: shared dictionaries by name and size in bytes. */
  readonly sharedDicts: Readonly<Record<string, number>>;
  /** Warnings about a valid configuration that may surprise (for example entries that are ignored), as message keys. */
  readonly notices?: (config: z.output<Schema>) => readonly PluginNotice[];
}

export interface PluginNotice {
  /** Path of the field inside the configuration. */
  readonly path: string;
  /** Key in the plugin's catalog. */
  readonly message: string;
  readonly params: Readonly<Record<string, string | number>>;
}

/** Checks a definition's invariants that types cannot say; throws a plain Error for the developer. */
export function definePlugin<Schema extends z.ZodType>(definition: PluginDefinition<Schema>): PluginDefinition<Schema> {
  if (!/^[a-z][a-z0-9-]*$/.test(definition.name)) throw new Error(`plugin name ${definition.name} is not kebab-case`);
  return definition;
}
