/** The open question of the identity provider: sign in, or create an account. */
export interface Interaction {
  prompt: 'login' | 'create';
  brand?: string;
  client?: string;
  terms_version?: string;
  /** Where the operator has published them; null where the terms that come with the console apply. */
  terms_url?: string | null;
  /** The form of registration was sent just now, and did not sign in. */
  after_registration?: boolean;
}

/** Version of the terms that is agreed to when the provider names none. */
export const TERMS_VERSION = '1';

export type Answer =
  | { kind: 'redirect'; to: string }
  | { kind: 'expired' }
  | { kind: 'refused'; fields: Record<string, string>; code?: string; params?: Record<string, number | string> }
  | { kind: 'unreachable' };

const RESERVED = new Set(['success', 'message', 'params', 'request_id']);
const EXPIRED_STATUSES = new Set([400, 404, 410]);

/** Id of the interaction, from the query of the page or inside the hash. */
export function interactionId(): string | null {
  const inHash = window.location.hash.split('?')[1] ?? '';
  return (
    new URLSearchParams(inHash).get('interaction') ?? new URLSearchParams(window.location.search).get('interaction')
  );
}

const urlOf = (uid: string) => `/auth/realms/cordon/interaction/${encodeURIComponent(uid)}`;

/** Asks what the provider wants to know; null when the interaction is over. Rejects with `fetch`'s TypeError without an answer. */
export async function fetchInteraction(uid: string): Promise<Interaction | null> {
  const response = await fetch(urlOf(uid), { headers: { accept: 'application/json' } });
  if (EXPIRED_STATUSES.has(response.status)) return null;
  if (!response.ok) throw new Error(`The interaction answered ${response.status}`);
  const body = (await response.json()) as Interaction & { result?: Interaction };
  return body.result ?? body;
}

/** Sends a form to the provider. */
export async function answerInteraction(
  uid: string,
  form: 'login' | 'register',
  values: Record<string, unknown>,
  signal?: AbortSignal,
): Promise<Answer> {
  let response: Response;
  try {
    response = await fetch(`${urlOf(uid)}/${form}`, {
      method: 'POST',
      headers: { accept: 'application/json', 'content-type': 'application/json' },
      body: JSON.stringify(values),
      signal,
    });
  } catch {
    return { kind: 'unreachable' };
  }
  const body = (await response.json().catch(() => ({}))) as Record<string, unknown>;
  if (response.ok && typeof body.redirect_to === 'string') return { kind: 'redirect', to: body.redirect_to };
  if (response.status === 404 || body.code === 'INTERACTION_EXPIRED') return { kind: 'expired' };
  const fields = Object.entries(body).filter(
    ([key, value]) => !RESERVED.has(key) && key !== 'code' && typeof value === 'string',
  );
  return {
    kind: 'refused',
    fields: Object.fromEntries(fields) as Record<string, string>,
    // Without a code it was answered by what stands before the provider.
    code: typeof body.code === 'string' ? body.code : response.status >= 502 ? 'UNAVAILABLE' : undefined,
    params: (body.params as Record<string, Record<string, number | string>> | undefined)?.[String(body.code)],
  };
}
