import type { Route } from '@cordon/contract';
import { useQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { useTranslations } from 'use-intl';
import { describeFailure, failureTexts } from '../../../app/failure';
import { useStandingError } from '../../../domain/form/use-standing-error';
import { Button } from '../../../ui/button';
import { Card } from '../../../ui/card';
import { SegmentedControl } from '../../../ui/choice';
import { Field } from '../../../ui/field';
import { useFormat } from '../../../ui/format';
import { momentText } from '../../../ui/moment-text';
import { ErrorState } from '../../../ui/states';
import { textLinkClass } from '../../../ui/text-link-class';
import { isCached } from '../is-cached';
import { useIsFree } from '../use-is-free';
import { developmentModeOptions, useSwitchDevelopmentMode } from './queries';
import { useTimeLeft } from './use-time-left';

const MINUTES = ['30', '180', '1440'] as const;
const MINUTES_DEFAULT = '180';

/** For how long yet, and until when. */
function OnLine({ endsAt }: { endsAt: string }) {
  const t = useTranslations('caching.developmentMode');
  const format = useFormat();
  return t('on', { time: useTimeLeft(endsAt), end: momentText(format, endsAt) });
}

/** Starts it, changes when it ends, and ends it. */
function DevelopmentSwitch({ routeId, isOn }: { routeId: string; isOn: boolean }) {
  const t = useTranslations('caching.developmentMode');
  const [minutes, setMinutes] = useState<string>(MINUTES_DEFAULT);
  const { mutate, isPending, variables, error: failure } = useSwitchDevelopmentMode(routeId);
  const error = useStandingError(failure, minutes);
  const isEnding = isPending && variables === null;
  const start = useRef<HTMLButtonElement>(null);
  const end = () =>
    mutate(null, {
      onSuccess() {
        // The button that was pressed goes with what it ended.
        const { activeElement: active } = document;
        if (active === document.body || active?.nextSibling === start.current) start.current?.focus();
      },
    });
  return (
    <div className="flex flex-col gap-3">
      <Field label={t(isOn ? 'endsIn' : 'howLong')}>
        <SegmentedControl
          options={MINUTES.map((value) => ({ value, label: t(`for.${value}`) }))}
          value={minutes}
          onValueChange={setMinutes}
          disabled={isPending}
          className="self-start"
        />
      </Field>
      <div className="flex flex-wrap gap-2">
        {isOn && (
          <Button variant="primary" loading={isEnding} aria-disabled={isPending} onClick={isPending ? undefined : end}>
            {t('end')}
          </Button>
        )}
        <Button
          ref={start}
          variant={isOn ? 'secondary' : 'primary'}
          loading={isPending && !isEnding}
          aria-disabled={isPending}
          onClick={isPending ? undefined : () => mutate(Number(minutes))}
        >
          {t(isOn ? 'change' : 'start')}
        </Button>
      </div>
      {error &&
        failureTexts(error).map((reason) => (
          <p key={reason} role="alert" className="text-sm text-danger">
            {reason}
          </p>
        ))}
    </div>
  );
}

interface DevelopmentPanelProps {
  route: Route;
  /** Leads to where the cache is cleared. */
  onClear: () => void;
}

/** Whether it is on, and its switch. */
function DevelopmentState({ route, onClear }: DevelopmentPanelProps) {
  const t = useTranslations('caching.developmentMode');
  const query = useQuery(developmentModeOptions(route));
  const isFree = useIsFree(route);
  if (query.isLoadingError)
    return (
      <ErrorState
        {...describeFailure(query.error)}
        onRetry={() => void query.refetch()}
        isRetrying={query.isFetching}
        className="py-4!"
      />
    );
  const endsAt = query.data?.ends_at ?? null;
  return (
    <div className="flex flex-col gap-4">
      <p role="status" className="font-medium tabular">
        {endsAt === null ? t(isCached(route) ? 'off' : 'offUncached') : <OnLine endsAt={endsAt} />}
      </p>
      <DevelopmentSwitch routeId={route.id} isOn={endsAt !== null} />
      <p className="text-sm text-muted">
        {isFree
          ? t('keptFree')
          : t.rich('kept', {
              link: (words) => (
                <button type="button" className={`${textLinkClass} reach`} onClick={onClear}>
                  {words}
                </button>
              ),
            })}
      </p>
    </div>
  );
}

/** Has all requests of a domain pass by its cache for a while. */
export function DevelopmentPanel({ route, onClear }: DevelopmentPanelProps) {
  const t = useTranslations('caching.developmentMode');
  const hindrance =
    route.suspension !== null ? 'suspended' : route.version_live === null ? ('never' as const) : undefined;
  return (
    <Card title={t('title')} description={t('description')} aria-label={t('title')}>
      {hindrance === undefined ? (
        <DevelopmentState route={route} onClear={onClear} />
      ) : (
        <p className="text-sm text-muted">{t(`not.${hindrance}`)}</p>
      )}
    </Card>
  );
}
