import { definePlugin, type PluginNotice } from '@cordon/plugin-kit';
import { ADDRESS_LIST_ERROR_CODES, hostBitsNotices } from '@cordon/plugin-kit/address-list';
import { PATTERNS_ERROR_CODES } from '@cordon/plugin-kit/text-schema';
import { exceptions, letsPass } from './exceptions.ts';
import { pathNotices } from './path-values.ts';
import { type Group, type Rule, schema } from './schema.ts';

/** Remarks on addresses and paths of a group's conditions, by their places. */
function noticesOf(path: string, group: Group): PluginNotice[] {
  return group.conditions.flatMap((part, index) => {
    const at = `${path}.conditions.${index}`;
    if ('conditions' in part) return noticesOf(at, part);
    return part.field === 'address' ? hostBitsNotices(`${at}.values`, part.values) : pathNotices(`${at}.values`, part);
  });
}

export const definition = definePlugin({
  name: 'blackrules',
  phase: 'access',
  order: 30,
  area: 'protection',
  schema,
  errorCodes: [
    ...ADDRESS_LIST_ERROR_CODES,
    ...PATTERNS_ERROR_CODES,
    'COUNTRY_UNKNOWN',
    'ASN_INVALID',
    'METHOD_INVALID',
    'HEADER_NAME_INVALID',
    'RULE_NAME_TAKEN',
    'PATH_SLASH_MISSING',
    'PATH_SLASH_REPEATED',
    'TOO_MANY_CONDITIONS',
    'TOO_MANY_VALUES',
    'TOO_MANY_ADDRESSES',
  ],
  reasons: ['rule_matched', 'rule_challenged', 'rule_logged', 'rule_allowed', 'rule_in_doubt'],
  tier: 'free',
  hasWideForm: true,
  start: {
    black_rules: [
      {
        name: 'form.newRule',
        action: 'block',
        enabled: true,
        when: {
          match: 'all',
          not: false,
          conditions: [{ field: 'path', test: 'begins_with', values: [], ignore_case: false, not: false }],
        },
      },
    ],
  },

  summary({ black_rules: rules }) {
    const counted = (action: Rule['action']) => rules.filter((rule) => rule.enabled && rule.action === action).length;
    const first = (['block', 'challenge', 'allow', 'log'] as const).find((action) => counted(action) > 0);
    const further = (action: Rule['action']) => (action === first ? 0 : counted(action));
    return {
      message: 'summary.rules',
      params: {
        first: first ?? '',
        count: first ? counted(first) : 0,
        challenge: further('challenge'),
        allow: further('allow'),
        log: further('log'),
      },
    };
  },

  exceptions,
  letsPass,

  notices: ({ black_rules: rules }) => rules.flatMap(({ when }, index) => noticesOf(`black_rules.${index}.when`, when)),
});
