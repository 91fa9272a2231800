import { useTranslations } from 'use-intl';
import { Dialog } from '../../ui/dialog';
import { Kbd } from '../../ui/kbd';
import { commandKeys, paletteKeys } from './shortcuts';

/** Every keyboard shortcut, by where it works. */
export default function ShortcutsDialog({
  open,
  onOpenChange,
}: {
  open: boolean;
  onOpenChange: (open: boolean) => void;
}) {
  const t = useTranslations('palette.shortcutsDialog');
  const groups = [
    {
      label: t('everywhere'),
      lines: [
        [paletteKeys(), t('palette')],
        [['?'], t('help')],
        [['/'], t('search')],
        [['Esc'], t('close')],
      ],
    },
    {
      label: t('lists'),
      lines: [
        [['↑', '↓', 'J', 'K'], t('rows')],
        [['Home', 'End'], t('ends')],
        [['Enter'], t('open')],
        [['X'], t('select')],
        [['Tab'], t('next')],
      ],
    },
    {
      label: t('palettePart'),
      lines: [
        [['↑', '↓'], t('move')],
        [['Enter'], t('choose')],
        [['Backspace'], t('back')],
      ],
    },
    {
      label: t('domain'),
      lines: [
        [['←', '→'], t('tabs')],
        [commandKeys('Enter'), t('save')],
      ],
    },
    { label: t('charts'), lines: [[['←', '→'], t('values')]] },
  ] as const;
  return (
    <Dialog open={open} onOpenChange={onOpenChange} title={t('title')}>
      <div className="grid gap-x-6 gap-y-5 pb-2 sm:grid-cols-2">
        {groups.map((group) => (
          <section key={group.label}>
            <h3 className="mb-2 text-sm font-medium text-muted">{group.label}</h3>
            <dl className="flex flex-col">
              {group.lines.map(([keys, does]) => (
                <div
                  key={keys.join()}
                  className="flex items-center justify-between gap-4 border-b border-line py-1.5 last:border-0"
                >
                  <dt className="min-w-0">{does}</dt>
                  <dd className="shrink-0">
                    <Kbd keys={keys} />
                  </dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </Dialog>
  );
}
