import type { Failure } from './notices';

/** Says a failure in the dialog that asked for what failed; false where that is not open any more. */
export type TellHere = (failure: Failure) => boolean;

let asking: TellHere | undefined;

/** Runs what a dialog was asked for: a write that begins before anything is waited for tells its failure there. */
export function tellingHere<T>(tell: TellHere, run: () => T): T {
  asking = tell;
  try {
    return run();
  } finally {
    asking = undefined;
  }
}

/** Where what begins now tells that it failed; undefined: by a notice. */
export const tellHere = (): TellHere | undefined => asking;
