import { useMemo, useState } from 'react';
import type { Ban } from './queries';

/** The selected bans, those of other pages too. */
export function usePickedBans() {
  const [picked, setPicked] = useState<ReadonlyMap<string, Ban>>(new Map());
  return {
    bans: [...picked.values()],
    ids: useMemo(() => new Set(picked.keys()), [picked]),
    clear: () => setPicked(new Map()),
    select(ids: ReadonlySet<string>, rows: readonly Ban[] | undefined) {
      const shown = new Map(rows?.map((ban) => [ban.id, ban]));
      const ofId = (id: string) => shown.get(id) ?? picked.get(id);
      setPicked(new Map([...ids].flatMap((id) => ofId(id) ?? []).map((ban) => [ban.id, ban])));
    },
  };
}
