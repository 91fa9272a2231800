import { ERROR_NOTICE_MS } from '@cordon/contract';
import { createTranslator } from 'use-intl';
import { getIntl, type IntlState, needCatalogs } from '../app/intl-store';
import { notify } from '../ui/notices';

/** Says why the list of domains came: one segment that is no language leads there (specification, section 2). */
export async function tellMissing(segment: string): Promise<void> {
  await needCatalogs('pages');
  const { locale, messages } = getIntl();
  const t = createTranslator({
    locale,
    messages: messages as Required<IntlState['messages']>,
    namespace: 'pages.notFound',
  });
  notify({
    id: 'not-found',
    tone: 'warning',
    title: t('title'),
    description: t('instead', { address: `#/${segment}` }),
    durationMs: ERROR_NOTICE_MS,
    isOf: 'screen',
  });
}
