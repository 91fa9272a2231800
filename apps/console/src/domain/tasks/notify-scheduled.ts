import type { Task } from '@cordon/contract';
import { createTranslator } from 'use-intl';
import { getIntl, type IntlState, needCatalogs } from '../../app/intl-store';
import { createFormat } from '../../ui/format';
import { notify } from '../../ui/notices';

/** Says when what was scheduled will be done. */
export async function notifyScheduled({ at }: Pick<Task, 'at'>): Promise<void> {
  await needCatalogs('domain');
  const { locale, timeZone, messages } = getIntl();
  const t = createTranslator({
    locale,
    messages: messages as Required<IntlState['messages']>,
    namespace: 'domain.tasks',
  });
  notify({ tone: 'success', title: t('scheduled', { time: createFormat(locale, timeZone).dateTime(at) }) });
}
