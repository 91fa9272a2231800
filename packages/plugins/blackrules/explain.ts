import { parseRange, rangeContains } from '@cordon/contract/address';
import type { EdgeContext, EdgeKit } from '@cordon/plugin-kit/edge';
import type { Explain } from '@cordon/plugin-kit/trace';
import { holdsOfPart } from './conditions.ts';
import type { BlackrulesConfig, Condition, Part } from './schema.ts';

/** More than a reader takes in. */
const SHOWN_MAX = 20;

/** A set of each entry alone would take longer than all that the rule was prepared with. */
function isInRange(entry: string, ctx: EdgeContext): boolean {
  const range = parseRange(entry);
  return range !== undefined && rangeContains(range, ctx.request.clientAddress);
}

/** A condition with those of its values alone that fit the request; whole where that cannot be told. */
function narrowed(condition: Condition, ctx: EdgeContext, kit: EdgeKit): Condition {
  if (condition.not || !('values' in condition)) return condition;
  const doubts = ctx.doubtCount();
  const fitting = (condition.values as readonly unknown[]).filter((value) =>
    condition.field === 'address'
      ? isInRange(value as string, ctx)
      : holdsOfPart({ ...condition, values: [value] } as Condition, kit)(ctx, false),
  );
  return fitting.length === 0 || ctx.doubtCount() > doubts
    ? condition
    : ({ ...condition, values: fitting } as Condition);
}

/**
 * The conditions by which a part holds, without the groups around them; what is turned round is whole. Undefined: it does not hold,
 * or a doubt alone lets it hold and the rule may have held without it.
 */
function matchedOf(
  part: Part,
  { isStrict, isNeeded }: { isStrict: boolean; isNeeded: boolean },
  ctx: EdgeContext,
  kit: EdgeKit,
): readonly Part[] | undefined {
  if (!('conditions' in part) || part.not) {
    const doubts = ctx.doubtCount();
    if (!holdsOfPart(part, kit)(ctx, isStrict)) return undefined;
    if (!isNeeded && ctx.doubtCount() > doubts) return undefined;
    return ['conditions' in part ? part : narrowed(part, ctx, kit)];
  }
  const matched = part.conditions.flatMap((one) => {
    const found = matchedOf(one, { isStrict, isNeeded: isNeeded && part.match === 'all' }, ctx, kit);
    return found ? [found] : [];
  });
  const isEnough = part.match === 'all' ? matched.length === part.conditions.length : matched.length > 0;
  return isEnough ? matched.flat() : undefined;
}

/** The conditions of the rule that decided, each with the values that the request has. */
export const explain: Explain<BlackrulesConfig> = ({ black_rules: rules }, { reason, rule }, ctx, kit) => {
  const found = rules.find(({ name }) => name === rule);
  if (found === undefined || reason === 'rule_in_doubt') return [];
  const matched = matchedOf(found.when, { isStrict: found.action === 'allow', isNeeded: true }, ctx, kit) ?? [];
  return matched.slice(0, SHOWN_MAX).map((part) => ({ ...part }));
};
