import { Columns3 } from 'lucide-react';
import { useContext } from 'react';
import { useTranslations } from 'use-intl';
import { Button } from '../../../ui/button';
import { Menu } from '../../../ui/menu';
import { CHOOSABLE_COLUMNS, FittingColumns, ShownColumns, toggleColumn } from './column-choice';

/** Which columns the list has, on this device; at every width, how many of them have no room. */
export default function ColumnsMenu() {
  const t = useTranslations('domain.list');
  const shown = useContext(ShownColumns);
  const fitting = useContext(FittingColumns);
  const hidden = shown.filter((one) => !fitting.includes(one)).length;
  const isChartHidden = (column: string) => column === 'requests' && !fitting.includes('chart');
  return (
    <Menu
      align="end"
      trigger={
        <Button size="sm" icon={<Columns3 size={14} aria-hidden />}>
          <span className={hidden > 0 ? 'sr-only' : undefined}>{t('chooseColumns')}</span>
          {hidden > 0 && t('columnsHidden', { hidden })}
        </Button>
      }
      groups={() => [
        CHOOSABLE_COLUMNS.map((column) => ({
          id: column,
          label: t(`columns.${column}`),
          description: !shown.includes(column)
            ? fitting.includes(column) && t('sortedBy')
            : !fitting.includes(column)
              ? t('noRoom')
              : isChartHidden(column) && t('noRoomForChart'),
          isSwitch: true,
          checked: shown.includes(column),
          onSelect: () => toggleColumn(column, shown),
        })),
      ]}
    />
  );
}
