import { ApiError, createClient, createClientOf, REQUEST_TIMEOUT_MS } from '@cordon/contract';
import { pluginOperations } from '@cordon/plugins/operations';
import { type Mutation, MutationCache, onlineManager, QueryCache, QueryClient } from '@tanstack/react-query';
import { type TellHere, tellHere } from '../ui/telling-here';
import { getBrand } from './brand';
import { dismissFailure, networkAnswered, notifyFailure } from './failure';
import { accessToken, getSession, refreshSession, renewalFailed } from './session/session';
import { whenSessionKnown } from './session-ready';
import { createSingleWrites } from './single-writes';

/** Headers of every call: bearer token and realm, once it is known who is here. */
async function headers(): Promise<Record<string, string>> {
  await whenSessionKnown();
  const token = accessToken();
  return { realm: getBrand().oidc.realm, ...(token && { authorization: `Bearer ${token}` }) };
}

const options = {
  origin: '',
  headers,
  timeoutMs: REQUEST_TIMEOUT_MS,
  around: createSingleWrites(dismissFailure),
  // What was done then may have been changed since: the screen shows what is so now.
  onReplay: () => void queryClient.invalidateQueries(),
};

/**
 * The API, with the calls that plugins bring; a write pressed twice happens once. Failures are `ApiError`s with the
 * specification's list of strings.
 */
export const api = { ...createClient(options), ...createClientOf(pluginOperations, options) };

let renewing: Promise<void> | undefined;

/** A token that the API refuses is renewed once for all calls that failed; if that fails too, sign-in is forced. */
function renewAfter(error: unknown) {
  if (!(error instanceof ApiError) || error.code !== 'UNAUTHENTICATED' || renewing) return;
  // There is no session: the router leaves for the sign-in, or says why it cannot.
  if (getSession().status !== 'signed-in') return;
  renewing = refreshSession()
    .then(() => queryClient.invalidateQueries())
    .catch(renewalFailed)
    .finally(() => {
      renewing = undefined;
    });
}

const RETRIES_MAX = 2;
/** All tries together: what nothing answers is said within a second. */
const RETRY_DELAYS_MS = [200, 500];

declare module '@tanstack/react-query' {
  interface Register {
    mutationMeta: {
      /** Its failure is shown where it was asked for. */
      isSilent?: boolean;
      /** What was not done, or may not have been, in a sentence: where the screen does not show it. */
      whatFailed?: (error: unknown) => string;
    };
  }
}

type AnyMutation = Mutation<unknown, unknown, unknown, unknown>;

/** The dialogs that asked for writes. */
const askers = new WeakMap<AnyMutation, TellHere>();

function noteAsker(mutation: AnyMutation) {
  const here = tellHere();
  if (here) askers.set(mutation, here);
}

export const queryClient = new QueryClient({
  queryCache: new QueryCache({ onError: renewAfter, onSuccess: () => networkAnswered() }),
  mutationCache: new MutationCache({
    onMutate: (_variables, mutation) => noteAsker(mutation),
    onSuccess: () => networkAnswered(true),
    // A form that shows its own errors says so with `meta: { isSilent: true }`.
    onError(error, variables, _context, mutation) {
      renewAfter(error);
      if (mutation.meta?.isSilent === true) return;
      // A failure of the second try comes here again.
      const retry = () => void mutation.execute(variables).catch(() => {});
      notifyFailure(error, retry, mutation.meta?.whatFailed?.(error), askers.get(mutation));
    },
  }),
  defaultOptions: {
    // Without a network a write fails at once: it must not wait for one, and happen long after its button was pressed.
    mutations: { networkMode: 'always' },
    queries: {
      // A read fails too, and says why, rather than leave its screen waiting; it is made again when there is a network.
      networkMode: 'always',
      refetchOnReconnect: true,
      staleTime: 10_000,
      retryDelay: (failures) => RETRY_DELAYS_MS[failures] ?? 0,
      // What the API answered itself it will answer again, also that it is unavailable; what did not arrive may arrive.
      retry: (failures, error) =>
        failures < RETRIES_MAX &&
        onlineManager.isOnline() &&
        error instanceof ApiError &&
        !error.code &&
        (error.status === 0 || error.status >= 502),
    },
  },
});
