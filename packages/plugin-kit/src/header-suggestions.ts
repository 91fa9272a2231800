import type { PluginFormWords, PluginSuggestion } from './form.ts';
import { foldName } from './header-name.ts';
import type { PluginMessage } from './plugin.ts';

export interface HeaderEntry {
  readonly name: string;
  readonly value: string;
}

/** What the plugins with a list of header fields are set to. */
export interface HeaderConfig {
  readonly add: { readonly headers: readonly HeaderEntry[] };
}

/** What is to be known about a field with this value, if anything. */
export type WarnOfHeader = (header: HeaderEntry) => PluginMessage | undefined;

/** A header field that many set. Its catalog says why, as `suggestions.why.<name>`, and in few words as `suggestions.gist.<name>`. */
export interface HeaderSuggestion {
  readonly name: string;
  /** Undefined: the customer's own. */
  readonly value: string | undefined;
  /** The catalog has `suggestions.warning.<name>`. */
  readonly hasWarning?: boolean;
}

/** The suggestions for a list of header fields; `onTake` is given the whole list with one more. */
export function suggestHeaders(
  suggestions: readonly HeaderSuggestion[],
  headers: readonly HeaderEntry[],
  t: PluginFormWords,
  onTake: (headers: HeaderEntry[]) => void,
): PluginSuggestion[] {
  const taken = new Set(headers.map(({ name }) => foldName(name.trim())));
  return suggestions.map(({ name, value, hasWarning }) => ({
    name,
    value: value ?? t('suggestions.own'),
    isValueWords: value === undefined,
    why: t(`suggestions.why.${name}`),
    gist: t(`suggestions.gist.${name}`),
    warning: hasWarning ? t(`suggestions.warning.${name}`) : undefined,
    isTaken: taken.has(foldName(name)),
    onTake() {
      const filled = headers.filter((header) => header.name !== '' || header.value !== '');
      onTake([...filled, { name, value: value ?? '' }]);
    },
  }));
}
