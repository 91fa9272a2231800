import type { Batch } from '@cordon/contract';
import { createTranslator } from 'use-intl';
import { api, queryClient } from '../../app/api-client';
import { getIntl, type IntlState, needCatalogs } from '../../app/intl-store';
import { onLiveEvent } from '../../app/live-events';
import { batchTitle } from '../../domain/batches/batch-words';
import { batchKeys } from '../../domain/batches/queries';
import { createCleared } from '../../domain/clears/use-cleared';
import { domainKeys } from '../../domain/data/keys';
import { createListed } from '../../domain/words/use-listed';
import { createFormat } from '../../ui/format';
import { notify } from '../../ui/notices';

const ASK_EVERY_MS = 2000;
const watched = new Set<string>();
let timer = 0;
let isListening = false;

async function notifyResult(batch: Batch) {
  await needCatalogs('batches', 'domain');
  const { locale, timeZone, messages: known } = getIntl();
  const messages = known as Required<IntlState['messages']>;
  const t = createTranslator({ locale, messages, namespace: 'batches' });
  const listed = createListed(
    createTranslator({ locale, messages, namespace: 'domain' }),
    createFormat(locale, timeZone),
    locale,
  );
  const cleared = createCleared(createTranslator({ locale, messages, namespace: 'domain.clears' }), listed);
  const what = batchTitle(t, cleared, batch);
  const { failed, total, succeeded } = batch;
  const id = `batch:${batch.id}`;
  if (batch.state === 'successful') notify({ id, tone: 'success', title: what });
  else notify({ id, tone: 'error', title: t(succeeded > 0 ? 'noticePart' : 'noticeFailed', { failed, total, what }) });
}

async function ask() {
  for (const id of watched) {
    try {
      const { result } = await api.getBatch({ params: { id } });
      queryClient.setQueryData(batchKeys.batch(id), result);
      if (result.state === 'running' || !watched.delete(id)) continue;
      if (watched.size === 0) window.clearInterval(timer);
      void notifyResult(result);
      void queryClient.invalidateQueries({ queryKey: domainKeys.all });
      void queryClient.invalidateQueries({ queryKey: batchKeys.running() });
    } catch {
      // Asked again: the batch goes on whether or not we hear of it.
    }
  }
}

/** Follows a batch on every screen until it has ended, then notifies: successful, or how many failed. */
export function watchBatch(id: string): void {
  if (watched.has(id)) return;
  watched.add(id);
  if (!isListening) {
    isListening = true;
    onLiveEvent(({ batch }) => void (batch && batch.state !== 'running' && watched.has(batch.id) && ask()));
  }
  window.clearInterval(timer);
  timer = window.setInterval(() => void ask(), ASK_EVERY_MS);
}
