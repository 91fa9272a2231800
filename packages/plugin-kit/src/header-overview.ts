import { foldName } from './header-name.ts';
import {
  type HeaderConfig,
  type HeaderEntry,
  type HeaderSuggestion,
  suggestHeaders,
  type WarnOfHeader,
} from './header-suggestions.ts';
import type { OverviewValue, PluginOverview, PluginOverviewFacts } from './overview.ts';
import type { PluginSetting } from './plugin.ts';

/** Names of fields with a password, a key or the like: the parts by which the edge keeps values out of its log (`secret-names.ts`), and a few more. */
const SECRET_NAME =
  /auth(?!ors?(?:-|$))|bearer|cookie|cred|csrf|hmac|jwt|key|licen[cs]e|nonce|otp|pass|private|pwd|secret|sess|sig(?!ht|nal)|ticket|token|verif|xsrf|x-access/;

const fieldsOf = (setting: PluginSetting<HeaderConfig> | undefined): ReadonlyMap<string, HeaderEntry> =>
  new Map(setting?.config.add.headers.map((header) => [foldName(header.name), header]));

/** Overview of the plugins with a list of header fields: those that are set, and those that many add. */
export function headerOverview(
  { draft, live, t, onPropose }: PluginOverviewFacts<HeaderConfig>,
  {
    suggestions,
    hidesSecrets = false,
    warn,
  }: {
    readonly suggestions: readonly HeaderSuggestion[];
    /** Values of fields that are named like a secret are not shown. */
    readonly hidesSecrets?: boolean;
    readonly warn?: WarnOfHeader;
  },
): PluginOverview {
  const { headers } = draft.config.add;
  const sent = fieldsOf(live?.enabled ? live : undefined);
  const wanted = fieldsOf(draft);
  const rows = [...new Set([...wanted.keys(), ...sent.keys()])].map((key): OverviewValue => {
    const next = wanted.get(key);
    // What browsers remember of a field that goes is to be known before it goes.
    const told = (draft.enabled ? next : undefined) ?? sent.get(key);
    const warning = told && warn?.(told);
    return {
      key,
      name: (next ?? sent.get(key))?.name ?? key,
      live: sent.get(key)?.value,
      draft: next?.value,
      isSecret: hidesSecrets && SECRET_NAME.test(key),
      warning: warning && t(warning.message, warning.params),
    };
  });
  const items = suggestHeaders(suggestions, headers, t, (next) =>
    onPropose({ ...draft.config, add: { ...draft.config.add, headers: next } }),
  ).filter(({ isTaken }) => !isTaken);
  return {
    values: {
      label: t('overview.set'),
      columns: { name: t('overview.name'), value: t('overview.value'), goesTo: t('overview.goesTo') },
      goesTo: t('overview.receiver'),
      rows,
    },
    suggestions: { label: t('suggestions.brief'), items },
  };
}
