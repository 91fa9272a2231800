import type { Route } from '@cordon/contract';
import { Crosshair } from 'lucide-react';
import { Suspense, useEffect, useRef, useState } from 'react';
import { useTranslations } from 'use-intl';
import { isServed } from '../../../domain/model/domain-state';
import { Button } from '../../../ui/button';
import { lazyPart } from '../../../ui/lazy-part';

const TestAttackDialog = lazyPart(() => import('./test-attack-dialog'));

/** A deploy that comes later is another one. */
const SOON_MS = 60_000;

/** One press shows that the protection that is live works. Nothing where nothing is live. Needs the catalog `diagnosis`. */
export function TestAttackButton({ route, onDeploy }: { route: Route; onDeploy: () => void }) {
  const t = useTranslations('diagnosis.testAttack');
  const [isOpen, setOpen] = useState(false);
  const [hasBeenOpen, setHasBeenOpen] = useState(false);
  const { version_live: version } = route;
  const deploying = useRef<{ version: number | null; at: number }>(undefined);
  useEffect(() => {
    if (deploying.current === undefined || deploying.current.version === version) return;
    // The deploy that it has led to is live: what stops the attacks now is seen at once.
    if (Date.now() - deploying.current.at < SOON_MS) setOpen(true);
    deploying.current = undefined;
  }, [version]);
  if (!isServed(route)) return null;
  return (
    <>
      <Button
        size="sm"
        icon={<Crosshair size={16} aria-hidden />}
        onClick={() => {
          setHasBeenOpen(true);
          setOpen(true);
        }}
      >
        {t('send')}
      </Button>
      {hasBeenOpen && (
        <Suspense fallback={null}>
          <TestAttackDialog
            route={route}
            open={isOpen}
            onOpenChange={setOpen}
            onDeploy={() => {
              setOpen(false);
              deploying.current = { version, at: Date.now() };
              onDeploy();
            }}
          />
        </Suspense>
      )}
    </>
  );
}
