import type { Pause, Route } from '@cordon/contract';
import { useQueryClient } from '@tanstack/react-query';
import { ShieldCheck, ShieldOff } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useTranslations } from 'use-intl';
import { useWho } from '../../../app/who';
import { domainKeys } from '../../../domain/data/keys';
import { Callout } from '../../../domain/form/callout';
import { Button } from '../../../ui/button';
import { useFormat } from '../../../ui/format';
import { momentText } from '../../../ui/moment-text';
import { useEndPause } from './queries';
import { timeLeft } from './time-left';

const ASK_AGAIN_MS = 2000;

/** What is left of a pause, second by second; asks the API once it should be over. */
function useTimeLeft(route: Route, pause: Pause): string | undefined {
  const client = useQueryClient();
  const [now, setNow] = useState(() => Date.now());
  const left = pause.until === null ? undefined : timeLeft(pause.until, now);
  const isOver = pause.until !== null && left === undefined;
  useEffect(() => {
    const timer = window.setInterval(
      () => {
        setNow(Date.now());
        if (isOver) void client.invalidateQueries({ queryKey: domainKeys.detail(route.id) });
      },
      isOver ? ASK_AGAIN_MS : 1000,
    );
    return () => window.clearInterval(timer);
  }, [client, isOver, route.id]);
  return left;
}

/** Protection is off: since when, by whom, for how long; and the way back. */
export default function PauseBanner({ route, pause }: { route: Route; pause: Pause }) {
  const t = useTranslations('pause');
  const format = useFormat();
  const who = useWho();
  const end = useEndPause(route.id);
  const left = useTimeLeft(route, pause);
  return (
    <Callout tone="warning" icon={<ShieldOff size={18} />} className="mb-4">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <div className="min-w-0 flex-1 basis-64">
          <p className="font-semibold" role="status">
            {t('banner.title')}{' '}
            <span className="text-sm font-normal text-muted">
              {t('banner.by', { who: who(pause.by), time: momentText(format, pause.since) })}
            </span>
          </p>
          <p className="text-ink">
            {pause.until === null
              ? t('banner.open')
              : left === undefined
                ? t('banner.ending')
                : t.rich('banner.left', {
                    left,
                    strong: (chunks) => (
                      <strong className="tabular font-semibold" role="timer">
                        {chunks}
                      </strong>
                    ),
                  })}
          </p>
        </div>
        <Button
          size="sm"
          variant="primary"
          icon={<ShieldCheck size={16} aria-hidden />}
          loading={end.isPending}
          onClick={() => end.mutate()}
        >
          {t('end')}
        </Button>
      </div>
    </Callout>
  );
}
