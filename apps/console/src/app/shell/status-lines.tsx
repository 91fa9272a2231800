import { useEffect } from 'react';
import { useTranslations } from 'use-intl';
import { useLiveStatus, useOnline } from '../live-events';
import { registerOfflineWorker } from '../register-offline-worker';
import { AbsentParts } from './absent-parts';

/** Says so while there is no network, or no live updates, and what the console does meanwhile. */
function Connection() {
  const t = useTranslations('pages.live');
  const isOnline = useOnline();
  const liveStatus = useLiveStatus();
  useEffect(registerOfflineWorker, []);
  if (isOnline && liveStatus !== 'down') return null;
  return (
    <p role="status" className="border-b border-line bg-warning-soft px-4 py-1.5 text-sm text-warning sm:px-6">
      {t(isOnline ? 'down' : 'offline')}
    </p>
  );
}

/** What is not as usual, over every screen. */
export default function StatusLines() {
  return (
    <>
      <AbsentParts />
      <Connection />
    </>
  );
}
