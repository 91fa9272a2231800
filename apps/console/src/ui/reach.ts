const TIMEOUT_MS = 5000;

/** How often what waits for the network looks whether there is one: browsers do not notice each that comes back, and none a service. */
export const LOOK_MS = 3000;

/**
 * Why something did not arrive: no network, only the answer of what stands before the service, a file that is missing, or
 * one of a release that is not served any more.
 */
export type LoadReason = 'network' | 'unavailable' | 'part' | 'release';

export class LoadError extends Error {
  constructor(
    readonly reason: LoadReason,
    options?: ErrorOptions,
  ) {
    super(reason, options);
    this.name = 'LoadError';
  }
}

/** Asks whether an address answers at all, whatever it says; rejects with `LoadError`. Of another origin's answer nothing can be read. */
export async function reach(address: string): Promise<Response> {
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  const response = await fetch(address, { mode: 'no-cors', cache: 'no-store', signal }).catch((cause: unknown) => {
    throw new LoadError('network', { cause });
  });
  if (response.status >= 500) throw new LoadError('unavailable');
  return response;
}
