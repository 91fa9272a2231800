function send(pids: readonly number[], signal: NodeJS.Signals): void {
  for (const pid of pids) {
    try {
      process.kill(pid, signal);
    } catch (error) {
      // It has just been replaced.
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    }
  }
}

function readPids(pids: () => readonly number[]): number[] {
  try {
    // 0 would be our own group.
    return pids().filter((pid) => pid > 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    return [];
  }
}

/**
 * Stops processes, and whatever takes their place when their supervisor notices that they hang, until the function that
 * it gives is called.
 */
export function hold(pids: () => readonly number[]): () => void {
  const held = new Set<number>();
  const stop = () => {
    const found = readPids(pids);
    for (const pid of found) held.add(pid);
    send(found, 'SIGSTOP');
  };
  stop();
  const timer = setInterval(stop, 50);
  return () => {
    clearInterval(timer);
    send([...held], 'SIGCONT');
  };
}
