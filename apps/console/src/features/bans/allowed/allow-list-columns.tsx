import { useTranslations } from 'use-intl';
import { useWho } from '../../../app/who';
import type { DataTableColumn } from '../../../ui/data-table-types';
import { useFormat } from '../../../ui/format';
import { useNow } from '../../../ui/now';
import type { AllowedNetwork } from './queries';

function Header({ message }: { message: 'network' | 'note' | 'addedBy' | 'since' | 'until' }) {
  return useTranslations('bans.allowList.columns')(message);
}

function AddedByCell({ entry }: { entry: AllowedNetwork }) {
  const whoOf = useWho();
  const who = whoOf(entry.added_by);
  return (
    <span className="block truncate phone:whitespace-normal phone:wrap-anywhere" title={who}>
      {who}
    </span>
  );
}

function SinceCell({ entry }: { entry: AllowedNetwork }) {
  const format = useFormat();
  const now = useNow();
  return (
    <time dateTime={entry.added_at} title={format.dateTime(entry.added_at)} className="whitespace-nowrap">
      {format.relative(entry.added_at, now)}
    </time>
  );
}

function UntilCell({ entry }: { entry: AllowedNetwork }) {
  const t = useTranslations('bans.allowList');
  const format = useFormat();
  const now = useNow();
  if (entry.ends_at === null) return t('noEnd');
  return (
    <time dateTime={entry.ends_at} className="tabular">
      {Date.parse(entry.ends_at) <= now ? t('ended') : format.dateTime(entry.ends_at)}
    </time>
  );
}

const CHARACTERS = { minimum: 15, maximum: 43 };
const CHARACTER_PX = 8;
const PADDING_PX = 20;

/** As wide as the longest address needs, which breaks where there is no room for that. */
function networkWidth(entries: readonly AllowedNetwork[]): string {
  const longest = Math.max(CHARACTERS.minimum, ...entries.map(({ network }) => network.length));
  return `minmax(140px, ${Math.min(longest, CHARACTERS.maximum) * CHARACTER_PX + PADDING_PX}px)`;
}

export const allowListColumns: readonly DataTableColumn<AllowedNetwork>[] = [
  {
    id: 'network',
    header: <Header message="network" />,
    cell: (entry) => (
      <span className="block font-mono text-sm font-semibold wrap-anywhere phone:text-base">{entry.network}</span>
    ),
    width: networkWidth,
    card: 'title',
  },
  {
    id: 'note',
    header: <Header message="note" />,
    cell: (entry) => (
      <span className="block truncate phone:whitespace-normal phone:wrap-anywhere" title={entry.note}>
        {entry.note}
      </span>
    ),
    width: 'minmax(130px, 1.4fr)',
    card: 'bare',
    cardClass: 'phone:order-last phone:basis-full',
  },
  {
    id: 'addedBy',
    header: <Header message="addedBy" />,
    cell: (entry) => <AddedByCell entry={entry} />,
    width: 'minmax(140px, 1fr)',
    card: 'fact',
    hideBelow: 'lg',
  },
  {
    id: 'since',
    header: <Header message="since" />,
    cell: (entry) => <SinceCell entry={entry} />,
    width: '122px',
    card: 'fact',
    hideBelow: 'md',
  },
  {
    id: 'until',
    header: <Header message="until" />,
    cell: (entry) => <UntilCell entry={entry} />,
    width: '200px',
    card: 'fact',
  },
];
