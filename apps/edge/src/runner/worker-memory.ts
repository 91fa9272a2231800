/**
 * What a worker has found out lately. Forgotten all at once when it has grown: a flood of new keys costs little more than what is found out of
 * each, and does not fill the memory.
 */
export interface WorkerMemory<Key extends AnyNotNil, Value> {
  /** Read where it is asked for: LuaJIT would compile a function for the keys of one memory, and leave those of all others. */
  entries: LuaTable<Key, Value | undefined>;
  count: number;
  readonly max: number;
}

export const newMemory = <Key extends AnyNotNil, Value>(max: number): WorkerMemory<Key, Value> => ({
  entries: new LuaTable(),
  count: 0,
  max,
});

/** Of a key that has no entry. */
export function remember<Key extends AnyNotNil, Value>(
  memory: WorkerMemory<Key, Value>,
  key: Key,
  value: Value,
): Value {
  if (memory.count >= memory.max) {
    memory.entries = new LuaTable();
    memory.count = 0;
  }
  memory.entries.set(key, value);
  memory.count++;
  return value;
}
