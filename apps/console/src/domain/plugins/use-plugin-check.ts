import type { PluginDefinition } from '@cordon/plugin-kit';
import { z } from 'zod';
import type { PluginWords } from '../words/plugin-words';
import { isInEmptyRow, withoutEmptyRows } from './empty-rows';
import type { PluginConfig } from './plugin-fields';
import { usePluginErrors } from './use-plugin-errors';

/** Checks a configuration that is being typed by its plugin's schema. */
export function usePluginCheck(definition: PluginDefinition, words: PluginWords) {
  const pluginErrors = usePluginErrors(words);
  return {
    ...pluginErrors,
    /** What is saved: without rows that were never filled in, and with all defaults where it is valid. */
    parse: (config: PluginConfig) => definition.schema.safeParse(withoutEmptyRows(config)),
    /** What is wrong, by path in what is typed. */
    errorsOf(config: PluginConfig): Record<string, string> {
      const issues = definition.schema.safeParse(config).error?.issues ?? [];
      return pluginErrors.ofSchema(new z.ZodError(issues.filter(({ path }) => !isInEmptyRow(config, path))));
    },
  };
}
