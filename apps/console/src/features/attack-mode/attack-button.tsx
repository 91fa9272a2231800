import { useQuery } from '@tanstack/react-query';
import { Siren } from 'lucide-react';
import { Suspense, useState } from 'react';
import { useTranslations } from 'use-intl';
import { Button } from '../../ui/button';
import { lazyPart } from '../../ui/lazy-part';
import { useTimeLeft } from './attack-badge';
import { attackModesOptions, holdingMode } from './queries';

const AttackDialog = lazyPart(() => import('./attack-dialog'));

const NEVER = new Date(0).toISOString();

interface AttackButtonProps {
  route: { readonly id: string; readonly domain_name_unicode: string } | undefined;
}

/** Leads to the switch of a domain; of all of the account's where none is given. While the mode is on it says so. */
export default function AttackButton({ route }: AttackButtonProps) {
  const t = useTranslations('attackMode');
  const mode = holdingMode(useQuery(attackModesOptions(route?.id)).data, route?.id);
  const [asked, setAsked] = useState<{ isOpen: boolean }>();
  const time = useTimeLeft(mode?.ends_at ?? NEVER);
  const text = mode ? t('on', { time }) : t('action');
  const name = mode ? t('actionOn', { state: text }) : text;
  return (
    <>
      <Button
        variant={mode ? 'danger' : 'secondary'}
        // Words need its room on a phone.
        icon={<Siren size={16} aria-hidden className="phone:hidden" />}
        className="flex-none!"
        // While it is on, what is read, which differs on a phone, is its name.
        aria-label={mode ? undefined : text}
        title={name}
        onClick={() => setAsked({ isOpen: true })}
      >
        {mode && <span className="sr-only">{t('actionOn', { state: '' })}</span>}
        <span className="phone:hidden">{text}</span>
        {/* The ranges beside it need the line of a phone. */}
        <span className="sm:hidden">{mode ? t('left', { time }) : t('actionShort')}</span>
      </Button>
      <Suspense fallback={null}>
        {asked && <AttackDialog route={route} open={asked.isOpen} onOpenChange={(isOpen) => setAsked({ isOpen })} />}
      </Suspense>
    </>
  );
}
