import type { MissingField } from '@cordon/contract';
import type { EdgeContext, EdgeKit, Verdict } from '@cordon/plugin-kit/edge';
import { RECORDED_HEADERS, REDACTED_VALUE, type Recorded, type UnknownRule } from '@cordon/plugin-kit/recorded';
import { holdsOfPart } from './conditions.ts';
import { handler, type PreparedRule } from './edge.ts';
import type { BlackrulesConfig, Condition, Part } from './schema.ts';

/** As `Holds`; undefined where the log lacks what would tell. */
type HoldsIfKnown = (ctx: EdgeContext, isStrict: boolean) => boolean | undefined;
interface RecordedRule {
  readonly prepared: PreparedRule;
  /** What the log lacks, where that leaves open whether the rule holds. */
  readonly missing: (ctx: EdgeContext) => readonly MissingField[];
  readonly unknown: Omit<UnknownRule, 'fields'>;
}

/** What the log lacks to judge a condition of a request; undefined: nothing. */
type Missing = (ctx: EdgeContext) => MissingField | undefined;

function missingOf(condition: Condition, knowsNetworks: boolean): Missing | undefined {
  const { field } = condition;
  if (field === 'asn') return knowsNetworks ? undefined : () => ({ field, name: '' });
  if (field === 'cookie') return () => ({ field, name: condition.name });
  if (field === 'header') {
    const { name } = condition;
    return RECORDED_HEADERS.includes(name.toLowerCase()) ? undefined : () => ({ field, name });
  }
  if (field === 'argument') {
    const { name, test } = condition;
    // Names of arguments are in the log, unless it left the query out whole.
    const isMissing = (ctx: EdgeContext) =>
      ctx.request.query === REDACTED_VALUE ||
      (test !== 'exists' && ctx.argumentValues(name).some((value) => value === REDACTED_VALUE));
    return (ctx) => (isMissing(ctx) ? { field, name } : undefined);
  }
  if (field !== 'query') return undefined;
  return (ctx) => (ctx.request.query.includes(REDACTED_VALUE) ? { field, name: '' } : undefined);
}

/** Three values: of conditions of which some are not known, the known ones may decide. `onMissing` hears of the others. */
function holdsIfKnown(
  part: Part,
  kit: EdgeKit,
  knowsNetworks: boolean,
  onMissing: (field: MissingField) => void,
): HoldsIfKnown {
  if ('conditions' in part) {
    const parts = part.conditions.map((one) => holdsIfKnown(one, kit, knowsNetworks, onMissing));
    const deciding = part.match === 'any';
    return (ctx, isStrict) => {
      let isOpen = false;
      for (const one of parts) {
        const holds = one(ctx, isStrict !== part.not);
        if (holds === deciding) return deciding !== part.not;
        isOpen ||= holds === undefined;
      }
      return isOpen ? undefined : deciding === part.not;
    };
  }
  const holds = holdsOfPart(part, kit);
  const missing = missingOf(part, knowsNetworks);
  if (missing === undefined) return holds;
  return (ctx, isStrict) => {
    const found = missing(ctx);
    // What was found in the rest of a query is there, whatever was left out of it.
    const isEnough = part.field === 'query' && part.test === 'contains';
    if (found === undefined || (isEnough && holds(ctx, isStrict) !== part.not)) return holds(ctx, isStrict);
    onMissing(found);
    return undefined;
  };
}

const asksForMissing = (part: Part, knowsNetworks: boolean): boolean =>
  'conditions' in part
    ? part.conditions.some((one) => asksForMissing(one, knowsNetworks))
    : missingOf(part, knowsNetworks) !== undefined;

const NOTHING: readonly MissingField[] = [];

export const recorded: Recorded<BlackrulesConfig, readonly RecordedRule[]> = ({ knowsNetworks, leaveUnknown }) => ({
  prepare(config, kit) {
    const enabled = config.black_rules.filter((rule) => rule.enabled);
    return handler.prepare(config, kit, undefined).rules.map((prepared, index): RecordedRule => {
      const { name, action, when } = enabled[index] as (typeof enabled)[number];
      const unknown = { rule: name, verdict: action, id: JSON.stringify([action, when]) };
      if (!asksForMissing(when, knowsNetworks)) return { prepared, unknown, missing: () => NOTHING };
      let fields: MissingField[] = [];
      const holds = holdsIfKnown(when, kit, knowsNetworks, (field) => fields.push(field));
      const missing = (ctx: EdgeContext) => {
        fields = [];
        return holds(ctx, prepared.isStrict) === undefined ? fields : NOTHING;
      };
      return { prepared, unknown, missing };
    });
  },

  access(ctx, rules) {
    let logged: Verdict;
    for (const { prepared, missing, unknown } of rules) {
      const fields = missing(ctx);
      if (fields.length > 0) leaveUnknown({ ...unknown, fields });
      else {
        const verdict = handler.access?.(ctx, { rules: [prepared], areOfPathAndAgent: false });
        if (verdict?.kind === 'log') logged ??= verdict;
        else if (verdict !== undefined) return verdict;
      }
    }
    return logged;
  },
});
