import type { Route, Trace, TraceStepRow } from '@cordon/contract';
import clsx from 'clsx';
import { useTranslations } from 'use-intl';
import { challengeKind } from '../../../domain/words/challenge-kind';
import { Card } from '../../../ui/card';
import { useFormat } from '../../../ui/format';
import { joinSentences } from '../../../ui/sentences';
import { AnswerSign } from './answer-sign';
import { foldSteps } from './fold-steps';
import { FoldedSteps } from './folded-steps';
import { TraceStep } from './trace-step';
import type { LoggedRequest, TraceValues } from './trace-values';
import { Verdict } from './verdict';

const ANSWER_TONES = {
  origin: 'text-success',
  block: 'text-danger',
  challenge: 'text-warning',
  redirect: 'text-warning',
};

/** The step that ends the request in a way of its own. */
function verdictOf({ answer: { kind }, steps }: Trace) {
  const step = kind === 'origin' ? undefined : steps.find(({ outcome }) => outcome === kind);
  return kind === 'origin' || step === undefined ? undefined : { ...step, kind };
}

interface TracePipelineProps {
  trace: Trace;
  route: Route;
  /** The logged request that is traced. */
  logged?: LoggedRequest;
  /** The one that was made up. */
  made?: TraceValues;
}

/** What the visitor gets, who decides it and why; then each step of the edge, from top to bottom. */
export function TracePipeline({ trace, route, logged, made }: TracePipelineProps) {
  const t = useTranslations('diagnosis.trace');
  const format = useFormat();
  const { kind, status } = trace.answer;
  const verdict = verdictOf(trace);
  const replay = trace.version === null ? 'draft' : trace.version === route.version_live ? 'live' : 'version';
  const runs = foldSteps(trace.steps);
  // What the verdict above says of the step that decides is not said again at the step.
  const told = logged ?? verdict;
  const isTold = ({ plugin, reason, rule }: TraceStepRow) =>
    told !== undefined && plugin !== '' && plugin === told.plugin && reason === told.reason && rule === told.rule;
  const tTest = useTranslations('diagnosis.testAttack');
  const isAsThen = logged !== undefined && verdict !== undefined && kind === logged.action && status === logged.status;
  const said = kind === 'challenge' ? challengeKind(verdict?.plugin ?? '') : kind;
  const answer =
    kind === 'origin' && logged?.is_test
      ? tTest('outcome.reached')
      : isAsThen
        ? t(`same.${said as Exclude<typeof said, 'origin'>}`)
        : t(`answer.${said}`, { status: status ?? 0 });
  return (
    <Card title={t('pipeline')}>
      {(logged || made) && (
        <h3 className="text-sm text-muted">{t(`replay.${replay}`, { version: trace.version ?? 0 })}</h3>
      )}
      {made && (
        <p className="text-sm wrap-anywhere text-muted">
          <code className="font-mono text-ink">
            {made.method} {made.url}
          </code>
          {made.client.trim() !== '' && (
            <>
              {' · '}
              <code className="font-mono">{made.client.trim()}</code>
            </>
          )}
          {' · '}
          {trace.request.country === '' ? t('countryUnknown') : format.country(trace.request.country)}
        </p>
      )}
      <div
        role="status"
        className={clsx(
          'mb-4 flex items-start gap-2 wrap-anywhere',
          logged ? 'font-medium' : ['text-lg font-semibold', ANSWER_TONES[kind]],
        )}
        data-answer={kind}
      >
        <AnswerSign kind={kind} className={logged ? 'mt-px' : 'mt-1'} />
        {/* Of a logged request the verdict stands above. */}
        {verdict && !logged ? (
          <div className="min-w-0">
            <Verdict verdict={verdict} name={verdict.detail} routeId={route.id} />
            <p className="text-sm font-normal text-muted">{answer}</p>
          </div>
        ) : (
          answer
        )}
      </div>
      <ol>
        {runs.map((run, index) => {
          const [step] = run;
          const isLast = index === runs.length - 1;
          const key = `${step.step} ${step.plugin}`;
          return run.length === 1 ? (
            <TraceStep key={key} step={step} routeId={route.id} isLast={isLast} isTold={isTold(step)} />
          ) : (
            <FoldedSteps key={key} steps={run} routeId={route.id} isLast={isLast} />
          );
        })}
      </ol>
      <p className="mt-4 text-sm text-muted">{joinSentences([t('unseen'), logged && t('loadedUnseen')])}</p>
    </Card>
  );
}
