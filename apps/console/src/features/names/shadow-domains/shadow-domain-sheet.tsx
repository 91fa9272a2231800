import {
  CNAME_PROPAGATION_MINUTES,
  CNAME_PROPAGATION_SLOW_HOURS,
  isWildcardName,
  type ShadowDomain,
} from '@cordon/contract';
import { ArrowUpToLine, CircleCheck, RefreshCw } from 'lucide-react';
import { useTranslations } from 'use-intl';
import { DnsRecord, PointRecords } from '../../../domain/display/dns-record';
import { Callout } from '../../../domain/form/callout';
import { useErrorList } from '../../../domain/words/error-words';
import { Button } from '../../../ui/button';
import { useFormat } from '../../../ui/format';
import { Sheet } from '../../../ui/sheet';
import { useVerifyShadowDomains } from './queries';
import { ShadowDomainState } from './shadow-domain-columns';
import { promotionHint } from './shadow-domain-row-menu';

/** The DNS record of one shadow domain, and what the last look at it found. */
export default function ShadowDomainSheet({
  routeId,
  shadowDomain,
  open,
  onOpenChange,
  onPromote,
}: {
  routeId: string;
  shadowDomain: ShadowDomain;
  open: boolean;
  onOpenChange: (open: boolean) => void;
  onPromote: () => void;
}) {
  const t = useTranslations('shadowDomains');
  const tDns = useTranslations('domain.dns');
  const format = useFormat();
  const errorList = useErrorList();
  const verify = useVerifyShadowDomains(routeId);
  const { ownership } = shadowDomain;
  const isVerified = ownership.state === 'verified';
  const needsTxt = ownership.record.type !== 'CNAME' || ownership.taken_elsewhere;
  const txt = (
    <DnsRecord type="TXT" name={ownership.txt.name} values={[ownership.txt.value]} label={tDns('txtRecord')} />
  );
  return (
    <Sheet
      open={open}
      onOpenChange={onOpenChange}
      title={shadowDomain.name_unicode}
      description={<ShadowDomainState shadowDomain={shadowDomain} />}
      footer={
        <>
          {!isVerified && (
            <Button
              icon={<RefreshCw size={16} aria-hidden />}
              loading={verify.isPending}
              onClick={() => verify.mutate([shadowDomain.name])}
            >
              {tDns('check')}
            </Button>
          )}
          {!isWildcardName(shadowDomain.name) && (
            <Button
              variant="primary"
              icon={<ArrowUpToLine size={16} aria-hidden />}
              disabled={promotionHint(shadowDomain) !== undefined}
              title={promotionHint(shadowDomain) && t('promote.pending')}
              onClick={onPromote}
            >
              {t('action.promote')}
            </Button>
          )}
        </>
      }
    >
      <div className="flex flex-col gap-4">
        {isVerified ? (
          <p className="flex items-start gap-2 text-success">
            <CircleCheck size={18} className="mt-px shrink-0" aria-hidden />
            <span className="min-w-0 wrap-anywhere">
              {t(ownership.method === 'demo' ? 'sheet.verifiedDemo' : 'sheet.verified', {
                name: shadowDomain.name_unicode,
              })}
            </span>
          </p>
        ) : (
          <p className="text-muted">{t(needsTxt && !ownership.taken_elsewhere ? 'sheet.apex' : 'sheet.body')}</p>
        )}
        {ownership.taken_elsewhere && !isVerified && <Callout tone="warning">{tDns('taken')}</Callout>}
        <PointRecords ownership={ownership} />
        {!isVerified && needsTxt && (
          <div>
            <p className="mb-2 text-muted">{tDns(ownership.taken_elsewhere ? 'txtTaken' : 'txtApex')}</p>
            {txt}
          </div>
        )}
        {!isVerified && !needsTxt && (
          <details>
            <summary className="text-sm text-primary-ink">{tDns('txtOther')}</summary>
            <p className="my-2 text-sm text-muted">{tDns('txtOtherBody')}</p>
            {txt}
          </details>
        )}
        {!isVerified && (
          <>
            <p className="text-muted">
              {tDns('propagation', {
                minimum: CNAME_PROPAGATION_MINUTES.minimum,
                maximum: CNAME_PROPAGATION_MINUTES.maximum,
                hours: CNAME_PROPAGATION_SLOW_HOURS,
              })}
            </p>
            <div className="text-sm text-muted" role="status">
              {ownership.checked_at !== null && (
                <p>{t('sheet.checked', { time: format.relative(ownership.checked_at) })}</p>
              )}
              <p className="wrap-anywhere">
                {ownership.seen.length === 0
                  ? t('sheet.seenNothing')
                  : t('sheet.seen', { seen: ownership.seen.join(' → ') })}
              </p>
              {verify.error && <p className="text-danger">{errorList(verify.error).join(' ')}</p>}
            </div>
          </>
        )}
      </div>
    </Sheet>
  );
}
