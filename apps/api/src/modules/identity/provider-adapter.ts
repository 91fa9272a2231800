import { type Adapter, type AdapterFactory, type AdapterPayload, errors } from 'oidc-provider';
import * as repository from './provider-repository.ts';

/** Only models that are not in use have no end of their own. */
const FALLBACK_SECONDS = 3600;

/** Gives oidc-provider our tables to keep its models in. */
export function createProviderAdapter(store: repository.ProviderStore): AdapterFactory {
  const { db } = store;
  return (model): Adapter => ({
    find: (id) => repository.find(store, model, id) as Promise<AdapterPayload | undefined>,
    findByUid: (uid) => repository.findBySessionUid(store, uid) as Promise<AdapterPayload | undefined>,
    // Device codes are not offered.
    findByUserCode: () => Promise.resolve(undefined),
    upsert: (id, payload, expiresIn) => repository.save(store, model, id, payload, expiresIn ?? FALLBACK_SECONDS),
    destroy: (id) => repository.remove(db, model, id),
    revokeByGrantId: (grantId) => repository.removeByGrant(db, grantId),
    async consume(id) {
      // The provider looked before, but of two requests at the same time only one may go on.
      if (!(await repository.consume(db, model, id))) throw new errors.InvalidGrant(`${model} was used already`);
    },
  });
}
