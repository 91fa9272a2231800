import * as ffi from 'ffi';
import './native.ts';

/**
 * How many changes there were that workers have to look at, in memory that all of them share: a semaphore (POSIX `sem_post`,
 * which is atomic), since each request asks for it and a look into a dictionary takes a lock.
 */
const meta = ngx.shared.cordon_meta as SharedDict;
const PLACE = 'generation_at';
const PAGE_BYTES = 4096;
/** `PROT_READ | PROT_WRITE`, `MAP_SHARED | MAP_ANONYMOUS`. */
const PROTECTION = 3;
const FLAGS = 33;

const placeType = ffi.typeof<number>('uintptr_t');
const pointerType = ffi.typeof<NativeSemaphore>('void *');
const value = ffi.new<NativeInteger>('int[1]');

function placeOf(this: void, semaphore: NativeSemaphore): number {
  return tonumber(ffi.cast(placeType, semaphore) as never) as number;
}

/**
 * In `init_by_lua`, so that nginx's master has it for good, and each worker that it forks. A configuration that is loaded again
 * finds the first one.
 */
function openSemaphore(): NativeSemaphore {
  const known = meta.get(PLACE) as number | undefined;
  if (known !== undefined) return ffi.cast(pointerType, ffi.cast(placeType, known));
  const semaphore = ffi.C.mmap(undefined, PAGE_BYTES, PROTECTION, FLAGS, -1, 0);
  // What it answers where it fails is -1, no place in a page.
  if (placeOf(semaphore) % PAGE_BYTES !== 0 || ffi.C.sem_init(semaphore, 1, 0) !== 0)
    error('no memory to share' as never);
  meta.set(PLACE, placeOf(semaphore));
  return semaphore;
}

const semaphore = openSemaphore();

/** Rises with every change that workers have to look at; the same in all workers. */
export function currentGeneration(): number {
  ffi.C.sem_getvalue(semaphore, value);
  return value[0] as number;
}

/** To be called once a change is written. */
export function beginGeneration(): void {
  ffi.C.sem_post(semaphore);
}
