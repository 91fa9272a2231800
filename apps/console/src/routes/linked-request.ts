import { ERROR_NOTICE_MS } from '@cordon/contract';
import { redirect } from '@tanstack/react-router';
import { createTranslator } from 'use-intl';
import { getIntl, type IntlState, needCatalogs } from '../app/intl-store';
import { findLoggedRequest, readRequestId } from '../features/diagnosis/logged-request';
import { notify } from '../ui/notices';

/**
 * Goes where the link of an edge's page leads: to the trace of the request that the visitor made, or to the list with a
 * word that no domain of the account has it. Never resolves.
 * @param search Of the address, as it was typed: the router reads an id of digits only as a number.
 */
export async function openLinkedRequest(search: string): Promise<never> {
  const id = readRequestId(search);
  const logged = id && (await findLoggedRequest(id));
  if (logged)
    throw redirect({
      to: '/domain/list/$id',
      params: { id: logged.route_id },
      search: { tab: 'diagnosis', view: 'trace', request: id },
      replace: true,
    });
  await needCatalogs('commands');
  const { locale, messages } = getIntl();
  const t = createTranslator({
    locale,
    messages: messages as Required<IntlState['messages']>,
    namespace: 'commands',
  });
  notify({
    id: 'linked-request',
    tone: 'warning',
    title: t('noRequest'),
    description: t('noRequestHelp'),
    durationMs: ERROR_NOTICE_MS,
  });
  throw redirect({ to: '/domain/list', search: {}, replace: true });
}
