import type { ExpectedAnswer, ExpectedMessage, PluginCase } from '../cases.ts';
import type { ChallengeWay } from '../edge/context.ts';
import type { PlainOutcome } from './case-runner.ts';

type Expectation = PluginCase<unknown>['expect'];
type Fields = Readonly<Record<string, string | undefined>>;

/** What came of a case, wherever it ran. */
export interface CaseOutcome {
  readonly kind: string;
  readonly status: number;
  readonly reason: string;
  readonly rule: string;
  readonly location: string;
  /** How the client is to prove itself; empty: it need not. */
  readonly way: string;
  /** 0: the client is not banned. */
  readonly banSeconds: number;
  /** What the origin was asked for; fields by name in lower case. */
  readonly origin: { readonly host: string; readonly fields: Fields };
  /** What the visitor got, with `{{request_id}}` for the id of the request. */
  readonly answer: { readonly status: number; readonly fields: Fields; readonly body: string };
}

/** Fields of `name: value` lines. */
function readLines(lines: string): Fields {
  return Object.fromEntries(
    lines
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => line.split(/: (.*)/s))
      .map(([name = '', value = '']) => [name, value]),
  );
}

export function readOutcome(plain: PlainOutcome): CaseOutcome {
  const [
    kind = '',
    status,
    reason = '',
    rule = '',
    location = '',
    way = '',
    banSeconds,
    host = '',
    asked = '',
    ...visitor
  ] = plain;
  const [answerStatus, answerFields = '', body = ''] = visitor;
  return {
    kind,
    status: Number(status),
    reason,
    rule,
    location,
    way,
    banSeconds: Number(banSeconds),
    origin: { host, fields: readLines(asked) },
    answer: { status: Number(answerStatus), fields: readLines(answerFields), body },
  };
}

/** The fields that the case looks at. */
const pick = (fields: Fields, { fields: expected }: ExpectedMessage): ExpectedMessage =>
  expected === undefined
    ? {}
    : { fields: Object.fromEntries(Object.keys(expected).map((name) => [name, fields[name] ?? null])) };

function answerOf({ answer }: CaseOutcome, expected: ExpectedAnswer): ExpectedAnswer {
  return {
    ...pick(answer.fields, expected),
    ...(expected.status === undefined ? {} : { status: answer.status }),
    ...(expected.body === undefined ? {} : { body: answer.body }),
  };
}

/** The outcome in the shape of `PluginCase.expect`, with no more than the case looks at; equal to it when all is well. */
export function inShapeOf(outcome: CaseOutcome, expected: Expectation): Expectation {
  const { kind, status, reason, location } = outcome;
  const rule = 'rule' in expected && expected.rule !== undefined ? { rule: outcome.rule } : {};
  const answer = expected.answer === undefined ? {} : { answer: answerOf(outcome, expected.answer) };
  if (kind === 'pass') {
    const asked = 'origin' in expected ? expected.origin : undefined;
    const host = asked?.host === undefined ? {} : { host: outcome.origin.host };
    const origin = asked === undefined ? {} : { origin: { ...host, ...pick(outcome.origin.fields, asked) } };
    return { verdict: 'pass', ...origin, ...answer };
  }
  if (kind === 'allow' || kind === 'log') return { verdict: kind, reason, ...rule, ...answer };
  if (kind === 'block') {
    const ban = 'banSeconds' in expected ? { banSeconds: outcome.banSeconds } : {};
    return { verdict: 'block', status, reason, ...rule, ...ban, ...answer };
  }
  if (kind === 'challenge')
    return { verdict: 'challenge', way: outcome.way as ChallengeWay, reason, ...rule, ...answer };
  if (kind === 'redirect') return { verdict: 'redirect', status, reason, location, ...answer };
  throw new Error(`the handler answered ${kind}`);
}
