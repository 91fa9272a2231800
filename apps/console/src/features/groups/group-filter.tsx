import { ChevronDown } from 'lucide-react';
import { useTranslations } from 'use-intl';
import { useGroupName, useGroups } from '../../domain/data/group-queries';
import { Button } from '../../ui/button';
import { Menu } from '../../ui/menu';

const ALL = 'all';

/** Narrows the list to one group; not there while there is only the default one. */
export default function GroupFilter({
  value,
  onValueChange,
}: {
  value: string | undefined;
  onValueChange: (id: string | undefined) => void;
}) {
  const t = useTranslations('groups');
  const groups = useGroups();
  const nameOf = useGroupName();
  if (!groups || (groups.length < 2 && value === undefined)) return null;
  const chosen = groups.find(({ id }) => id === value);
  const name = chosen && nameOf(chosen);
  return (
    <Menu
      align="start"
      trigger={
        <Button size="sm" className={value && 'bg-soft! text-primary-ink!'} title={name}>
          <span className="max-w-40 truncate">{name === undefined ? t('all') : t('chosen', { name })}</span>
          <ChevronDown size={14} aria-hidden className="opacity-60" />
        </Button>
      }
      groups={() => [
        [
          { id: ALL, label: t('all'), checked: value === undefined, onSelect: () => onValueChange(undefined) },
          ...groups.map((group) => ({
            id: group.id,
            label: nameOf(group),
            checked: group.id === value,
            onSelect: () => onValueChange(group.id),
          })),
        ],
      ]}
    />
  );
}
