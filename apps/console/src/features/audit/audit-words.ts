import { AUDIT_ACTIONS, type AuditAction, type AuditLine, type AuditValue } from '@cordon/contract';
import { useQuery } from '@tanstack/react-query';
import { useLocale, useTranslations } from 'use-intl';
import { useWho } from '../../app/who';
import { pluginCatalogsOptions, pluginName, usePluginWords } from '../../domain/words/plugin-words';
import { useFormat } from '../../ui/format';

const TIMES = new Set(['until', 'expires_at']);
const NAMES_SHOWN = 3;

/** Actions of plugins, `<plugin>.<verb>`, with what their catalogs call them. */
function usePluginActions(): ReadonlyMap<string, string> {
  const { data } = useQuery(pluginCatalogsOptions(useLocale()));
  return new Map(
    Object.entries(data ?? {}).flatMap(([plugin, messages]) =>
      Object.entries((messages?.audit ?? {}) as Record<string, string>).map(
        ([verb, label]) => [`${plugin}.${verb}`, label] as const,
      ),
    ),
  );
}

/** Every action that can be asked for, with its words. */
export function useActionNames(): ReadonlyMap<string, string> {
  const t = useTranslations('audit.actions');
  const plugins = usePluginActions();
  const own = AUDIT_ACTIONS.map((action: AuditAction) => [action, t(action)] as const);
  return new Map<string, string>([...own, ...plugins]);
}

/** Words of a line of the audit log; what has none stays as the API has it. */
export function useAuditWords() {
  const t = useTranslations('audit');
  const format = useFormat();
  const names = useActionNames();
  const pluginWords = usePluginWords();
  const whoOf = useWho();

  const textOf = (group: 'fields' | 'details' | 'object' | 'cause', key: string): string => {
    const path = `${group}.${key}` as 'fields.name';
    return t.has(path) ? t(path) : key;
  };
  /** `plugins.<name>`, `upstreams.targets`, `remarks`. */
  const fieldOf = (path: string): string => {
    const [area, name] = path.split('.');
    if (area === 'plugins' && name !== undefined) return pluginWords ? pluginName(pluginWords(name), name) : name;
    return textOf('fields', path.replace('.', '_'));
  };
  const textOfValue = (value: AuditValue, key = ''): string => {
    if (value === null || value === '') return t('unset');
    if (key === 'changed' && Array.isArray(value)) return format.list(value.map(fieldOf));
    if (key === 'cause') return textOf('cause', String(value));
    if (TIMES.has(key)) return format.dateTime(String(value));
    if (typeof value === 'boolean') return t(value ? 'yes' : 'no');
    if (typeof value === 'number') return format.number(value);
    return Array.isArray(value) ? value.join(', ') : value;
  };
  const shorten = (entries: readonly string[]): string => {
    const shown = entries.slice(0, NAMES_SHOWN);
    const rest = entries.length - shown.length;
    return format.list(rest > 0 ? [...shown, t('more', { count: rest })] : shown);
  };

  return {
    actionOf: ({ action }: AuditLine) => names.get(action) ?? action,
    whoOf: ({ actor }: AuditLine) => whoOf(actor.name),
    fieldOf,
    detailOf: (key: string) => textOf('details', key),
    objectOf: (kind: string) => textOf('object', kind),
    textOfValue,
    /** The one thing besides the object that tells lines of the same action apart. */
    summaryOf({ details, changes, reason }: AuditLine): string {
      const { version, note, changed, cause, domains, names: affected, networks } = details;
      if (reason !== null) return reason;
      if (typeof version === 'number') return [t('version', { version }), note].filter(Boolean).join(' · ');
      if (typeof domains === 'number') return [t('domains', { count: domains }), note].filter(Boolean).join(' · ');
      if (typeof cause === 'string') return textOfValue(cause, 'cause');
      const list = affected ?? networks;
      if (Array.isArray(list)) return shorten(list);
      const paths = Array.isArray(changed) ? changed : [];
      // Of the upstreams there is both: what they were, and which of their settings changed.
      const settings = changes
        .map(({ field }) => field)
        .filter((field) => !paths.some((path) => path.startsWith(field)));
      return shorten([...paths, ...settings].map(fieldOf));
    },
  };
}
