import { useTranslations } from 'use-intl';
import { curlPost, TOKEN_VARIABLE } from '../../domain/display/curl-post';
import { CodeBlock } from '../../ui/code-block';
import { Link } from '../../ui/text-link';

/** The calls: their path, and what a token has to be made for. */
const CALLS = {
  clear: { pathOf: (routeId: string) => `domain/routes/${routeId}/clear-cache/`, preset: 'clear' },
  schedule: { pathOf: () => 'domain/run/tasks/', preset: 'clear' },
  prefetch: { pathOf: (routeId: string) => `domain/routes/${routeId}/prefetch/`, preset: 'prefetch' },
} as const;

interface CurlLineProps {
  routeId: string;
  call: keyof typeof CALLS;
  body: object;
}

/** The same by the API, ready to paste into a script. */
export function CurlLine({ routeId, call, body }: CurlLineProps) {
  const t = useTranslations('caching');
  const { pathOf, preset } = CALLS[call];
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
          search={{ tab: 'tokens', create: preset, domain: routeId }}
          target="_blank"
          rel="noopener"
          className="reach"
        >
          {t('curl.create')}
        </Link>
      </p>
      <CodeBlock code={curlPost(pathOf(routeId), body)} label="curl" />
    </details>
  );
}
