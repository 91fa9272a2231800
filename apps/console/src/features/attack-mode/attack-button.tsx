import { Siren } from 'lucide-react';
import { Suspense, useState } from 'react';
import { useTranslations } from 'use-intl';
import { Button } from '../../ui/button';
import { lazyPart } from '../../ui/lazy-part';

const AttackDialog = lazyPart(() => import('./attack-dialog'));

/** Leads to the switch of a domain; of all of the account's where none is given. */
export default function AttackButton({
  route,
}: {
  route: { readonly id: string; readonly domain_name_unicode: string } | undefined;
}) {
  const t = useTranslations('attackMode');
  const [asked, setAsked] = useState<{ isOpen: boolean }>();
  return (
    <>
      <Button
        icon={<Siren size={16} aria-hidden />}
        className="flex-none!"
        aria-label={t('action')}
        title={t('action')}
        onClick={() => setAsked({ isOpen: true })}
      >
        {/* The ranges beside it need the line of a phone. */}
        <span className="phone:hidden">{t('action')}</span>
      </Button>
      <Suspense fallback={null}>
        {asked && <AttackDialog route={route} open={asked.isOpen} onOpenChange={(isOpen) => setAsked({ isOpen })} />}
      </Suspense>
    </>
  );
}
