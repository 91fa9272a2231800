import { ApiError, type Route, SHADOW_DOMAINS_AT_ONCE, type Subscription } from '@cordon/contract';
import { useId, useState } from 'react';
import { useTranslations } from 'use-intl';
import { useSubscriptions } from '../../../app/subscriptions';
import { DnsRecord } from '../../../domain/display/dns-record';
import { Callout } from '../../../domain/form/callout';
import { UpgradePrompt } from '../../../domain/form/upgrade-prompt';
import { useCodeWords, useErrorList } from '../../../domain/words/error-words';
import { Button } from '../../../ui/button';
import { CloseButton } from '../../../ui/closing';
import { Dialog } from '../../../ui/dialog';
import { Field } from '../../../ui/field';
import { Textarea } from '../../../ui/text-input';
import { type NamesText, readNames, withoutNames } from './names-text';
import { useAddShadowDomains } from './queries';

const WRONG_SHOWN = 20;

interface Fault {
  readonly text: string;
  readonly code: string;
  readonly params?: Readonly<Record<string, string | number>>;
}

/** Faults that the API found, by the names that were sent. */
function faultsOf(error: unknown, sent: readonly string[]): Fault[] {
  if (!(error instanceof ApiError)) return [];
  return Object.entries(error.fields).flatMap(([path, code]) => {
    const name = sent[Number(/^names\.(\d+)$/.exec(path)?.[1] ?? Number.NaN)];
    return name === undefined ? [] : [{ text: name, code, params: error.body?.params?.[path] }];
  });
}

const leftOf = (subscription: Subscription | undefined) =>
  subscription &&
  Math.max(0, subscription.features.domains + subscription.additional_domain_number - subscription.usage.domains);

function FaultList({ faults }: { faults: readonly Fault[] }) {
  const t = useTranslations('shadowDomains.add');
  const tDns = useTranslations('domain.dns');
  const words = useCodeWords();
  return (
    <ul className="flex flex-col gap-2">
      {faults.slice(0, WRONG_SHOWN).map(({ text, code, params }) => (
        <li key={text} className="min-w-0">
          <span className="block font-mono text-sm wrap-anywhere text-ink">{text}</span>
          <span className="block text-sm wrap-anywhere">{words(code, params)}</span>
          {params?.txt_name !== undefined && (
            <details className="mt-1 text-ink">
              <summary className="text-sm text-primary-ink">{t('prove')}</summary>
              <p className="my-2 text-sm text-muted">{t('proveBody')}</p>
              <div className="rounded-control bg-card">
                <DnsRecord
                  type="TXT"
                  name={String(params.txt_name)}
                  values={[String(params.txt_value)]}
                  label={tDns('txtRecord')}
                />
              </div>
            </details>
          )}
        </li>
      ))}
      {faults.length > WRONG_SHOWN && <li className="text-sm">{t('more', { count: faults.length - WRONG_SHOWN })}</li>}
    </ul>
  );
}

/** What is in the way of the names as they are: faults, and too few left. */
function Obstacles({
  faults,
  read,
  left,
  onLeaveOut,
}: {
  faults: readonly Fault[];
  read: NamesText;
  left: number | undefined;
  onLeaveOut: () => void;
}) {
  const t = useTranslations('shadowDomains.add');
  const isOver = left !== undefined && read.names.length > left;
  return (
    <>
      {faults.length > 0 && (
        <Callout
          tone="danger"
          role="alert"
          actions={
            <Button size="sm" onClick={onLeaveOut}>
              {t('leaveOut', { count: faults.length })}
            </Button>
          }
        >
          <p className="mb-2 font-medium">{t('wrong', { count: faults.length })}</p>
          <FaultList faults={faults} />
        </Callout>
      )}
      {faults.some(({ code }) => code === 'WILDCARD_NEEDS_VIP') && <UpgradePrompt reason="WILDCARD_NEEDS_VIP" />}
      {isOver && (
        <>
          <Callout tone="danger" role="alert">
            {t('exceed', { asked: read.names.length, left })}
          </Callout>
          <UpgradePrompt reason="QUOTA_REACHED" />
        </>
      )}
    </>
  );
}

/** Adds shadow domains, as many as are pasted; faults are shown before and after the API has checked them. */
export default function AddShadowDomainsDialog({
  route,
  open,
  onOpenChange,
}: {
  route: Route;
  open: boolean;
  onOpenChange: (open: boolean) => void;
}) {
  const t = useTranslations('shadowDomains.add');
  const errorList = useErrorList();
  const formId = useId();
  const [text, setText] = useState('');
  const [sent, setSent] = useState<readonly string[]>([]);
  const [wasTried, setTried] = useState(false);
  const add = useAddShadowDomains(route.id);
  const subscription = useSubscriptions().subscriptions?.find((one) => one.cname === route.subscription_cname);
  const left = leftOf(subscription);
  const read = readNames(text, {
    mainName: route.domain_name,
    canHaveWildcards: subscription?.features.wildcard_domain ?? true,
  });
  const found = faultsOf(add.error, sent);
  const isQuota = add.error instanceof ApiError && add.error.code === 'QUOTA_REACHED';
  // The last line is not finished while it is typed.
  const faults = found.length > 0 ? found : wasTried ? read.wrong : [];
  const isTooMany = read.names.length > SHADOW_DOMAINS_AT_ONCE;
  const isOver = left !== undefined && read.names.length > left;

  function change(next: string) {
    setText(next);
    setTried(false);
    add.reset();
  }
  async function submit() {
    setTried(true);
    if (read.wrong.length > 0 || read.names.length === 0 || isTooMany || isOver) return;
    setSent(read.names);
    try {
      await add.mutateAsync(read.names);
      onOpenChange(false);
    } catch {
      // Told in the dialog, which stays.
    }
  }
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title={t('title', { name: route.domain_name_unicode })}
      description={t('body')}
      dirty={text.trim() !== ''}
      busy={add.isPending}
      keepOnOutsidePress
      footer={
        <>
          <CloseButton>{t('cancel')}</CloseButton>
          <Button variant="primary" type="submit" form={formId} loading={add.isPending}>
            {read.names.length === 0 ? t('submit') : t('submitCount', { count: read.names.length })}
          </Button>
        </>
      }
    >
      <form
        id={formId}
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
      >
        <Field
          label={t('label')}
          required
          hint={
            <span aria-live="polite">
              {text.trim() === '' ? t('hint') : t('count', { count: read.names.length })}
              {read.repeated > 0 && ` ${t('repeated', { count: read.repeated })}`}
              {left !== undefined && ` ${t('left', { left })}`}
            </span>
          }
          error={
            wasTried && read.names.length === 0 && read.wrong.length === 0
              ? t('none')
              : isTooMany
                ? t('tooMany', { maximum: SHADOW_DOMAINS_AT_ONCE })
                : undefined
          }
        >
          <Textarea
            mono
            rows={7}
            value={text}
            onChange={(event) => change(event.target.value)}
            placeholder={'shop.example.com\nblog.example.com'}
            autoComplete="off"
            autoCapitalize="off"
            spellCheck={false}
          />
        </Field>
        <Obstacles
          faults={faults}
          read={read}
          left={left}
          onLeaveOut={() => change(withoutNames(text, new Set(faults.map((fault) => fault.text))))}
        />
        {isQuota && !isOver && (
          <>
            <Callout tone="danger" role="alert">
              {t('exceed', {
                asked: sent.length,
                left: Number(
                  add.error instanceof ApiError ? (add.error.body?.params?.QUOTA_REACHED?.available ?? 0) : 0,
                ),
              })}
            </Callout>
            <UpgradePrompt reason="QUOTA_REACHED" />
          </>
        )}
        {add.error && found.length === 0 && !isQuota && (
          <Callout tone="danger" role="alert">
            {errorList(add.error).join(' ')}
          </Callout>
        )}
      </form>
    </Dialog>
  );
}
