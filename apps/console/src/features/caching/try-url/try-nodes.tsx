// biome-ignore-all lint/a11y/noRedundantRoles: rows are flexible lines on a phone, and a changed `display` takes the table's own roles away in some browsers
import type { CacheTryNode, EdgeStoredObject } from '@cordon/contract';
import clsx from 'clsx';
import { useTranslations } from 'use-intl';
import { useListed } from '../../../domain/words/use-listed';
import { StatusBadge } from '../../../ui/badge';
import { useFormat } from '../../../ui/format';
import { joinSentences } from '../../../ui/sentences';
import { useSpan } from './use-span';

const ENCODINGS = ['br', 'gzip', 'identity'] as const;
type Encoding = (typeof ENCODINGS)[number];
const CELL = 'px-2 py-1.5 align-top text-left sm:first:pl-0 phone:!p-0';

/** One copy: how old, for how long it serves, how large. */
function Copy({ object, at }: { object: EdgeStoredObject; at: number }) {
  const t = useTranslations('caching.tryUrl.nodes');
  const format = useFormat();
  const listed = useListed();
  const span = useSpan();
  const { fresh_until, stale_while_revalidate_until, stale_if_error_until } = object;
  const isFresh = fresh_until > at;
  return (
    <>
      <StatusBadge tone={isFresh ? 'success' : 'warning'}>
        {isFresh ? t('fresh', { time: span(fresh_until - at) }) : t('stale')}
      </StatusBadge>
      <span className="mt-0.5 block text-sm">
        {t('about', {
          status: String(object.status),
          size: format.bytes(object.bytes),
          age: span(at - object.made_at),
        })}
      </span>
      <span className="block text-sm text-muted">
        {joinSentences([
          stale_while_revalidate_until > at &&
            stale_while_revalidate_until > fresh_until &&
            t(isFresh ? 'staleWhile' : 'servedWhile', {
              time: span(stale_while_revalidate_until - Math.max(fresh_until, at)),
            }),
          stale_if_error_until > at &&
            stale_if_error_until > fresh_until &&
            t(isFresh ? 'staleIfError' : 'servedIfError', {
              time: span(stale_if_error_until - Math.max(fresh_until, at)),
            }),
          object.is_sliced && t('sliced'),
          object.vary !== '' && object.vary.toLowerCase() !== 'accept-encoding' && t('vary', { headers: object.vary }),
          object.tags.length > 0 && t('tags', { tags: listed(object.tags) }),
        ])}
      </span>
    </>
  );
}

function NodeRow({
  node: { name, objects, varies_by },
  shown,
  at,
}: {
  node: CacheTryNode;
  shown: readonly Encoding[];
  at: number;
}) {
  const t = useTranslations('caching.tryUrl.nodes');
  return (
    <tr role="row" className="border-b border-line last:border-b-0 phone:flex phone:flex-col phone:gap-1.5 phone:py-2">
      <th role="rowheader" scope="row" className={clsx(CELL, 'font-medium wrap-anywhere')}>
        {name}
        {varies_by !== undefined && (
          <span className="block text-sm font-normal text-muted">{t('others', { headers: varies_by })}</span>
        )}
      </th>
      {objects === null ? (
        <td role="cell" colSpan={shown.length} className={CELL}>
          <StatusBadge tone="neutral">{t('silent')}</StatusBadge>
        </td>
      ) : (
        shown.map((encoding) => {
          const object = objects[encoding];
          return (
            <td key={encoding} role="cell" className={CELL}>
              <span className="text-sm text-muted sm:hidden">{t(`encoding.${encoding}`)} </span>
              {object === null ? <span className="text-muted">{t('nothing')}</span> : <Copy object={object} at={at} />}
            </td>
          );
        })
      )}
    </tr>
  );
}

/** What each node has stored, for each encoding that any of them has it in. */
export function TryNodes({ nodes, at }: { nodes: readonly CacheTryNode[]; at: number }) {
  const t = useTranslations('caching.tryUrl.nodes');
  const isThere = (encoding: Encoding) => nodes.some(({ objects }) => objects !== null && objects[encoding] !== null);
  const stored = ENCODINGS.filter(isThere);
  if (nodes.length === 0) return <p className="text-sm text-muted">{t('none')}</p>;
  if (stored.length === 0 && nodes.every(({ objects, varies_by }) => objects !== null && varies_by === undefined))
    return <p className="text-muted">{t('nowhere', { count: nodes.length })}</p>;
  const shown = stored.length > 0 ? stored : ENCODINGS;
  return (
    <table role="table" aria-label={t('title')} className="w-full phone:block">
      <thead role="rowgroup" className="text-sm text-muted phone:hidden">
        <tr role="row" className="border-b border-line">
          <th role="columnheader" scope="col" className={clsx(CELL, 'font-normal')}>
            {t('node')}
          </th>
          {shown.map((encoding) => (
            <th key={encoding} role="columnheader" scope="col" className={clsx(CELL, 'font-normal')}>
              {t(`encoding.${encoding}`)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody role="rowgroup" className="phone:block">
        {nodes.map((node) => (
          <NodeRow key={node.name} node={node} shown={shown} at={at} />
        ))}
      </tbody>
    </table>
  );
}
