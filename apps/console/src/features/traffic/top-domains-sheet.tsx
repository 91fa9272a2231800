import type { TrafficRange } from '@cordon/contract';
import { useQuery } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import { describeFailure } from '../../app/failure';
import type { AddressDialog } from '../../domain/traffic/address-dialog';
import { useMatchText } from '../../domain/traffic/match-words';
import { actionOf, matchSearch, type RequestMatch } from '../../domain/traffic/request-match';
import { challengeKind } from '../../domain/words/challenge-kind';
import { BarList } from '../../ui/charts/bar-list';
import { DottedText } from '../../ui/dotted-text';
import { useFormat } from '../../ui/format';
import { Sheet } from '../../ui/sheet';
import { ErrorState } from '../../ui/states';
import { LatestSources } from './latest-sources';
import { dashboardOf } from './links';
import { topDomainsOptions } from './queries';

interface TopDomainsSheetProps {
  range: TrafficRange;
  match: RequestMatch;
  open: boolean;
  onClose: () => void;
  AddressDialog: AddressDialog;
}

const MEASURES = { block: 'blocked', challenge: 'challenged', all: 'requests' } as const;

/** The domains behind a number of the dashboard; each leads to its requests of that kind, or to its own numbers. */
export default function TopDomainsSheet({ range, match, open, onClose, AddressDialog }: TopDomainsSheetProps) {
  const t = useTranslations('traffic');
  const format = useFormat();
  const matchText = useMatchText();
  const query = useQuery({ ...topDomainsOptions(range, match), enabled: open });
  const { domains, count = 0 } = query.data ?? {};
  const measure = match.by === 'bytes' ? 'bytes' : MEASURES[actionOf(match)];
  // That they had to wait says the reason.
  const counted = challengeKind(match.plugin ?? '') === 'wait' && measure === 'challenged' ? 'requests' : measure;
  // Of one reason or country, `requests` counts only these.
  const isOfAll =
    match.blocked === true || match.status !== undefined || (match.challenged && match.plugin === undefined);
  const left = count - (domains?.length ?? 0);
  return (
    <Sheet
      open={open}
      onOpenChange={(isOpen) => isOpen || onClose()}
      title={matchText(match)}
      description={t(`top.${counted}`, { range: t(`range.${range}`) })}
    >
      {query.isError && !domains ? (
        <ErrorState
          {...describeFailure(query.error)}
          onRetry={() => void query.refetch()}
          isRetrying={query.isFetching}
        />
      ) : (
        <BarList
          label={t('top.title')}
          total={left > 0 ? undefined : domains?.reduce((sum, { value }) => sum + value, 0)}
          formatValue={measure === 'bytes' ? format.bytes : format.compact}
          empty={<p className="text-muted">{t(actionOf(match) === 'all' ? 'domains.empty' : 'reasons.empty')}</p>}
          items={domains?.map((row) => ({
            id: row.route_id,
            label: (
              <>
                <DottedText text={row.domain_name} />
                {measure === 'requests' && match.status === undefined && row.blocked > 0 && (
                  <span className="text-sm text-danger">
                    {' '}
                    {t('top.ofThese', { count: format.compact(row.blocked) })}
                  </span>
                )}
                {isOfAll && (
                  <span className="text-sm text-muted">
                    {' '}
                    {t('top.ofRequests', { count: format.compact(row.requests) })}
                  </span>
                )}
              </>
            ),
            title: row.domain_name,
            value: row.value,
            href: match.by ? dashboardOf(row.route_id, range) : `#/domain/list/${row.route_id}?${matchSearch(match)}`,
          }))}
        />
      )}
      {left > 0 && <p className="pt-3 text-sm text-muted">{t('top.more', { count: left })}</p>}
      {open && <LatestSources match={match} AddressDialog={AddressDialog} />}
    </Sheet>
  );
}
