import { type TlsVerification, type TraceStepRow, tlsVerification } from '@cordon/contract';
import { BANS_FEED } from '@cordon/plugin-kit/feeds';
import { areaOf, feedsOf } from '@cordon/plugins/areas';
import { sayings } from '@cordon/plugins/sayings';
import clsx from 'clsx';
import {
  Ban,
  Check,
  CircleDashed,
  CornerDownRight,
  Eye,
  PencilLine,
  ShieldQuestionMark,
  SkipForward,
} from 'lucide-react';
import { useTranslations } from 'use-intl';
import { challengeKind } from '../../../domain/words/challenge-kind';
import { type PluginWords, pluginName, usePluginWords } from '../../../domain/words/plugin-words';
import { ruleName } from '../../../domain/words/rule-name';
import { Link } from '../../../ui/text-link';
import { SAID_BY_RULE, useReasonWords } from './verdict';

/** The word beside the sign has its colour; that a step passes needs none. */
export const stepLooks: Record<TraceStepRow['outcome'], { word: string; Icon: typeof Check; className: string }> = {
  pass: { word: 'sr-only', Icon: Check, className: 'border-line bg-card text-success' },
  changes: { word: 'text-primary-ink', Icon: PencilLine, className: 'border-primary-ink bg-soft text-primary-ink' },
  log: { word: 'text-warning', Icon: Eye, className: 'border-warning bg-warning-soft text-warning' },
  allow: { word: 'text-success', Icon: Check, className: 'border-success bg-success-soft text-success' },
  skipped: { word: 'text-muted', Icon: SkipForward, className: 'border-line bg-card text-muted' },
  block: { word: 'text-danger', Icon: Ban, className: 'border-danger bg-danger-soft text-danger' },
  challenge: {
    word: 'text-warning',
    Icon: ShieldQuestionMark,
    className: 'border-warning bg-warning-soft text-warning',
  },
  redirect: { word: 'text-warning', Icon: CornerDownRight, className: 'border-warning bg-warning-soft text-warning' },
  not_reached: { word: 'text-muted', Icon: CircleDashed, className: 'border-line bg-card text-muted' },
};

const CHANGES = ['host', 'origin_fields', 'response_fields', 'error_pages'] as const;

/** How the origin's certificate is verified; `none` where the origin is spoken to without TLS. */
const verificationOf = (detail: string): TlsVerification | 'none' => tlsVerification.safeParse(detail).data ?? 'none';

/** What a plugin changes; an API that is newer than this console may know more. */
const changeOf = (reason: string) => CHANGES.find((one) => one === reason) ?? 'other';

/** The result of a step in a sentence. */
function StepSentence({ step }: { step: TraceStepRow }) {
  const t = useTranslations('diagnosis.trace');
  const reasonWords = useReasonWords();
  const { reason, detail } = step;
  const plain = t as unknown as { (key: string, params: { name: string }): string; has(key: string): boolean };
  if (step.outcome === 'skipped') return <>{t('say.skipped')}</>;
  if (step.outcome === 'changes') {
    const change = changeOf(reason);
    if (step.fields && (change === 'origin_fields' || change === 'response_fields'))
      return <>{t(`say.sets.${change}`, { count: step.fields.length })}</>;
    return <>{t(`say.changes.${change}`, { detail })}</>;
  }
  if (step.outcome === 'pass') {
    if (step.step === 'host') return <>{t('say.matched', { name: detail })}</>;
    if (step.step === 'origin_limit')
      return <>{detail === '' ? t('say.unlimited') : t('say.limit', { limit: Number(detail) })}</>;
    if (step.step === 'origin_tls') return <>{t(`say.tls.${verificationOf(detail)}`)}</>;
    return step.step === 'ownership' && detail === 'preview' ? t('say.preview') : null;
  }
  if (reason === '') return null;
  if (step.step === 'request' && plain.has(`malformed.${detail}`))
    return <>{plain(`malformed.${detail}`, { name: step.rule })}</>;
  // The entry that matched stands below.
  if (step.rule !== '' && SAID_BY_RULE.has(reason) && step.outcome !== 'allow') return null;
  const why = reasonWords(step.plugin, reason, detail);
  return <>{step.outcome === 'allow' ? t('say.allowed', { why }) : why}</>;
}

/** The parts of the plugin's settings that the request has, in its own words. */
function Matched({ step: { plugin, matched = [] }, words }: { step: TraceStepRow; words: PluginWords | undefined }) {
  const t = useTranslations('diagnosis.trace');
  const say = sayings[plugin];
  const said = words && say ? matched.flatMap((part) => say('matched', part, words) ?? []) : [];
  if (said.length === 0) return null;
  return (
    <div className="text-sm wrap-anywhere">
      <span className="text-muted">{t('say.matchedParts')}</span>
      <ul className="flex flex-col gap-0.5">
        {[...new Set(said)].map((one) => (
          <li key={one}>{one}</li>
        ))}
      </ul>
    </div>
  );
}

interface TraceStepProps {
  step: TraceStepRow;
  routeId: string;
  isLast: boolean;
  /** Why, and by what entry, stands above. */
  isTold?: boolean;
}

/** What one step of the edge does with the request. */
export function TraceStep({ step, routeId, isLast, isTold = false }: TraceStepProps) {
  const t = useTranslations('diagnosis.trace');
  const wordsOf = usePluginWords();
  const { word, Icon, className } = stepLooks[step.outcome];
  const words = step.plugin === '' ? undefined : wordsOf?.(step.plugin);
  const name = words ? pluginName(words, step.plugin) : step.plugin;
  const isQuiet = step.outcome === 'not_reached' || step.outcome === 'skipped';
  return (
    <li className="relative flex gap-3 pb-4 last:pb-0" data-step={step.plugin || step.step} data-outcome={step.outcome}>
      {!isLast && <span className="absolute top-7 bottom-0 left-[13px] w-px bg-line" aria-hidden />}
      <span className={clsx('z-10 grid size-7 shrink-0 place-items-center rounded-full border', className)}>
        <Icon size={14} aria-hidden />
      </span>
      <div className="min-w-0 flex-1 pt-1">
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <span className={clsx('font-medium', isQuiet && 'text-muted')}>
            {t(`step.${step.step}`, { plugin: name })}
          </span>
          <span className={clsx('text-sm', word)}>
            {t(`outcome.${step.outcome === 'challenge' ? challengeKind(step.plugin) : step.outcome}`)}{' '}
            {!isTold && step.status !== null && <span className="tabular">{step.status}</span>}
          </span>
          {step.plugin !== '' && (
            <Link
              to="/domain/list/$id"
              params={{ id: routeId }}
              search={{ tab: areaOf[step.plugin], edit: step.plugin }}
              className="reach text-sm"
            >
              {t('say.edit')}
            </Link>
          )}
          {step.step === 'https' && (
            <Link to="/domain/list/$id" params={{ id: routeId }} search={{ tab: 'ssl' }} className="reach text-sm">
              {t('say.edit')}
            </Link>
          )}
          {!isTold && step.outcome === 'block' && feedsOf[step.plugin]?.includes(BANS_FEED) && (
            <Link to="/manage-ip" search={{ domain: routeId, q: step.rule }} className="reach text-sm">
              {t('say.ban')}
            </Link>
          )}
        </p>
        {!isTold && (
          <p className="text-sm text-muted wrap-anywhere">
            <StepSentence step={step} />
          </p>
        )}
        {step.signature_taken && <p className="text-sm text-muted">{t('say.signatureTaken')}</p>}
        {step.fields && (
          <ul className="mt-1 flex flex-col gap-0.5 text-sm">
            {step.fields.map(({ name, value }, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a field may come twice, and nothing moves
              <li key={`${name} ${index}`} className="wrap-anywhere">
                <code className="font-mono">{name}:</code>{' '}
                {value === null ? (
                  <span className="text-muted">{t('say.hidden')}</span>
                ) : (
                  <code className="font-mono">{value}</code>
                )}
              </li>
            ))}
          </ul>
        )}
        {!isTold && step.rule !== '' && step.step !== 'request' && (
          <p className="text-sm wrap-anywhere">
            <span className="text-muted">{t('say.rule')}</span>{' '}
            <code className="font-mono">{ruleName(words, step.rule)}</code>
          </p>
        )}
        <Matched step={step} words={words} />
        {step.location !== '' && (
          <p className="text-sm wrap-anywhere">
            <span className="text-muted">{t('say.location')}</span> <code className="font-mono">{step.location}</code>
          </p>
        )}
      </div>
    </li>
  );
}
