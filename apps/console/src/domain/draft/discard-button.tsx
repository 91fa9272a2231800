import type { Route } from '@cordon/contract';
import { Undo2 } from 'lucide-react';
import { Suspense, useEffect, useRef, useState } from 'react';
import { useTranslations } from 'use-intl';
import { Button } from '../../ui/button';
import { lazyPart } from '../../ui/lazy-part';
import { findFocusAfter } from '../../ui/lost-focus';
import { domainActions } from '../model/domain-state';

const DiscardDialog = lazyPart(() => import('./discard-dialog'));

/** Gives up what the draft holds, after a question; nothing where there is nothing to give up. */
export function DiscardButton({ route }: { route: Route }) {
  const t = useTranslations('domain.action');
  const [asked, setAsked] = useState<{ isOpen: boolean }>();
  const wasAsked = useRef(false);
  wasAsked.current = asked !== undefined;
  // With a row that goes, the question goes before it has given the focus back.
  useEffect(() => () => findFocusAfter(!wasAsked.current), []);
  const can = domainActions(route).discard;
  return (
    <>
      {can && (
        <Button
          size="sm"
          variant="ghost"
          icon={<Undo2 size={16} aria-hidden />}
          onClick={() => setAsked({ isOpen: true })}
        >
          {t('discard')}
        </Button>
      )}
      {asked && (
        <Suspense fallback={null}>
          <DiscardDialog
            routeId={route.id}
            name={route.domain_name_unicode}
            open={asked.isOpen}
            onOpenChange={(isOpen) => setAsked({ isOpen })}
          />
        </Suspense>
      )}
    </>
  );
}
