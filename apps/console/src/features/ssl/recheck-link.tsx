import { useTranslations } from 'use-intl';
import { Link } from '../../ui/text-link';

/** Leads to where the certificate of a domain is looked at anew. */
export function RecheckLink({ routeId }: { routeId: string }) {
  return (
    <Link
      to="/domain/list/$id"
      params={{ id: routeId }}
      search={{ tab: 'diagnosis' }}
      className="reach text-sm font-medium"
    >
      {useTranslations('ssl.certificate')('recheck')}
    </Link>
  );
}
