/** A reason not to start that the person at the terminal can act on. Printed as it stands; exit code 1. */
export class StartFailure extends Error {
  override readonly name = 'StartFailure';
}

/** Turns a system error met while starting into one sentence that names the place and the remedy. */
export function asStartFailure(error: unknown, place: string): StartFailure {
  if (error instanceof StartFailure) return error;
  const code = (error as NodeJS.ErrnoException).code;
  if (code === 'ENOSPC' || code === 'EDQUOT') {
    return new StartFailure(
      `The disk that holds ${place} is full: free some space, or set CORDON_DATA_DIR to another disk.`,
    );
  }
  if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS') {
    return new StartFailure(
      `No permission to write ${place}: change its owner, or set CORDON_DATA_DIR to another directory.`,
    );
  }
  const message = error instanceof Error ? error.message : String(error);
  return new StartFailure(`Could not start (${place}): ${message}`, { cause: error });
}
