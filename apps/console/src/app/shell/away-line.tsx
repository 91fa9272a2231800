import { useQueryClient } from '@tanstack/react-query';
import { CloudOff, RefreshCw } from 'lucide-react';
import { useEffect, useLayoutEffect, useState } from 'react';
import { useTranslations } from 'use-intl';
import { setAway } from '../../ui/away';
import { Button } from '../../ui/button';
import { useFormat } from '../../ui/format';
import { momentText } from '../../ui/moment-text';
import { reach } from '../../ui/reach';

/** A failure comes at once; a press must be seen to have done something. */
const SEEN_MS = 500;

/** The same in both themes, as nothing else of the console is. */
const LOUD = { backgroundColor: '#f0b04a', color: '#171a21' };

/** Colours of what is shown stand for what is so now; of what was read before they are dull. */
function useDullScreen(isDull: boolean) {
  useEffect(() => {
    const main = document.querySelector('main');
    if (!main || !isDull) return;
    main.style.filter = 'saturate(0.35)';
    return () => {
      main.style.filter = '';
    };
  }, [isDull]);
}

interface AwayLineProps {
  /** Whether the browser itself says that there is no network. */
  isOffline: boolean;
  /** When what is shown was read; undefined where nothing is shown. */
  asOf: number | undefined;
  /** Whether all that the screen shows had been read: why something is missing is then nothing to say. */
  isComplete: boolean;
}

/** Nothing answers: since when, what to do, and the one Retry of the screen. */
export function AwayLine({ isOffline, asOf, isComplete }: AwayLineProps) {
  const t = useTranslations();
  const format = useFormat();
  const client = useQueryClient();
  const [tries, setTries] = useState(0);
  const [isTrying, setTrying] = useState(false);
  useDullScreen(asOf !== undefined);
  useLayoutEffect(() => {
    setAway(true);
    return () => setAway(false);
  }, []);
  async function retry() {
    setTrying(true);
    const seen = new Promise((resolve) => window.setTimeout(resolve, SEEN_MS));
    try {
      await reach('/');
      // Browsers do not notice each network that comes back.
      window.dispatchEvent(new Event('online'));
      await client.invalidateQueries();
    } catch {
      // The line stays, and says so.
    }
    await seen;
    setTries((before) => before + 1);
    setTrying(false);
  }
  const what = isOffline ? (tries > 0 ? 'still' : 'offline') : 'unreachable';
  return (
    <div
      // 8 px of it lie in the room that `main` keeps above what it holds.
      style={{ ...LOUD, marginBottom: -8 }}
      className="flex min-h-10 items-center gap-3 px-4 py-1 text-sm sm:px-6"
    >
      <CloudOff size={18} aria-hidden className="shrink-0" />
      <p className="min-w-0 flex-1">
        <span className="font-semibold">
          {t(`pages.live.${what}`, {
            time: asOf === undefined ? 'none' : momentText(format, new Date(asOf).toISOString()),
          })}
        </span>{' '}
        <span className="inline-block">
          {isOffline ? t(isComplete ? 'pages.live.offlineMore' : 'ui.error.network') : t('pages.live.unreachableMore')}
        </span>
      </p>
      <Button size="sm" icon={<RefreshCw size={16} />} loading={isTrying} onClick={() => void retry()}>
        {t('ui.retry')}
      </Button>
    </div>
  );
}
