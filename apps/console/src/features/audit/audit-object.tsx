import type { AuditLine } from '@cordon/contract';
import { Link } from '../../ui/text-link';

/** What a line is about, by the name that it had; a link while it is there. */
export function AuditObject({ object: { kind, id, name, exists } }: { object: AuditLine['object'] }) {
  const shown = name ?? id;
  if (shown === null) return null;
  if (!exists || id === null) return shown;
  if (kind === 'route')
    return (
      <Link to="/domain/list/$id" params={{ id }}>
        {shown}
      </Link>
    );
  if (kind === 'rule')
    return (
      <Link to="/domain/rules" search={{ rule: id }}>
        {shown}
      </Link>
    );
  if (kind === 'group')
    return (
      <Link to="/domain/list" search={{ group: id }}>
        {shown}
      </Link>
    );
  return shown;
}
