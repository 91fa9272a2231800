import { entryText } from '@cordon/contract';
import { sayings } from '@cordon/plugins/sayings';
import { useTranslations } from 'use-intl';
import { useFormat } from '../../ui/format';
import { type PluginWords, usePluginWords } from '../words/plugin-words';

interface Said {
  /** Undefined for the domain's own settings. */
  readonly plugin: string | undefined;
  readonly field: string;
}

const isPair = (value: object): value is { name: string; value: string } =>
  'name' in value && 'value' in value && Object.keys(value).length === 2;

/** A look at a catalog costs as much as all else here, and a list may have thousands of entries. */
const withOptions = new WeakMap<PluginWords, Map<string, boolean>>();

/** Whether the values of a field are chosen from some that have words. */
function hasOptions(of: PluginWords, path: string): boolean {
  const known = withOptions.get(of) ?? new Map<string, boolean>();
  withOptions.set(of, known);
  const has = known.get(path) ?? of.has(`${path}.options`);
  known.set(path, has);
  return has;
}

/** Whether a plugin has sentences for its values. */
export const saysItself = ({ plugin }: Said): boolean => plugin !== undefined && sayings[plugin] !== undefined;

/** Values of a plugin's configuration in the reader's words: as the plugin says them, else by the labels of its fields. */
export function useValueWords(): (setting: Said, value: unknown) => string {
  const t = useTranslations('domain.changes');
  const format = useFormat();
  const words = usePluginWords();
  function labelled(of: PluginWords, path: string, value: unknown): string {
    if (typeof value === 'boolean') return t(value ? 'on' : 'off');
    if (typeof value === 'number') return format.number(value);
    if (Array.isArray(value))
      return value.length === 0 ? t('emptyList') : value.map((entry) => labelled(of, path, entry)).join(', ');
    if (typeof value === 'object' && value !== null && !isPair(value))
      return Object.entries(value)
        .map(([key, part]) => {
          const label = `${path}.${key}.label`;
          return t('labelled', { label: of.has(label) ? of(label) : key, value: labelled(of, `${path}.${key}`, part) });
        })
        .join(', ');
    const option = `${path}.options.${value}`;
    return hasOptions(of, path) && of.has(option) ? of(option) : entryText(value);
  }
  return ({ plugin, field }, value) => {
    const of = plugin === undefined ? undefined : words?.(plugin);
    if (plugin === undefined || !of) return typeof value === 'number' ? format.number(value) : entryText(value);
    const say = (entry: unknown) => sayings[plugin]?.(field, entry, of);
    const said = Array.isArray(value) ? value.map(say) : [say(value)];
    return said.every((one) => one !== undefined) ? said.join('; ') : labelled(of, `fields.${field}`, value);
  };
}
