import { CHALLENGE_STATUS } from '../edge/challenge.ts';
import type { EdgeContext, ErrorPage, HeaderField, Verdict } from '../edge/context.ts';
import {
  type AnswerSource,
  changesOfAnswer,
  type PipelineEnd,
  type PreparedPlugin,
  type PreparedPlugins,
  pipelineStart,
  runPipeline,
} from '../edge/pipeline.ts';
import { isSecretField } from './origin-fields.ts';
import { type TraceStep, traceStep } from './trace.ts';

/** HTTP status that the visitor is answered with, where the verdict answers. */
export function statusOf(verdict: NonNullable<Verdict>): number | null {
  if (verdict.kind === 'challenge') return CHALLENGE_STATUS;
  return verdict.kind === 'block' || verdict.kind === 'redirect' ? verdict.status : null;
}

function verdictStep(plugin: string, verdict: Verdict): TraceStep {
  if (verdict === undefined || verdict.kind === 'permit') return traceStep('plugin', 'pass', { plugin });
  const { kind, reason, rule } = verdict;
  return traceStep('plugin', kind, {
    plugin,
    reason,
    rule,
    status: statusOf(verdict),
    location: kind === 'redirect' ? verdict.location : '',
    detail: kind === 'challenge' ? verdict.way : '',
  });
}

const shown = (fields: readonly HeaderField[]) => ({
  detail: fields.map(({ name }) => name).join(', '),
  fields: fields.map(({ name, value }) => ({ name, value: isSecretField(name) ? null : value })),
});

/** What the visitor is answered with, as far as plugins' part in it goes. */
export interface TracedAnswer {
  readonly source: AnswerSource;
  /** Null of an origin's, which may be any. */
  readonly status: number | null;
  /** The edge's own checks and the plugins have let the request pass. */
  readonly isPassed: boolean;
}

/** What a plugin that has no say about the request changes about it, or about the answer. */
function changesStep(plugin: PreparedPlugin, plugins: PreparedPlugins, answer: TracedAnswer): TraceStep {
  const { source, status, isPassed } = answer;
  const changes = (reason: string, what: Pick<TraceStep, 'detail' | 'fields'>) =>
    traceStep('plugin', 'changes', { plugin: plugin.name, reason, ...what });
  if (isPassed && plugin.originHost !== undefined) return changes('host', { detail: plugin.originHost });
  if (isPassed && plugin.originFields.length > 0) return changes('origin_fields', shown(plugin.originFields));
  const isOfAnswer = (page: ErrorPage) => status === null || page.status === status;
  const { page, fields } = changesOfAnswer(source, plugins.errorPages.find(isOfAnswer), plugin.responseFields);
  if (fields.length > 0) return changes('response_fields', shown(fields));
  const pages = page === undefined ? [] : plugin.errorPages.filter(isOfAnswer);
  if (pages.length > 0) return changes('error_pages', { detail: pages.map((own) => own.status).join(', ') });
  return traceStep('plugin', isPassed ? 'pass' : 'not_reached', { plugin: plugin.name });
}

/** What came of the plugins that have a say about the request. */
export interface PluginRun {
  /** Steps of those that had their turn, by name. */
  readonly turns: ReadonlyMap<string, TraceStep>;
  readonly end: PipelineEnd | undefined;
}

/**
 * Runs the plugins as the edge does; a refusal that waited for the end of its phase is the step of its own plugin.
 * @param taken What `context` notes of signatures.
 */
export function runPlugins(
  { deciders }: PreparedPlugins,
  context: EdgeContext,
  taken: { isSignatureTaken: boolean },
): PluginRun {
  const turns = new Map<string, TraceStep>();
  const note = (name: string, step: TraceStep) => {
    turns.set(name, taken.isSignatureTaken ? { ...step, isSignatureTaken: true } : step);
    taken.isSignatureTaken = false;
  };
  const end = runPipeline(
    deciders,
    context,
    pipelineStart(),
    ({ name }, verdict) => {
      const waits = verdict.kind === 'block' && verdict.isUnmet === true;
      note(name, verdictStep(name, waits ? undefined : verdict));
    },
    ({ name }, isSkipped) =>
      note(name, isSkipped ? traceStep('plugin', 'skipped', { plugin: name }) : verdictStep(name, undefined)),
  );
  if (end) {
    const { name } = end.plugin;
    turns.set(name, { ...turns.get(name), ...verdictStep(name, end.verdict) });
  }
  return { turns, end };
}

/** The steps of all plugins of a route; `answer` is undefined where the request was not found to be the route's. */
export function pluginSteps(
  plugins: PreparedPlugins,
  turns: PluginRun['turns'],
  answer: TracedAnswer | undefined,
): TraceStep[] {
  return plugins.all.map((plugin) => {
    const notReached = traceStep('plugin', 'not_reached', { plugin: plugin.name });
    if (plugin.access !== undefined) return turns.get(plugin.name) ?? notReached;
    return answer === undefined ? notReached : changesStep(plugin, plugins, answer);
  });
}
