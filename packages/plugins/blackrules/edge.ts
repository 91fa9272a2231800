import type { EdgeHandler, Verdict } from '@cordon/plugin-kit/edge';
import { type Holds, holdsOfGroup, requireKnown } from './conditions.ts';
import type { BlackrulesConfig, Rule } from './schema.ts';

export interface PreparedRule {
  readonly holds: Holds;
  /** Whether a doubt counts against the visitor: what lets pass has to be sure. */
  readonly isStrict: boolean;
  readonly verdict: NonNullable<Verdict>;
  /** Where it could not be found out whether the rule matches: that request had cost all that it may. */
  readonly doubtful: NonNullable<Verdict>;
}

function verdictOf(action: Rule['action'], rule: string, isDoubtful: boolean): NonNullable<Verdict> {
  if (action === 'block')
    return { kind: 'block', status: 403, reason: isDoubtful ? 'rule_in_doubt' : 'rule_matched', rule };
  if (action === 'challenge')
    return { kind: 'challenge', way: 'js', reason: isDoubtful ? 'rule_in_doubt' : 'rule_challenged', rule };
  if (action === 'allow') return { kind: 'allow', reason: 'rule_allowed', rule };
  return { kind: 'log', reason: isDoubtful ? 'rule_in_doubt' : 'rule_logged', rule };
}

export const handler: EdgeHandler<BlackrulesConfig, readonly PreparedRule[]> = {
  prepare: (config, kit) => {
    const rules: PreparedRule[] = [];
    for (const { enabled, action, name, when } of config.black_rules) {
      if (enabled) {
        requireKnown('action', action, ['block', 'challenge', 'log', 'allow']);
        rules.push({
          holds: holdsOfGroup(when, kit),
          isStrict: action === 'allow',
          verdict: verdictOf(action, name, false),
          doubtful: verdictOf(action, name, true),
        });
      }
    }
    return rules;
  },

  access: (ctx, rules) => {
    let logged: Verdict;
    for (const rule of rules) {
      const doubts = ctx.doubtCount();
      if (rule.holds(ctx, rule.isStrict)) {
        const verdict = ctx.doubtCount() === doubts ? rule.verdict : rule.doubtful;
        if (verdict.kind === 'log') logged ??= verdict;
        // For who has proved itself the next rules still decide.
        else if (verdict.kind !== 'challenge' || ctx.provedAt(verdict.way) === undefined) return verdict;
      }
    }
    return logged;
  },
};
