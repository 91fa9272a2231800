import type { CommonAttack } from '@cordon/contract';
import { isSame } from '@cordon/contract/is-same';
import { type BlackrulesConfig, type Condition, type Group, RULES_MAX, type Rule } from './schema.ts';

const contains = (field: 'path' | 'query' | 'user_agent', values: readonly string[]): Condition => ({
  field,
  test: 'contains',
  values: [...values],
  ignore_case: true,
  not: false,
});
const LOOKUP = `\${jndi:`;

/**
 * What gives each away in the request, by substrings that ordinary requests do not have: a first rule, that its owner refines. What
 * nginx refuses by itself has none.
 */
const SIGNS: { readonly [Attack in CommonAttack]?: readonly Condition[] } = {
  sql_injection: [
    contains('query', [
      'union select',
      'union+select',
      'union all select',
      'union+all+select',
      "' or '1'='1",
      'information_schema',
    ]),
  ],
  cross_site_scripting: [contains('query', ['<script', 'javascript:', 'onerror=', 'document.cookie'])],
  environment_file: [contains('path', ['/.env'])],
  git_config: [contains('path', ['/.git/'])],
  scanner: [
    contains('user_agent', [
      'sqlmap',
      'nikto',
      'nuclei',
      'acunetix',
      'masscan',
      'zgrab',
      'gobuster',
      'dirbuster',
      'wpscan',
    ]),
  ],
  log4shell: [
    { ...contains('query', [LOOKUP]), field: 'header', name: 'X-Api-Version' } as Condition,
    contains('user_agent', [LOOKUP]),
    contains('query', [LOOKUP]),
  ],
};

/** A name that no rule has. */
function freeName(name: string, rules: readonly Rule[]): string {
  const isTaken = (text: string) => rules.some((rule) => rule.name === text);
  let free = name;
  for (let number = 2; isTaken(free); number++) free = `${name} ${number}`;
  return free;
}

/** A rule more, the last: what the customer's own rules decide stays as it is. */
export function remedy(config: BlackrulesConfig, attack: CommonAttack, name: string): BlackrulesConfig | undefined {
  const { black_rules: rules } = config;
  const conditions = SIGNS[attack];
  if (!conditions) return undefined;
  const when: Group = { match: 'any', conditions, not: false };
  // Renamed it is still the same rule.
  if (config.black_rules.some((rule) => rule.enabled && rule.action === 'block' && isSame(rule.when, when)))
    return config;
  if (rules.length >= RULES_MAX) return undefined;
  return { black_rules: [...rules, { name: freeName(name, rules), action: 'block', enabled: true, when }] };
}
