import { inject } from 'vitest';
import { Instance, type InstanceAddress } from './instance.ts';
import { worker } from './origin-ports.ts';

/**
 * The instance of this worker, for files that need no settings of their own and stop no part. It goes on when the file ends, so every file
 * has accounts and names of its own; their origins are those of `startOrigin`.
 */
export async function sharedInstance(): Promise<Instance> {
  const response = await fetch(`${inject('sharedInstances')}/${worker}`);
  const text = await response.text();
  if (!response.ok) throw new Error(text);
  return Instance.at(JSON.parse(text) as InstanceAddress);
}
