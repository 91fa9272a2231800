import { type ApiError, fieldErrorsOf, meantIssues } from '@cordon/contract';
import { durationSeconds } from '@cordon/plugin-kit/duration';
import { durationParams } from '@cordon/plugin-kit/duration-params';
import { useTranslations } from 'use-intl';
import type { z } from 'zod';
import { configPath } from '../model/plugin-state';
import { useCodeWords } from '../words/error-words';
import type { PluginWords } from '../words/plugin-words';

type Params = Readonly<Record<string, string | number>>;

/** Words for errors inside a plugin's configuration: the plugin's own where its catalog has them, else the general ones. */
export function usePluginErrors(words: PluginWords) {
  const t = useTranslations('domain.plugin.number');
  const general = useCodeWords();
  /** Bounds of a time span are written as configurations are, `5m`. */
  const said = (value: string | number) => {
    const seconds = durationSeconds(String(value));
    return seconds === undefined ? value : t('length', durationParams(seconds));
  };
  function messageOf(code: string, given: Params = {}) {
    const params = code.startsWith('DURATION_')
      ? Object.fromEntries(Object.entries(given).map(([name, value]) => [name, said(value)]))
      : given;
    return words.has(`errors.${code}`) ? words(`errors.${code}`, params) : general(code, params);
  }
  return {
    messageOf,
    /** Errors of a schema by path. */
    ofSchema(error: z.ZodError): Record<string, string> {
      const { fields, params } = fieldErrorsOf({ issues: meantIssues(error.issues) });
      return Object.fromEntries(Object.entries(fields).map(([path, code]) => [path, messageOf(code, params[path])]));
    },
    /** Errors of a failed save by path, and those that belong to no field of the form. */
    ofApi(error: ApiError): { fields: Record<string, string>; others: string[] } {
      const fields: Record<string, string> = {};
      const others: string[] = [];
      for (const [path, code] of Object.entries(error.fields)) {
        const inside = configPath(path);
        const text = messageOf(code, error.body?.params?.[path]);
        if (inside) fields[inside] = text;
        else others.push(text);
      }
      return { fields, others };
    },
  };
}
