import type { HealthFinding, Route } from '@cordon/contract';
import { useTranslations } from 'use-intl';
import { DNS_CARD_ID } from '../../../domain/display/dns-record';
import { CureButton } from '../../../domain/health/cure-button';
import { useDiagnosisWords } from '../../../domain/health/diagnosis-words';
import { useShortFinding } from '../../../domain/health/health-words';
import { StateMark } from '../../../domain/health/state-mark';
import type { DialogAction } from '../../../domain/model/dialog-action';
import { useOperationError } from '../../../domain/words/operation-error';
import { useFormat } from '../../../ui/format';
import { gapAfter } from '../../../ui/sentences';

/** Goes to the record further down on this page. */
function showDnsRecord() {
  const card = document.getElementById(DNS_CARD_ID);
  card?.querySelector('details')?.setAttribute('open', '');
  card?.scrollIntoView({ block: 'start', behavior: 'smooth' });
  card?.focus({ preventScroll: true });
}

const DNS_CHECKS: ReadonlySet<string> = new Set(['ownership', 'propagation']);

interface FindingProps {
  route: Route;
  finding: HealthFinding;
  onAsk: (action: DialogAction) => void;
}

function Finding({ route, finding, onAsk }: FindingProps) {
  const t = useTranslations('overview.health');
  const format = useFormat();
  const words = useDiagnosisWords();
  const short = useShortFinding();
  const reason = useOperationError();
  // The card of the record, which stands below while it is missing, says what was seen and what to set.
  const isToldBelow = route.ownership.state === 'pending' && DNS_CHECKS.has(finding.check);
  const hasFailed = finding.check === 'deploy' && finding.finding === 'failed';
  const told = isToldBelow ? short(finding) : words.finding(finding);
  return (
    <li
      className="flex min-h-11 flex-wrap items-center gap-x-3 gap-y-2 px-4 py-2"
      data-finding={`${finding.check}.${finding.finding}`}
    >
      {/* What is off on purpose needs no fixing. */}
      <StateMark state={route.health.state === 'off' ? 'off' : finding.state} />
      <p className="min-w-0 flex-1 basis-64 wrap-anywhere">
        {told}
        {gapAfter(told)}
        {hasFailed && <span className="text-muted">{reason(route.operation?.error ?? null)} </span>}
        {finding.since !== null && (
          <span className="text-sm whitespace-nowrap text-muted" title={format.dateTime(finding.since)}>
            {t('since', { time: format.relative(finding.since) })}
          </span>
        )}
      </p>
      <CureButton route={route} finding={finding} onAsk={onAsk} onShowRecord={showDnsRecord} />
    </li>
  );
}

/** What is not well, worst first, in whole sentences, each with the press that leads to its cure. */
export default function HealthFindings({ route, onAsk }: Omit<FindingProps, 'finding'>) {
  return (
    <ul className="divide-y divide-line border-t border-line">
      {route.health.findings.map((finding) => (
        <Finding key={`${finding.check} ${finding.finding}`} route={route} finding={finding} onAsk={onAsk} />
      ))}
    </ul>
  );
}
