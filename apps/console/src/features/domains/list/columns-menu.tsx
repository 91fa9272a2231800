import { Columns3 } from 'lucide-react';
import { useTranslations } from 'use-intl';
import { Button } from '../../../ui/button';
import { Menu } from '../../../ui/menu';
import { CHOOSABLE_COLUMNS, toggleColumn, useChosenColumns } from './column-choice';

/** Which columns the list has, on this device. */
export function ColumnsMenu() {
  const t = useTranslations('domain.list');
  const chosen = useChosenColumns();
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
          isSwitch: true,
          checked: chosen.includes(column),
          onSelect: () => toggleColumn(column),
        })),
      ]}
    />
  );
}
