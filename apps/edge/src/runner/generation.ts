const meta = ngx.shared.cordon_meta as SharedDict;

/** Rises with every change that workers have to look at; the same in all workers. */
export function currentGeneration(): number {
  return (meta.get('generation') ?? 0) as number;
}

/** To be called once a change is written. */
export function beginGeneration(): void {
  meta.incr('generation', 1, 0);
}
