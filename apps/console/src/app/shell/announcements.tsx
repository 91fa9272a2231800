import { FREE_WEBSOCKET_SECONDS, FREE_WEBSOCKETS_PER_DOMAIN, WEBSOCKET_SILENCE_SECONDS } from '@cordon/contract';
import { useLocation } from '@tanstack/react-router';
import { Info, X } from 'lucide-react';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { IconButton } from '../../ui/button';
import { useSubscriptions } from '../subscriptions';

const STORAGE_KEY = 'dismissed_announcements';
type AnnouncementId = 'free-websocket';

function dismissed(): string[] {
  try {
    return JSON.parse(window.localStorage.getItem(STORAGE_KEY) ?? '[]') as string[];
  } catch {
    return [];
  }
}

/** What everybody should know, below the first screen of the account, which it neither moves nor precedes, until dismissed. */
export default function Announcements() {
  const t = useTranslations('pages');
  const { selected } = useSubscriptions();
  const { pathname } = useLocation();
  const [hidden, setHidden] = useState(dismissed);
  const shown: AnnouncementId[] =
    selected?.tier === 'free' && selected.usage.domains > 0 && !selected.features.full_websocket
      ? ['free-websocket']
      : [];
  function dismiss(id: AnnouncementId) {
    const next = [...hidden, id];
    setHidden(next);
    window.localStorage.setItem(STORAGE_KEY, JSON.stringify(next));
  }
  const open = shown.filter((id) => !hidden.includes(id));
  if (pathname !== '/dashboard' || open.length === 0) return null;
  return (
    <section aria-label={t('announcements.label')}>
      {open.map((id) => (
        <div key={id} className="flex items-start gap-2 px-4 py-2 text-muted sm:px-6">
          <Info size={16} aria-hidden className="mt-1.5 shrink-0" />
          <p className="min-w-0 flex-1 py-1 text-sm">
            {t('announcements.freeWebsocket', {
              connections: FREE_WEBSOCKETS_PER_DOMAIN,
              minutes: FREE_WEBSOCKET_SECONDS / 60,
              silence: WEBSOCKET_SILENCE_SECONDS / 60,
            })}
          </p>
          <IconButton size="sm" label={t('announcements.dismiss')} icon={<X size={16} />} onClick={() => dismiss(id)} />
        </div>
      ))}
    </section>
  );
}
