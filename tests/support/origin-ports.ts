/** Between the ports of `free-ports.ts` and those that systems give to outgoing connections. */
const FIRST = 32_000;
const PER_WORKER = 200;

/** Number of this worker of the run, from 1. */
export const worker = Number(process.env.VITEST_POOL_ID ?? 1);

/** Ports of the origins that a worker's tests start; its instance may use them all. */
export const originPorts = (of: number): readonly number[] =>
  Array.from({ length: PER_WORKER }, (_, index) => FIRST + ((of - 1) % 3) * PER_WORKER + index);

/** Calls `listen` with ports of this worker until one is free. */
export async function listenOnOriginPort(listen: (port: number) => Promise<void>): Promise<number> {
  const ports = originPorts(worker);
  const start = Math.floor(Math.random() * ports.length);
  for (let step = 0; step < ports.length; step++) {
    const port = ports[(start + step) % ports.length] as number;
    try {
      await listen(port);
      return port;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
    }
  }
  throw new Error(`No free port for an origin of worker ${worker}`);
}
