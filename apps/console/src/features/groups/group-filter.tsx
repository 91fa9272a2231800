import { useTranslations } from 'use-intl';
import { useGroupName, useGroups } from '../../domain/data/group-queries';
import { Select } from '../../ui/select';

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
  return (
    <Select
      label={t('filter')}
      className="w-40 shrink-0 phone:w-28"
      options={[{ value: ALL, label: t('all') }, ...groups.map((group) => ({ value: group.id, label: nameOf(group) }))]}
      value={value ?? ALL}
      onValueChange={(next) => onValueChange(next === ALL ? undefined : next)}
    />
  );
}
