import type { Route } from '@cordon/contract';
import { Crosshair } from 'lucide-react';
import { Suspense, useState } from 'react';
import { useTranslations } from 'use-intl';
import { isServed } from '../../../domain/model/domain-state';
import { Button } from '../../../ui/button';
import { lazyPart } from '../../../ui/lazy-part';

const TestAttackDialog = lazyPart(() => import('./test-attack-dialog'));

/** One press shows that the protection that is live works. Nothing where nothing is live. Needs the catalog `diagnosis`. */
export function TestAttackButton({ route, onDeploy }: { route: Route; onDeploy: () => void }) {
  const t = useTranslations('diagnosis.testAttack');
  const [isOpen, setOpen] = useState(false);
  const [hasBeenOpen, setHasBeenOpen] = useState(false);
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
              onDeploy();
            }}
          />
        </Suspense>
      )}
    </>
  );
}
