import type { Trace } from '@cordon/contract';
import clsx from 'clsx';
import { ArrowRightFromLine } from 'lucide-react';
import { useTranslations } from 'use-intl';
import { useFormat } from '../../../ui/format';
import type { LoggedRequest } from './trace-values';

/** What the visitor of a logged request got, and whose judgement the replay below it is. */
export function WhatHappened({
  logged,
  trace,
  versionLive,
}: {
  logged: LoggedRequest;
  trace: Trace;
  versionLive: number | null;
}) {
  const t = useTranslations('diagnosis.trace');
  const format = useFormat();
  const { action, status } = logged;
  const kind = action === 'block' || action === 'challenge' || action === 'redirect' ? action : 'status';
  const replay = trace.version === null ? 'draft' : trace.version === versionLive ? 'live' : 'version';
  const isFailure = kind === 'block' || (kind === 'status' && status >= 400);
  const tone =
    kind === 'redirect' || kind === 'challenge' ? 'text-warning' : isFailure ? 'text-danger' : 'text-success';
  return (
    <>
      <h3 className="text-sm text-muted">{t('then.at', { time: format.dateTime(logged.time) })}</h3>
      <p
        className={clsx('mb-4 flex items-center gap-2 text-lg font-semibold wrap-anywhere', tone)}
        data-happened={kind}
      >
        <ArrowRightFromLine size={18} className="shrink-0" aria-hidden />
        {t(`then.${kind}`, { status })}
      </p>
      <h3 className="border-t border-line pt-4 text-sm text-muted">
        {t(`replay.${replay}`, { version: trace.version ?? 0 })}
      </h3>
    </>
  );
}
