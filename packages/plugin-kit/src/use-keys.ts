import { useRef } from 'react';

/** Keys that parts keep while they are edited and moved; the configuration itself has none. */
export function useKeys(count: number) {
  const keys = useRef<{ list: string[]; next: number }>({ list: [], next: 0 });
  const { current } = keys;
  while (current.list.length < count) current.list.push(String(current.next++));
  current.list.length = count;
  return {
    keys: current.list,
    move: (from: number, to: number) => current.list.splice(to, 0, ...current.list.splice(from, 1)),
    add: (index: number) => current.list.splice(index, 0, String(current.next++)),
    remove: (index: number) => current.list.splice(index, 1),
  };
}
