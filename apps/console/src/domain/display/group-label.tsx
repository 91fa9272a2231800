import { useGroups } from '../data/group-queries';

/** The group of a domain; says nothing for the default one. */
export function GroupLabel({ groupId }: { groupId: string | null }) {
  const group = useGroups()?.find(({ id }) => id === groupId);
  if (!group || group.default_group) return null;
  return (
    <span
      className="max-w-40 truncate rounded-[6px] border border-line-strong px-1.5 text-xs font-normal text-muted"
      title={group.name}
    >
      {group.name}
    </span>
  );
}
