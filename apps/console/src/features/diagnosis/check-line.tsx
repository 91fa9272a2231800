import type { DiagnosisItem, DiagnosisLine, Route } from '@cordon/contract';
import { ChevronDown } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import { DnsRecord } from '../../domain/display/dns-record';
import { cureOf } from '../../domain/health/cure';
import { CureButton } from '../../domain/health/cure-button';
import { useDiagnosisWords } from '../../domain/health/diagnosis-words';
import { StateMark } from '../../domain/health/state-mark';
import type { DialogAction } from '../../domain/model/dialog-action';

/** The record to set, ready to copy. */
function AdvisedRecord({ line }: { line: DiagnosisLine }) {
  const t = useTranslations('domain.dns');
  const { name, target, record_type, txt_name, txt_value } = line.params;
  if (line.advice === 'add_txt')
    return <DnsRecord type="TXT" name={String(txt_name)} values={[String(txt_value)]} label={t('txtRecord')} />;
  return (
    <DnsRecord type={String(record_type)} name={String(name)} values={String(target).split(', ')} label={t('record')} />
  );
}

const RECORD_ADVICE = new Set(['add_cname', 'add_address', 'add_txt']);

function Advice({ line, route, onAsk }: Omit<CheckLineProps, 'isCounted'>) {
  const t = useTranslations('diagnosis');
  const words = useDiagnosisWords();
  if (line.advice === null) return null;
  const cure = cureOf(line);
  const hasRecord = RECORD_ADVICE.has(line.advice) && line.params.name !== undefined;
  // This is the diagnosis, and a record that stands here is not to be looked for elsewhere.
  const isHere = cure === 'diagnosis' || (cure === 'dns' && hasRecord);
  return (
    <div className="mt-2 rounded-control bg-sunken px-3 py-2.5">
      <p className="text-sm text-muted">{t('checks.todo')}</p>
      <div className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1">
        <p className="min-w-0 flex-1 basis-64 wrap-anywhere">{words.advice(line)}</p>
        {!isHere && <CureButton route={route} finding={line} onAsk={onAsk} />}
      </div>
      {hasRecord && (
        <div className="mt-2 bg-card">
          <AdvisedRecord line={line} />
        </div>
      )}
    </div>
  );
}

function Item({ item }: { item: DiagnosisItem }) {
  const words = useDiagnosisWords();
  return (
    <li className="flex min-w-0 items-start gap-2 py-0.5">
      <span className="mt-0.5">
        <StateMark state={item.state} size={14} />
      </span>
      <span className="min-w-0 wrap-anywhere">
        <span className="font-medium">{words.itemLabel(item)}</span>{' '}
        <span className="text-muted">{words.itemFinding(item)}</span>
      </span>
    </li>
  );
}

/** Whether the line has the figures of its only part. */
const isToldWhole = ({ state, items }: DiagnosisLine): boolean =>
  state === 'ok' && items.every(isWell) && items.length === 1;
const isWell = ({ state }: DiagnosisItem): boolean => state === 'ok';

/** Figures of the parts of a check that is well, which stand in place of them. */
const figuresOf = ({ items }: DiagnosisLine): DiagnosisLine['params'] => ({
  parts: items.length,
  label: items[0]?.label ?? '',
  status: items[0]?.params.status ?? '',
  ms: Math.max(0, ...items.map(({ params }) => Number(params.ms ?? 0))),
});

function Details({ line, isCounted }: { line: DiagnosisLine; isCounted: boolean }): ReactNode {
  const t = useTranslations('diagnosis.checks');
  if (line.items.length === 0 || isToldWhole(line)) return null;
  const list = (
    <ul className={line.items.length === 1 && line.advice === null ? 'text-sm' : 'mt-1 text-sm'}>
      {line.items.map((item) => (
        <Item key={`${item.kind} ${item.label}`} item={item} />
      ))}
    </ul>
  );
  // A button that hides one line takes as much room as the line.
  if (line.items.length === 1) return list;
  return (
    <details className="group mt-1.5" open={(line.state !== 'ok' && isCounted) || undefined}>
      <summary className="inline-flex cursor-pointer list-none items-center gap-1 text-sm text-primary-ink touch:min-h-10">
        {t('details', { count: line.items.length })}
        <ChevronDown size={14} className="transition-transform group-open:rotate-180" aria-hidden />
      </summary>
      {list}
    </details>
  );
}

interface CheckLineProps {
  line: DiagnosisLine;
  route: Route;
  /** Whether the judgement counts it, where it is not well: not what only follows from something else. */
  isCounted: boolean;
  onAsk: (action: DialogAction) => void;
}

/** One check: what was found, what to do, and its parts. */
export function CheckLine({ line, route, isCounted, onAsk }: CheckLineProps) {
  const t = useTranslations('diagnosis');
  const words = useDiagnosisWords();
  // What is found of the only one there is stands beside the sentence.
  const isShort = line.items.length === 1 && line.advice === null;
  // What is off on purpose needs no fixing.
  const isOff = route.health.state === 'off' && (line.state === 'error' || line.state === 'warning');
  // Not looked at, since nothing hangs on it: a tick would say that it was found well.
  const isNeedless = line.check === 'propagation' && line.finding === 'demo';
  // Errors that an origin's own line has the cure of.
  const isOfOrigin = line.check === 'traffic' && line.finding === 'server_errors' && !isCounted;
  const state = isNeedless ? 'needless' : isCounted ? (isOff ? 'off' : line.state) : 'uncounted';
  return (
    <li className="flex min-w-0 items-start gap-3 px-4 py-2.5" data-check={line.check} data-state={line.state}>
      <span className="mt-0.5">
        <StateMark state={state} />
      </span>
      <div className="min-w-0 flex-1 md:grid md:grid-cols-[170px_1fr] md:gap-x-4">
        <h3 className="font-medium">{t(`check.${line.check}`)}</h3>
        <div className="min-w-0">
          <div className={isShort ? 'flex flex-wrap items-center gap-x-4' : undefined}>
            <p className="wrap-anywhere">
              {words.finding({ ...line, params: { ...figuresOf(line), ...line.params } })}
            </p>
            {!isOfOrigin && <Advice line={line} route={route} onAsk={onAsk} />}
            <Details line={line} isCounted={isCounted} />
          </div>
        </div>
      </div>
    </li>
  );
}
