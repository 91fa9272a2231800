import type { EdgeContext, EdgeHandler, Verdict } from '@cordon/plugin-kit/edge';
import { type Holds, holdsOfGroup, requireKnown } from './conditions.ts';
import type { BlackrulesConfig, Group, Rule } from './schema.ts';

export interface PreparedRule {
  readonly holds: Holds;
  /** Whether a doubt counts against the visitor: what lets pass has to be sure. */
  readonly isStrict: boolean;
  readonly verdict: NonNullable<Verdict>;
  /** Where it could not be found out whether the rule matches: that request had cost all that it may. */
  readonly doubtful: NonNullable<Verdict>;
}

/** What a configuration's enabled rules come to. */
export interface PreparedRules {
  readonly rules: readonly PreparedRule[];
  /** Nothing but the path and the User-Agent of a request decides which of them match. */
  readonly areOfPathAndAgent: boolean;
}

const isOfPathAndAgent = ({ conditions }: Group): boolean =>
  conditions.every((part) =>
    'conditions' in part ? isOfPathAndAgent(part) : part.field === 'path' || part.field === 'user_agent',
  );

function verdictOf(action: Rule['action'], rule: string, isDoubtful: boolean): NonNullable<Verdict> {
  if (action === 'block')
    return { kind: 'block', status: 403, reason: isDoubtful ? 'rule_in_doubt' : 'rule_matched', rule };
  if (action === 'challenge')
    return { kind: 'challenge', way: 'js', reason: isDoubtful ? 'rule_in_doubt' : 'rule_challenged', rule };
  if (action === 'allow') return { kind: 'allow', reason: 'rule_allowed', rule };
  return { kind: 'log', reason: isDoubtful ? 'rule_in_doubt' : 'rule_logged', rule };
}

/** The first match that decides, else the first that is only logged. */
function judge(ctx: EdgeContext, prepared: PreparedRules): Verdict {
  const doubtsBefore = ctx.doubtCount();
  let logged: Verdict;
  let hasMatch = false;
  for (const rule of prepared.rules) {
    const doubts = ctx.doubtCount();
    if (rule.holds(ctx, rule.isStrict)) {
      hasMatch = true;
      const verdict = ctx.doubtCount() === doubts ? rule.verdict : rule.doubtful;
      if (verdict.kind === 'log') logged ??= verdict;
      // For who has proved itself the next rules still decide.
      else if (verdict.kind !== 'challenge' || ctx.provedAt(verdict.way) === undefined) return verdict;
    }
  }
  if (prepared.areOfPathAndAgent && !hasMatch && ctx.doubtCount() === doubtsBefore) ctx.noteWithoutEffect(prepared);
  return logged;
}

export const handler: EdgeHandler<BlackrulesConfig, PreparedRules> = {
  prepare: (config, kit) => {
    const rules: PreparedRule[] = [];
    let areOfPathAndAgent = true;
    for (const { enabled, action, name, when } of config.black_rules) {
      if (enabled) {
        requireKnown('action', action, ['block', 'challenge', 'log', 'allow']);
        rules.push({
          holds: holdsOfGroup(when, kit),
          isStrict: action === 'allow',
          verdict: verdictOf(action, name, false),
          doubtful: verdictOf(action, name, true),
        });
        areOfPathAndAgent = areOfPathAndAgent && isOfPathAndAgent(when);
      }
    }
    return { rules, areOfPathAndAgent };
  },

  access: (ctx, prepared) => {
    // Without a loop, which LuaJIT does not compile together with what leads to it.
    if (prepared.areOfPathAndAgent && ctx.isWithoutEffect(prepared)) return undefined;
    return judge(ctx, prepared);
  },
};
