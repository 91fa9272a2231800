import { Folder } from 'lucide-react';
import { useGroups } from '../data/group-queries';

/** The group of a domain; says nothing for the default one. */
export function GroupLabel({ groupId }: { groupId: string | null }) {
  const group = useGroups()?.find(({ id }) => id === groupId);
  if (!group || group.default_group) return null;
  return (
    <span className="inline-flex max-w-40 shrink-0 items-center gap-1 text-xs" title={group.name}>
      <Folder size={12} aria-hidden className="shrink-0" />
      <span className="truncate">{group.name}</span>
    </span>
  );
}
