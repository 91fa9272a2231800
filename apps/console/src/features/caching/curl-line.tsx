import { useTranslations } from 'use-intl';
import { curlPost, TOKEN_VARIABLE } from '../../domain/display/curl-post';
import { CodeBlock } from '../../ui/code-block';
import { Link } from '../../ui/text-link';

/** What a token has to be made for. */
const PRESETS = { 'clear-cache': 'clear', prefetch: 'prefetch' } as const;

interface CurlLineProps {
  routeId: string;
  /** The call below the domain. */
  call: keyof typeof PRESETS;
  body: object;
}

/** The same by the API, ready to paste into a script. */
export function CurlLine({ routeId, call, body }: CurlLineProps) {
  const t = useTranslations('caching');
  return (
    <details>
      <summary className="cursor-pointer text-sm phone:py-2.75 touch:py-2.75 font-medium text-primary-ink">
        {t('curl.title')}
      </summary>
      <p className="my-2 text-sm text-muted">
        {t('curl.hint', { variable: TOKEN_VARIABLE })}{' '}
        {/* What is typed here stays: the token is made in another tab of the browser. */}
        <Link
          to="/user/info"
          search={{ tab: 'tokens', create: PRESETS[call], domain: routeId }}
          target="_blank"
          rel="noopener"
          className="reach"
        >
          {t('curl.create')}
        </Link>
      </p>
      <CodeBlock code={curlPost(`domain/routes/${routeId}/${call}/`, body)} label="curl" />
    </details>
  );
}
