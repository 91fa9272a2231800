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
import { useStandingError } from '../../../domain/form/use-standing-error';
import { useSaveErrorList } from '../../../domain/words/error-words';
import { Button } from '../../../ui/button';
import { useFormat } from '../../../ui/format';
import { joinSentences } from '../../../ui/sentences';
import { Sheet } from '../../../ui/sheet';
import { useVerifyShadowDomains } from './queries';
import { ShadowDomainState } from './shadow-domain-columns';
import { promotionHint } from './shadow-domain-row-menu';

/** A proof by TXT: where a CNAME cannot be set, and where another account has the name. */
const needsTxt = ({ ownership }: ShadowDomain): boolean =>
  ownership.record.type !== 'CNAME' || ownership.taken_elsewhere;

type Verification = ReturnType<typeof useVerifyShadowDomains>;

interface PartProps {
  shadowDomain: ShadowDomain;
}

interface StandingProps extends PartProps {
  /** It was proved once, and leads here no more. */
  isLost: boolean;
}

interface ButtonsProps extends PartProps {
  /** While the domain is suspended or being deleted, nothing can be changed. */
  isLocked: boolean;
  verify: Verification;
  onPromote: () => void;
}

function SheetButtons({ shadowDomain, isLocked, verify, onPromote }: ButtonsProps) {
  const t = useTranslations('shadowDomains');
  const tDns = useTranslations('domain.dns');
  return (
    <>
      {shadowDomain.ownership.state !== 'verified' && (
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
          disabled={isLocked || promotionHint(shadowDomain) !== undefined}
          title={promotionHint(shadowDomain) && t('promote.pending')}
          onClick={onPromote}
        >
          {t('action.promote')}
        </Button>
      )}
    </>
  );
}

/** Whether it points here, and what to do if it does not. */
function Standing({ shadowDomain, isLost }: StandingProps) {
  const t = useTranslations('shadowDomains.sheet');
  const tDns = useTranslations('domain.dns');
  const { ownership } = shadowDomain;
  if (ownership.state === 'verified' && isLost)
    return <Callout tone="danger">{t('lost', { name: shadowDomain.name_unicode })}</Callout>;
  if (ownership.state === 'verified')
    return (
      <p className="flex items-start gap-2 text-success">
        <CircleCheck size={18} className="mt-px shrink-0" aria-hidden />
        <span className="min-w-0 wrap-anywhere">
          {t(ownership.method === 'demo' ? 'verifiedDemo' : 'verified', { name: shadowDomain.name_unicode })}
        </span>
      </p>
    );
  return (
    <>
      <p className="text-muted">{t(needsTxt(shadowDomain) && !ownership.taken_elsewhere ? 'apex' : 'body')}</p>
      {ownership.taken_elsewhere && <Callout tone="warning">{tDns('taken')}</Callout>}
    </>
  );
}

/** The TXT record: at hand where it is needed, else folded away. */
function TxtProof({ shadowDomain }: PartProps) {
  const tDns = useTranslations('domain.dns');
  const { ownership } = shadowDomain;
  const record = (
    <DnsRecord type="TXT" name={ownership.txt.name} values={[ownership.txt.value]} label={tDns('txtRecord')} />
  );
  if (needsTxt(shadowDomain))
    return (
      <div>
        <p className="mb-2 text-muted">{tDns(ownership.taken_elsewhere ? 'txtTaken' : 'txtApex')}</p>
        {record}
      </div>
    );
  return (
    <details>
      <summary className="reach text-sm text-primary-ink">{tDns('txtOther')}</summary>
      <p className="my-2 text-sm text-muted">{tDns('txtOtherBody')}</p>
      {record}
    </details>
  );
}

/** What the last look at DNS found, and how long it takes to show. */
function LastLook({ shadowDomain, verify }: PartProps & { verify: Verification }) {
  const t = useTranslations('shadowDomains.sheet');
  const tDns = useTranslations('domain.dns');
  const format = useFormat();
  const errorList = useSaveErrorList();
  const error = useStandingError(verify.error, undefined);
  const { checked_at: checkedAt, seen } = shadowDomain.ownership;
  return (
    <>
      <p className="text-muted">
        {tDns('propagation', {
          minimum: CNAME_PROPAGATION_MINUTES.minimum,
          maximum: CNAME_PROPAGATION_MINUTES.maximum,
          hours: CNAME_PROPAGATION_SLOW_HOURS,
        })}
      </p>
      <div className="text-sm text-muted" role="status">
        {checkedAt !== null && <p>{t('checked', { time: format.relative(checkedAt) })}</p>}
        <p className="wrap-anywhere">
          {seen === null
            ? t('unanswered')
            : seen.length === 0
              ? t('seenNothing')
              : t('seen', { seen: seen.join(' → ') })}
        </p>
        {error && <p className="text-danger">{joinSentences(errorList(error))}</p>}
      </div>
    </>
  );
}

interface SheetProps extends StandingProps {
  routeId: string;
  isLocked: boolean;
  open: boolean;
  onOpenChange: (open: boolean) => void;
  onPromote: () => void;
}

/** The DNS record of one shadow domain, and what the last look at it found. */
export default function ShadowDomainSheet({
  routeId,
  isLocked,
  shadowDomain,
  isLost,
  open,
  onOpenChange,
  onPromote,
}: SheetProps) {
  const verify = useVerifyShadowDomains(routeId);
  const isVerified = shadowDomain.ownership.state === 'verified';
  return (
    <Sheet
      open={open}
      onOpenChange={onOpenChange}
      title={shadowDomain.name_unicode}
      description={<ShadowDomainState shadowDomain={shadowDomain} isLost={isLost} />}
      footer={<SheetButtons shadowDomain={shadowDomain} isLocked={isLocked} verify={verify} onPromote={onPromote} />}
    >
      <div className="flex flex-col gap-4">
        <Standing shadowDomain={shadowDomain} isLost={isLost} />
        <PointRecords ownership={shadowDomain.ownership} />
        {!isVerified && <TxtProof shadowDomain={shadowDomain} />}
        {!isVerified && <LastLook shadowDomain={shadowDomain} verify={verify} />}
      </div>
    </Sheet>
  );
}
