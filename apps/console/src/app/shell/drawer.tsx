import { Dialog } from '@base-ui/react/dialog';
import { X } from 'lucide-react';
import { useTranslations } from 'use-intl';
import { IconButton } from '../../ui/button';
import { useDocumentTitle } from '../../ui/document-title';
import { backdropClass } from '../../ui/popup-classes';
import { leadTabRound } from '../../ui/tab-round';
import { Sidebar } from './sidebar';

/** The navigation on screens under 992 px. */
export default function Drawer({ open, onOpenChange }: { open: boolean; onOpenChange: (open: boolean) => void }) {
  const t = useTranslations('shell');
  useDocumentTitle(open ? t('navigation.label') : undefined);
  return (
    <Dialog.Root open={open} onOpenChange={onOpenChange}>
      <Dialog.Portal>
        <Dialog.Backdrop className={backdropClass} />
        <Dialog.Popup
          aria-label={t('navigation.label')}
          onKeyDown={leadTabRound}
          className="fixed inset-y-0 left-0 z-50 w-72 max-w-[86vw] bg-card shadow-float outline-none transition-[translate] duration-200 ease-out data-ending-style:-translate-x-full data-starting-style:-translate-x-full"
        >
          <Dialog.Close
            render={
              <IconButton label={t('navigation.close')} icon={<X size={18} />} className="absolute! top-2.5 right-2" />
            }
          />
          <Sidebar onNavigate={() => onOpenChange(false)} />
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
