import { Info, RefreshCw } from 'lucide-react';
import { type ReactNode, useId, useState } from 'react';
import { useTranslations } from 'use-intl';
import { failureTexts } from '../../app/failure';
import { Button, IconButton } from '../../ui/button';
import { useFormat } from '../../ui/format';
import { joinSentences } from '../../ui/sentences';
import { Skeleton } from '../../ui/states';
import { challengeKind } from '../words/challenge-kind';
import { LARGE_SHARE } from './large-share';
import { stopKind } from './stop-kind';
import { useMissingWords } from './use-missing-words';
import type { ShownReplay } from './use-replay';

const Loud = ({ children }: { children: ReactNode }) => (
  <strong className="block font-semibold text-warning">{children}</strong>
);

function ReplayText({ replay: { result, isLoading, failure } }: { replay: ShownReplay }) {
  const t = useTranslations('domain.plugin.replay');
  const format = useFormat();
  const missingOf = useMissingWords();
  if (failure) return joinSentences([t('failed'), ...failureTexts(failure)]);
  if (!result) return isLoading ? <Skeleton className="h-4 w-full" /> : null;
  if (result.requests === 0) return t('none');
  const { requests, is_complete, verdicts, newly_blocked, blocked_elsewhere, newly_passed, unknown_rules } = result;
  const stopped = verdicts.block + verdicts.challenge;
  const share = stopped / requests;
  const isLarge = share >= LARGE_SHARE;
  const counted = {
    kind: challengeKind(result.plugin),
    complete: String(is_complete),
    requests,
    answered: stopped + verdicts.redirect,
    stopped,
    blocked: verdicts.block,
    challenged: verdicts.challenge,
    redirected: verdicts.redirect,
    newlyBlocked: newly_blocked,
    elsewhere: blocked_elsewhere,
    newlyPassed: newly_passed,
    unknown: verdicts.unknown,
    others: requests - verdicts.unknown,
  };
  // Where all were stopped in one way the counts would say so once more: what became of them is left to say.
  const isSaid =
    isLarge &&
    is_complete &&
    (verdicts.block === stopped || verdicts.challenge === stopped) &&
    verdicts.redirect + verdicts.unknown === 0;
  const changed = newly_blocked + blocked_elsewhere;
  return (
    <>
      {isLarge && (
        <Loud>
          {t('large', {
            kind: stopKind(result),
            complete: String(is_complete),
            count: stopped,
            requests,
            share: format.percent(share, 0),
          })}
        </Loud>
      )}
      {unknown_rules.length > 0 && (
        <Loud>{t('unknown', { count: unknown_rules.length, missing: missingOf(unknown_rules) })}</Loud>
      )}
      {isSaid ? changed + newly_passed > 0 && t('ofThem', { ...counted, changed }) : t('counts', counted)}
    </>
  );
}

/** What the settings would have done to recent requests, in a place that stays while it is not known, and what it cannot see. */
export function ReplayLine({ replay }: { replay: ShownReplay }) {
  const t = useTranslations('domain.plugin.replay');
  const tUi = useTranslations('ui');
  const format = useFormat();
  const id = useId();
  const [isOpen, setOpen] = useState(false);
  const { result, isStale } = replay;
  const hasFailed = Boolean(replay.failure);
  const isEmpty = result === undefined && !replay.isLoading && !hasFailed;
  const isShown = result !== undefined && result.requests > 0 && !hasFailed;
  const isOutdated = isStale && (result !== undefined || hasFailed);
  return (
    // Where nothing is said no room is kept, but what will say it is there.
    <div className={isEmpty ? 'sr-only' : 'w-full text-sm text-muted phone:flex-none!'}>
      <div className="flex min-h-9 items-center gap-2">
        <p role="status" aria-busy={isStale} className="relative tabular min-w-0 flex-1">
          {/* What was counted for other settings only keeps its room. */}
          <span aria-hidden={isOutdated} className={isOutdated ? 'invisible' : undefined}>
            <ReplayText replay={replay} />
          </span>
          {isOutdated && <span className="absolute inset-0">{t('counting')}</span>}
        </p>
        {hasFailed && !isOutdated && (
          <Button size="sm" icon={<RefreshCw size={16} aria-hidden />} onClick={replay.retry}>
            {tUi('retry')}
          </Button>
        )}
        {isShown && (
          <IconButton
            size="sm"
            label={t('about')}
            aria-expanded={isOpen}
            aria-controls={id}
            icon={<Info size={16} aria-hidden />}
            onClick={() => setOpen(!isOpen)}
          />
        )}
      </div>
      {isShown && isOpen && (
        <p id={id} className="mt-1">
          {t('unseen', { parts: format.list(result.unseen.map((part) => t(`parts.${part}`))) })}
        </p>
      )}
    </div>
  );
}
