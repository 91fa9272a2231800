import { bypassStatus, failedStatus, forwardedStatus, hitStatus } from '../cache-status.ts';
import { type AnswerDirectives, answerDirectives, type RequestDirectives, requestDirectives } from '../directives.ts';
import { parseHttpDate } from '../http-date.ts';
import { judgeReuse, type StoredAnswer } from '../reuse.ts';
import { cacheControlOf, judgeStorage } from '../storage.ts';
import { surrogateDirectives } from '../surrogate-control.ts';
import { targetedDirectives } from '../targeted-field.ts';
import type { CacheAnswer, CachePolicy, CacheRequest } from '../types.ts';
import type { ReportCase } from './report-cases.ts';

/**
 * What the functions say, in one line each. Runs in Node and, emitted as Lua, under LuaJIT: what is the same in both is written the
 * same.
 */

/** An answer as plain data. */
export interface PlainAnswer {
  readonly status: number;
  /** Field lines by name in lower case. */
  readonly fields: { readonly [name: string]: readonly string[] | undefined };
}

export interface StorageCase {
  readonly policy: CachePolicy;
  readonly request: CacheRequest;
  readonly answer: PlainAnswer;
  readonly requestedAt: number;
  readonly now: number;
}

export interface ReuseCase {
  readonly cacheControl: readonly string[];
  readonly pragma: readonly string[];
  readonly stored: StoredAnswer | undefined;
  readonly now: number;
}

export const cacheAnswer = ({ status, fields }: PlainAnswer): CacheAnswer => ({
  status,
  fieldValues(name) {
    return fields[name] ?? [];
  },
});

const flag = (isSet: boolean): string => (isSet ? '1' : '0');
const number = (value: number | undefined): string => (value === undefined ? '-' : `${value}`);

export const describeDate = (text: string, now: number): string => number(parseHttpDate(text, now));

function describeSaid(said: AnswerDirectives): string {
  const flags = [
    ...[said.hasNoStore, said.hasNoCache, said.hasPrivate, said.hasPublic, said.hasMustRevalidate],
    said.isMustRevalidateSound,
    ...[said.hasProxyRevalidate, said.hasMustUnderstand, said.hasNoTransform],
  ].map(flag);
  const seconds = [
    number(said.maxAgeSeconds),
    number(said.sharedMaxAgeSeconds),
    number(said.staleWhileRevalidateSeconds),
    number(said.staleIfErrorSeconds),
  ];
  return `${flags.join('')} ${seconds.join(' ')} ${said.withheldFields.join(',')}`;
}

export const describeCacheControl = (lines: readonly string[]): string => describeSaid(answerDirectives(lines));

export function describeTargeted(lines: readonly string[]): string {
  const said = targetedDirectives(lines);
  return said === undefined ? 'ignored' : describeSaid(said);
}

export function describeSurrogate(lines: readonly string[]): string {
  const said = surrogateDirectives(lines);
  return said === undefined ? 'ignored' : describeSaid(said);
}

function describeAsked(said: RequestDirectives): string {
  const flags = [said.hasNoStore, said.hasNoCache, said.hasNoTransform, said.hasOnlyIfCached].map(flag);
  const seconds = [
    number(said.maxAgeSeconds),
    number(said.maxStaleSeconds),
    number(said.minFreshSeconds),
    number(said.staleIfErrorSeconds),
  ];
  return `${flags.join('')} ${seconds.join(' ')}`;
}

export const describeRequest = (cacheControl: readonly string[], pragma: readonly string[]): string =>
  describeAsked(requestDirectives(cacheControl, pragma));

export function describeStorage(given: StorageCase): string {
  const answer = cacheAnswer(given.answer);
  const decision = judgeStorage(given.policy, given.request, answer, given.requestedAt, given.now);
  const times = [
    number(decision.freshUntil),
    number(decision.madeAt),
    number(decision.staleWhileRevalidateSeconds),
    number(decision.staleIfErrorSeconds),
  ];
  const lists = [decision.withheldFields, decision.vary, decision.tags, cacheControlOf(given.policy, answer)];
  return [
    decision.unstored ?? 'stored',
    decision.lifetimeSource,
    flag(decision.mustRevalidate),
    ...times,
    ...lists.map((list) => list.join('|')),
  ].join(' ');
}

export function describeReuse({ cacheControl, pragma, stored, now }: ReuseCase): string {
  const decision = judgeReuse(requestDirectives(cacheControl, pragma), stored, now);
  return `${decision.action} ${decision.reason ?? '-'} ${decision.staleIfErrorSeconds}`;
}

export function describeReport(report: ReportCase): string {
  if ('hit' in report) return hitStatus(report.hit);
  if ('failure' in report) return failedStatus(report.failure, report.freshSeconds);
  if ('bypass' in report) return bypassStatus(report.bypass);
  return forwardedStatus(report.forward, report.status, report.unstored, report.freshSeconds);
}
