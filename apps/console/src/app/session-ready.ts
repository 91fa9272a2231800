let resolve: () => void;
const known = new Promise<void>((done) => {
  resolve = done;
});

/** Resolves once the silent check has ended. */
export function whenSessionKnown(): Promise<void> {
  return known;
}

/** The silent check is over. */
export function sessionIsKnown(): void {
  resolve();
}
