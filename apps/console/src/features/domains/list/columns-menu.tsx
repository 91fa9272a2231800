import { Columns3 } from 'lucide-react';
import { useContext } from 'react';
import { useTranslations } from 'use-intl';
import { Button } from '../../../ui/button';
import { Menu } from '../../../ui/menu';
import { CHOOSABLE_COLUMNS, FittingColumns, ShownColumns, toggleColumn } from './column-choice';

/** Which columns the list has, on this device. */
export default function ColumnsMenu() {
  const t = useTranslations('domain.list');
  const shown = useContext(ShownColumns);
  const fitting = useContext(FittingColumns);
  const isChartHidden = (column: string) => column === 'requests' && !fitting.includes('chart');
  return (
    <Menu
      align="end"
      trigger={
        <Button size="sm" icon={<Columns3 size={14} aria-hidden />}>
          {t('chooseColumns')}
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
