import type { PluginDefinition } from '@cordon/plugin-kit';
import { useMemo } from 'react';
import { z } from 'zod';
import { parseConfig } from '../model/parse-config';
import type { PluginWords } from '../words/plugin-words';
import { isInEmptyRow, withoutEmptyRows } from './empty-rows';
import type { PluginConfig } from './plugin-fields';
import { pluginNotices } from './plugin-notices';
import { useChecked } from './use-checked';
import { usePluginErrors } from './use-plugin-errors';

/** An entry is whole once it is in its list; other fields may not be filled in yet. */
const isEntry = (path: readonly PropertyKey[]): boolean => typeof path.at(-1) === 'number';

/** Checks a configuration that is being typed by its plugin's schema; `wasTried`: it was to be saved. */
export function usePluginCheck(
  definition: PluginDefinition,
  words: PluginWords,
  config: PluginConfig,
  wasTried: boolean,
) {
  const pluginErrors = usePluginErrors(words);
  const { checked, checkNow } = useChecked(config);
  const issues = useMemo(
    () => (parseConfig(definition, checked).error?.issues ?? []).filter(({ path }) => !isInEmptyRow(checked, path)),
    [definition, checked],
  );
  const notices = useMemo(() => pluginNotices(definition, checked), [definition, checked]);
  return {
    ofApi: pluginErrors.ofApi,
    /** What is saved: without rows that were never filled in, and with all defaults where it is valid. */
    parse: (given: PluginConfig) => parseConfig(definition, withoutEmptyRows(given)),
    /** What is wrong, by path in what is typed. */
    errors: pluginErrors.ofSchema(new z.ZodError(wasTried ? issues : issues.filter(({ path }) => isEntry(path)))),
    notices,
    /** Of a large configuration: it is checked at once. */
    checkNow,
  };
}
