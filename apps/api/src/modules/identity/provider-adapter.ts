import { type Adapter, type AdapterFactory, type AdapterPayload, errors } from 'oidc-provider';
import type { ProviderRepository } from './provider-repository.ts';

/** Only models that are not in use have no end of their own. */
const FALLBACK_SECONDS = 3600;

/** Gives oidc-provider our tables to keep its models in. */
export function createAdapterFactory(repository: ProviderRepository): AdapterFactory {
  return (model): Adapter => ({
    find: (id) => repository.find(model, id) as Promise<AdapterPayload | undefined>,
    findByUid: (uid) => repository.findBySessionUid(uid) as Promise<AdapterPayload | undefined>,
    // Device codes are not offered.
    findByUserCode: () => Promise.resolve(undefined),
    upsert: (id, payload, expiresIn) => repository.save(model, id, payload, expiresIn ?? FALLBACK_SECONDS),
    destroy: (id) => repository.remove(model, id),
    revokeByGrantId: (grantId) => repository.removeByGrant(grantId),
    async consume(id) {
      // The provider looked before, but of two requests at the same time only one may go on.
      if (!(await repository.consume(model, id))) throw new errors.InvalidGrant(`${model} was used already`);
    },
  });
}
