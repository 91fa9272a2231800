import type { AuditLine } from '@cordon/contract';
import { DottedText } from '../../ui/dotted-text';
import { Link } from '../../ui/text-link';

/** On a phone 40 px high, in a line of 18: the card around it is a target of its own. */
const target = 'phone:-my-2.75 phone:inline-block phone:py-2.75';

/** What a line is about, by the name that it had; a link while it is there. */
export function AuditObject({ object: { kind, id, name, exists } }: { object: AuditLine['object'] }) {
  const shown = name ?? id;
  if (shown === null) return null;
  const text = <DottedText text={shown} />;
  if (!exists || id === null) return text;
  if (kind === 'route')
    return (
      <Link className={target} to="/domain/list/$id" params={{ id }}>
        {text}
      </Link>
    );
  if (kind === 'rule')
    return (
      <Link className={target} to="/domain/rules" search={{ rule: id }}>
        {text}
      </Link>
    );
  if (kind === 'group')
    return (
      <Link className={target} to="/domain/list" search={{ group: id }}>
        {text}
      </Link>
    );
  return text;
}
