import type { EdgeHandler, Verdict } from '@cordon/plugin-kit/edge';
import { type Holds, holdsOfGroup } from './conditions.ts';
import type { BlackrulesConfig } from './schema.ts';

interface PreparedRule {
  readonly holds: Holds;
  /** Whether a doubt counts against the visitor: what lets pass has to be sure. */
  readonly isStrict: boolean;
  readonly verdict: NonNullable<Verdict>;
}

function verdictOf(action: 'block' | 'log' | 'allow', rule: string): NonNullable<Verdict> {
  if (action === 'block') return { kind: 'block', status: 403, reason: 'rule_matched', rule };
  return { kind: action, reason: action === 'allow' ? 'rule_allowed' : 'rule_logged', rule };
}

export const handler: EdgeHandler<BlackrulesConfig, readonly PreparedRule[]> = {
  prepare: (config, kit) => {
    const rules: PreparedRule[] = [];
    for (const { enabled, action, name, when } of config.black_rules) {
      if (enabled)
        rules.push({ holds: holdsOfGroup(when, kit), isStrict: action === 'allow', verdict: verdictOf(action, name) });
    }
    return rules;
  },

  access: (ctx, rules) => {
    let logged: Verdict;
    for (const { holds, isStrict, verdict } of rules) {
      if (holds(ctx, isStrict)) {
        if (verdict.kind !== 'log') return verdict;
        logged ??= verdict;
      }
    }
    return logged;
  },
};
