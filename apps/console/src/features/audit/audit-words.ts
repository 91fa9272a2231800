import { AUDIT_ACTIONS, type AuditAction, type AuditLine, type AuditValue, type Locale } from '@cordon/contract';
import { useQuery } from '@tanstack/react-query';
import { useLocale, useTranslations } from 'use-intl';
import { languageNames } from '../../app/shell/language-names';
import { isNamedOperator, useWho } from '../../app/who';
import { pluginCatalogsOptions, pluginName, usePluginWords } from '../../domain/words/plugin-words';
import { useSettingValue } from '../../domain/words/setting-value';
import { useListed } from '../../domain/words/use-listed';
import { useFormat } from '../../ui/format';
import type { SelectOption } from '../../ui/select';
import type { SelectGroup } from '../../ui/select-groups';

const TIMES = new Set(['until', 'expires_at', 'at']);
/** What spans of time are said in, the largest that fits whole. */
const UNITS = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
] as const;
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

/** Under what an action is found in the list of all. */
const groupOf = (action: string): string => {
  if (action.startsWith('route.shadow_')) return 'shadow';
  if (action.startsWith('route.origin_lock.')) return 'lock';
  const [prefix = ''] = action.split('.');
  return prefix === 'account' ? 'user' : prefix;
};

/** Every action that can be asked for with its words, in groups; a plugin's bear its name. */
export function useActionGroups(): SelectGroup[] {
  const t = useTranslations('audit.filter');
  const pluginWords = usePluginWords();
  const names = useActionNames();
  const groups = new Map<string, SelectOption<string>[]>();
  for (const [value, label] of names) {
    const group = groupOf(value);
    groups.set(group, [...(groups.get(group) ?? []), { value, label }]);
  }
  const labelOf = (group: string): string => {
    const path = `groups.${group}` as 'groups.route';
    if (t.has(path)) return t(path);
    return pluginWords ? pluginName(pluginWords(group), group) : group;
  };
  return [...groups].map(([group, options]) => ({ label: labelOf(group), options }));
}

/** Words of a line of the audit log; what has none stays as the API has it. */
export function useAuditWords() {
  const t = useTranslations('audit');
  const target = useTranslations('domain.upstreams.text');
  const clears = useTranslations('domain.clears');
  const format = useFormat();
  const names = useActionNames();
  const pluginWords = usePluginWords();
  const settingValue = useSettingValue();
  const whoOf = useWho();
  const listed = useListed();

  const textOf = (group: 'fields' | 'details' | 'object' | 'cause' | 'lists', key: string): string => {
    const path = `${group}.${key}` as 'fields.name';
    return t.has(path) ? t(path) : key;
  };
  /** `plugins.<name>`, `upstreams.targets`, `remarks`. */
  const fieldOf = (path: string): string => {
    const [area, name] = path.split('.');
    if (area === 'plugins' && name !== undefined) return pluginWords ? pluginName(pluginWords(name), name) : name;
    return textOf('fields', path.replace('.', '_'));
  };
  const spanOf = (seconds: number): string => {
    const [unit, size] = UNITS.find(([, each]) => seconds % each === 0) ?? ['second', 1];
    return format.number(seconds / size, { style: 'unit', unit, unitDisplay: 'long' });
  };
  /** `192.0.2.1:8443 backup weight 3`, as the API writes it down. */
  const targetOf = (text: string): string => {
    const [, address = text, backup, weight] = /^(\S+)( backup)?(?: weight (\d+))?$/.exec(text) ?? [];
    const unusual = [...(backup ? [target('backup')] : []), ...(weight ? [target('weight', { weight })] : [])];
    return [address, ...unusual].join(' · ');
  };
  /** @param parts Of what is not everything, where they are known: how many there are, and the first of them. */
  const clearedOf = (kind: string, parts?: { readonly count: number; readonly values: string }): string => {
    const path = (parts ? `cleared.${kind}` : `kind.${kind}`) as 'cleared.tags';
    return clears.has(path) ? clears(path, parts ?? { count: 0, values: '' }) : kind;
  };
  const textOfValue = (value: AuditValue, key = ''): string => {
    const own = settingValue(key.replace(/^upstreams\./, ''), value);
    if (own !== undefined) return own;
    if (value === null || value === '' || (Array.isArray(value) && value.length === 0)) return t('unset');
    if (key === 'changed' && Array.isArray(value)) return format.list(value.map(fieldOf));
    if (key === 'upstreams.targets' && Array.isArray(value)) return value.map(targetOf).join(t('between'));
    if (key === 'locale') return languageNames[value as Locale] ?? String(value);
    if (key === 'seconds' || key === 'minutes') return spanOf(Number(value) * (key === 'minutes' ? 60 : 1));
    if (key === 'cause' || key === 'lists') return textOf(key, String(value));
    if (key === 'cleared') return clearedOf(String(value));
    if (TIMES.has(key)) return format.dateTime(String(value));
    if (typeof value === 'boolean') return t(value ? 'yes' : 'no');
    if (typeof value === 'number') return format.number(value);
    if (key === 'values' && Array.isArray(value)) return value.join('\n');
    return Array.isArray(value) ? value.join(t('between')) : value;
  };
  /** @param all How many there are, where these are the first of them. */
  const shorten = (entries: readonly string[], all = entries.length): string =>
    listed(entries.slice(0, NAMES_SHOWN), all);

  return {
    actionOf: ({ action }: AuditLine) => names.get(action) ?? action,
    whoOf: ({ actor }: AuditLine) => (actor.kind === 'operator' ? whoOf(actor.name) : actor.name),
    /** What is to be told beside the name; undefined: a person, or an operator whose name says so. A token may have any name. */
    kindOf: ({ actor }: AuditLine) =>
      actor.kind === 'user' || (actor.kind === 'operator' && isNamedOperator(actor.name)) ? undefined : actor.kind,
    fieldOf,
    detailOf: (key: string) => textOf('details', key),
    /** What else is worth a line of its own: what says nothing beside the others is left out. */
    detailsOf: ({ details }: AuditLine): [string, AuditValue][] =>
      Object.entries(details).filter(
        ([key, value]) =>
          value !== null &&
          value !== '' &&
          !(key === 'count' && Array.isArray(details.networks) && details.networks.length === value) &&
          !(key === 'entries' && Array.isArray(details.values) && details.values.length === value),
      ),
    objectOf: (kind: string) => textOf('object', kind),
    textOfValue,
    /** The one thing besides the object that tells lines of the same action apart. */
    summaryOf({ action, object, details, changes, reason }: AuditLine): string {
      const {
        version,
        note,
        changed,
        cause,
        cleared,
        values,
        entries,
        soft,
        task,
        domains,
        names: affected,
        networks,
        url,
        failed,
        at,
      } = details;
      if (reason !== null) return reason;
      if (typeof version === 'number') return [t('version', { version }), note].filter(Boolean).join(' · ');
      const parts = Array.isArray(values)
        ? { count: Number(entries), values: shorten(values, Number(entries)) }
        : undefined;
      const what = typeof cleared === 'string' ? clearedOf(cleared, parts) : undefined;
      const said = what !== undefined && soft === true ? clears('softly', { what }) : what;
      const why = typeof cause === 'string' ? textOfValue(cause, 'cause') : undefined;
      if (typeof domains === 'number') {
        // The one that the line is about is named before.
        const which =
          object.kind !== 'route' &&
          (Array.isArray(affected) ? shorten(affected, domains) : t('domains', { count: domains }));
        const lost = typeof failed === 'number' && failed > 0 ? t('failed', { count: failed }) : undefined;
        // Of what has begun, the line's own time says when.
        const isToCome = ['task.schedule', 'task.leave', 'task.cancel'].includes(action);
        const planned = isToCome && typeof at === 'string' ? t('planned', { time: format.dateTime(at) }) : undefined;
        return [why, planned, said, which, note, lost].filter(Boolean).join(' · ');
      }
      // Who had scheduled it was not there when it was done.
      const done = typeof task === 'string' ? [t('scheduled'), said].filter(Boolean).join(' · ') : said;
      if (why !== undefined) return why;
      if (done !== undefined) return done;
      if (typeof url === 'string') return url;
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
