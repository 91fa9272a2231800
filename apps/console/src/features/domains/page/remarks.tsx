import type { Route } from '@cordon/contract';
import { Pencil } from 'lucide-react';
import { Suspense, useEffect, useRef, useState } from 'react';
import { useTranslations } from 'use-intl';
import { IconButton } from '../../../ui/button';
import { lazyPart } from '../../../ui/lazy-part';

const RemarksEditor = lazyPart(() => import('./remarks-editor'));

/** What the account notes about the domain, edited in its place, and its name as DNS carries it where that reads otherwise. */
export function Remarks({ route }: { route: Route }) {
  const t = useTranslations('domain.page.remarks');
  const [isEditing, setEditing] = useState(false);
  const hasEdited = useRef(false);
  const pencil = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    // The pencil is back: so is the focus.
    if (!isEditing && hasEdited.current) pencil.current?.focus();
    hasEdited.current = isEditing;
  }, [isEditing]);
  const text = [route.domain_name_unicode === route.domain_name ? '' : route.domain_name, route.remarks || t('none')]
    .filter(Boolean)
    .join(' · ');
  const shown = (
    <div className="flex h-8 min-w-0 items-center gap-1 text-sm text-muted touch:h-10">
      <span title={text} className="min-w-0 truncate">
        {text}
      </span>
      <IconButton
        ref={pencil}
        size="sm"
        label={t(route.remarks === '' ? 'add' : 'edit')}
        icon={<Pencil size={14} aria-hidden />}
        onClick={() => setEditing(true)}
      />
    </div>
  );
  if (!isEditing) return shown;
  return (
    <Suspense fallback={shown}>
      <RemarksEditor key={route.id} route={route} onEnd={() => setEditing(false)} />
    </Suspense>
  );
}
