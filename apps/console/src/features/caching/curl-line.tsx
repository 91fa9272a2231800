import { API_BASE } from '@cordon/contract';
import { useTranslations } from 'use-intl';
import { CodeBlock } from '../../ui/code-block';
import { Link } from '../../ui/text-link';

/** As a shell takes it in single quotes. */
const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

interface CurlLineProps {
  routeId: string;
  /** The call below the domain. */
  call: 'clear-cache' | 'prefetch';
  body: object;
  /** What a token has to be made for. */
  token: 'clear' | 'all';
}

/** The same by the API, ready to paste into a script. */
export function CurlLine({ routeId, call, body, token }: CurlLineProps) {
  const t = useTranslations('caching');
  const address = `${window.location.origin}${API_BASE}domain/routes/${routeId}/${call}/`;
  const code = [
    `curl -X POST ${address} \\`,
    '  -H "Authorization: Bearer $CORDON_TOKEN" \\',
    "  -H 'Content-Type: application/json' \\",
    `  -d ${quoted(JSON.stringify(body))}`,
  ].join('\n');
  return (
    <details>
      <summary className="cursor-pointer text-sm phone:py-2.75 touch:py-2.75 font-medium text-primary-ink">
        {t('curl.title')}
      </summary>
      <p className="my-2 text-sm text-muted">
        {t('curl.hint', { variable: 'CORDON_TOKEN' })}{' '}
        {/* What is typed here stays: the token is made in another tab of the browser. */}
        <Link
          to="/user/info"
          search={{ tab: 'tokens', create: token }}
          target="_blank"
          rel="noopener"
          className="reach"
        >
          {t('curl.create')}
        </Link>
      </p>
      <CodeBlock code={code} label="curl" />
    </details>
  );
}
