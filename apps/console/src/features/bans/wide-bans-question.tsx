import { useTranslations } from 'use-intl';
import { ConfirmDialog } from '../../ui/confirm-dialog';
import { useFormat } from '../../ui/format';
import { wideRanges } from './wide-ranges';

interface WideBansQuestionProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  networks: readonly string[];
  onConfirm: () => unknown;
}

/** Asks before a good part of the internet is banned, and says how large it is. */
export function WideBansQuestion({ open, onOpenChange, networks, onConfirm }: WideBansQuestionProps) {
  const t = useTranslations('bans.add.wide');
  const format = useFormat();
  const ranges = wideRanges(networks);
  return (
    <ConfirmDialog
      open={open}
      onOpenChange={onOpenChange}
      title={t('title', { count: ranges.length })}
      confirmLabel={t('confirm')}
      cancelLabel={t('back')}
      tone="danger"
      onConfirm={onConfirm}
    >
      <ul className="flex flex-col gap-1">
        {ranges.map(({ range, family, count, share }) => (
          <li key={range}>
            {family === 4
              ? t('ipv4', { range, count: format.number(count), share: format.percent(share) })
              : t('ipv6', { range, count })}
          </li>
        ))}
      </ul>
    </ConfirmDialog>
  );
}
