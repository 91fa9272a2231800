import { type ErrorComponentProps, useLocation, useRouter } from '@tanstack/react-router';
import { RefreshCw } from 'lucide-react';
import { useContext, useEffect, useRef, useState } from 'react';
import { useTranslations } from 'use-intl';
import { setScreenMissing, useAway } from '../ui/away';
import { Button, buttonClass } from '../ui/button';
import { renewFailedParts } from '../ui/lazy-part';
import { findFocusAfterRetry } from '../ui/lost-focus';
import { LOOK_MS, LoadError, reach } from '../ui/reach';
import { ErrorScreen } from './error-screen';
import { describeFailure } from './failure';
import { InMain } from './in-main';
import { listen } from './other-tabs';
import { useSession } from './session/session';
import { tryAgain } from './session/try-again';

// This file comes with every start of the console, just after the shell.
listen();

/** Ways on: the first of them that is not the screen that failed. */
const WAYS = [
  { path: '/dashboard', message: 'dashboard' },
  { path: '/domain/list', message: 'domains' },
] as const;

const reload = () => window.location.reload();

function Reasons({ reasons }: { reasons: readonly string[] }) {
  const t = useTranslations('pages.broken');
  return (
    <>
      {reasons.map((one) => (
        <p key={one}>{one}</p>
      ))}
      <p>{t('hint')}</p>
    </>
  );
}

/** A screen that did not arrive, or broke: the shell around it stays. Without knowing who is here there is no shell. */
export function ScreenError({ error, reset }: ErrorComponentProps) {
  const t = useTranslations();
  const router = useRouter();
  const [isTrying, setTrying] = useState(false);
  /** Not even the page itself could be reached: once it can, what failed is tried again. What fails beside it waits for a press. */
  const wasAway = useRef(false);
  const { pathname } = useLocation();
  const way = WAYS.find(({ path }) => path !== pathname);
  const isLost = useSession().status === 'lost';
  const reason = error instanceof LoadError ? error.reason : undefined;
  const isWaiting = reason === 'network' || reason === 'unavailable';
  const { reasons, requestId, help } = describeFailure(error);
  // The line over the screen says why, and has the Retry that this one listens to.
  const isQuiet = [useAway(), useContext(InMain), isWaiting].every(Boolean);
  useEffect(() => {
    console.error(error);
    renewFailedParts();
  }, [error]);
  function retry() {
    setTrying(true);
    if (isLost) return void tryAgain().catch(() => setTrying(false));
    renewFailedParts();
    void router.invalidate().finally(() => setTrying(false));
    reset();
  }
  useEffect(() => {
    setScreenMissing(isWaiting);
    return () => setScreenMissing(false);
  }, [isWaiting]);
  useEffect(() => {
    if (!isWaiting || isTrying) return;
    window.addEventListener('online', retry);
    const look = () =>
      void reach('/').then(
        () => wasAway.current && retry(),
        () => {
          wasAway.current = true;
        },
      );
    if (!wasAway.current) look();
    const timer = window.setInterval(look, LOOK_MS);
    return () => {
      window.removeEventListener('online', retry);
      window.clearInterval(timer);
    };
  });
  return (
    <ErrorScreen
      icon={isWaiting ? 'network' : undefined}
      title={t(isLost ? 'pages.broken.signIn' : reason ? 'pages.broken.notLoaded' : 'pages.broken.title')}
      requestId={requestId}
      actions={
        <>
          {reason === 'release' ? (
            <Button variant="primary" onClick={reload}>
              {t('ui.error.reload')}
            </Button>
          ) : isQuiet ? null : (
            <Button
              variant="primary"
              icon={<RefreshCw size={16} aria-hidden />}
              loading={isTrying}
              onClick={(event) => {
                findFocusAfterRetry(event.currentTarget);
                retry();
              }}
            >
              {t('ui.retry')}
            </Button>
          )}
          {reason !== 'release' && !isWaiting && <Button onClick={reload}>{t('ui.error.reload')}</Button>}
          {help && (
            <a href={help.href} className={buttonClass()}>
              {help.label}
            </a>
          )}
          {!isLost && way && (
            <a href={`#${way.path}`} className={buttonClass()}>
              {t(`shell.navigation.${way.message}`)}
            </a>
          )}
        </>
      }
    >
      <Reasons reasons={isQuiet ? [] : reasons} />
    </ErrorScreen>
  );
}

/** In place of everything. */
export function BrokenApp({ error }: { error: unknown }) {
  const t = useTranslations();
  const { reasons, requestId } = describeFailure(error);
  return (
    <ErrorScreen
      title={t('pages.broken.appTitle')}
      requestId={requestId}
      actions={
        <Button variant="primary" onClick={reload}>
          {t('ui.error.reload')}
        </Button>
      }
    >
      <Reasons reasons={reasons} />
    </ErrorScreen>
  );
}
