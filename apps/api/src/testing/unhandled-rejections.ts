/**
 * Tells `take` of rejections without a handler in place of the test runner, which would fail the run: the process logs them and goes
 * on (main.ts), such as that of a job whose end cannot be written. Answers how to stop.
 */
export function takeUnhandledRejections(take: (error: unknown) => void): () => void {
  const others = process.listeners('unhandledRejection');
  process.removeAllListeners('unhandledRejection').on('unhandledRejection', take);
  return () => {
    process.removeAllListeners('unhandledRejection');
    for (const listener of others) process.on('unhandledRejection', listener);
  };
}
