import { ApiError, type Route, SHADOW_DOMAINS_AT_ONCE } from '@cordon/contract';
import { useId, useRef, useState } from 'react';
import { useTranslations } from 'use-intl';
import { useSubscriptions } from '../../../app/subscriptions';
import { namesLeft } from '../../../domain/data/names-left';
import { DnsRecord } from '../../../domain/display/dns-record';
import { Callout } from '../../../domain/form/callout';
import { NamesShort } from '../../../domain/form/names-short';
import { UpgradePrompt } from '../../../domain/form/upgrade-prompt';
import { useStandingError } from '../../../domain/form/use-standing-error';
import { useCodeWords, useSaveErrorList } from '../../../domain/words/error-words';
import { Button } from '../../../ui/button';
import { CloseButton } from '../../../ui/closing';
import { Dialog } from '../../../ui/dialog';
import { Field } from '../../../ui/field';
import { useLeadToError } from '../../../ui/lead-to-error';
import { joinSentences } from '../../../ui/sentences';
import { Textarea } from '../../../ui/text-input';
import { readNames, withoutNames } from './names-text';
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

/** The names that are typed, what is wrong with them, and adding them. */
function useAddForm(route: Route, onAdded: () => void, onError: () => void) {
  const [text, setText] = useState('');
  const [sent, setSent] = useState<readonly string[]>([]);
  const [wasTried, setTried] = useState(false);
  const add = useAddShadowDomains(route.id);
  const subscription = useSubscriptions().subscriptions?.find((one) => one.cname === route.subscription_cname);
  const left = subscription && namesLeft(subscription);
  const read = readNames(text, {
    mainName: route.domain_name,
    canHaveWildcards: subscription?.features.wildcard_domain ?? true,
  });
  const error = useStandingError(add.error, text);
  const found = faultsOf(error, sent);
  // The last line is not finished while it is typed.
  const faults: readonly Fault[] = found.length > 0 ? found : wasTried ? read.wrong : [];
  const isTooMany = read.names.length > SHADOW_DOMAINS_AT_ONCE;
  const isOver = left !== undefined && read.names.length > left;

  async function submit() {
    setTried(true);
    if (read.wrong.length > 0 || read.names.length === 0 || isTooMany || isOver) return onError();
    setSent(read.names);
    try {
      await add.mutateAsync(read.names);
      onAdded();
    } catch {
      // Told in the dialog, which stays.
      onError();
    }
  }
  return {
    text,
    change(next: string) {
      setText(next);
      setTried(false);
      add.reset();
    },
    read,
    /** Names that were sent last. */
    sent,
    /** How many the plan has room for. */
    left,
    faults,
    wasTried,
    isTooMany,
    isOver,
    isPending: add.isPending,
    error,
    /** Whether the names show what was refused. */
    isPlaced: found.length > 0,
    submit,
  };
}

type AddForm = ReturnType<typeof useAddForm>;

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
              <summary className="reach text-sm text-primary-ink">{t('prove')}</summary>
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
function Obstacles({ form: { text, change, faults, read, left, isOver } }: { form: AddForm }) {
  const t = useTranslations('shadowDomains.add');
  return (
    <>
      {faults.length > 0 && (
        <Callout
          tone="danger"
          role="alert"
          actions={
            <Button size="sm" onClick={() => change(withoutNames(text, new Set(faults.map((fault) => fault.text))))}>
              {t('leaveOut', { count: faults.length })}
            </Button>
          }
        >
          <p className="mb-2 font-medium">{t('wrong', { count: faults.length })}</p>
          <FaultList faults={faults} />
        </Callout>
      )}
      {faults.some(({ code }) => code === 'WILDCARD_NEEDS_VIP') && <UpgradePrompt reason="WILDCARD_NEEDS_VIP" />}
      {left === 0 && !isOver && <NamesShort>{t('left', { left })}</NamesShort>}
      {left !== undefined && isOver && (
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

function NamesField({
  form: { text, change, read, left, wasTried, isTooMany, isOver, faults, error },
}: {
  form: AddForm;
}) {
  const t = useTranslations('shadowDomains.add');
  const isMissing = wasTried && read.names.length === 0 && read.wrong.length === 0;
  return (
    <Field
      label={t('label')}
      required
      hint={
        <span aria-live="polite">
          {text.trim() === '' ? t('hint') : t('count', { count: read.names.length })}
          {read.repeated > 0 && ` ${t('repeated', { count: read.repeated })}`}
          {left !== undefined && left > 0 && ` ${t('left', { left })}`}
        </span>
      }
      error={isMissing ? t('none') : isTooMany ? t('tooMany', { maximum: SHADOW_DOMAINS_AT_ONCE }) : undefined}
    >
      <Textarea
        mono
        rows={7}
        aria-invalid={faults.length > 0 || isOver || error !== null || undefined}
        value={text}
        onChange={(event) => change(event.target.value)}
        placeholder={'shop.example.com\nblog.example.com'}
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
      />
    </Field>
  );
}

/** What the API refused, where it is no name's fault. */
function Refusal({ form: { error, sent, isOver, isPlaced } }: { form: AddForm }) {
  const t = useTranslations('shadowDomains.add');
  const errorList = useSaveErrorList();
  if (!error) return null;
  if (!(error instanceof ApiError && error.code === 'QUOTA_REACHED'))
    return isPlaced ? null : (
      <Callout tone="danger" role="alert">
        {joinSentences(errorList(error))}
      </Callout>
    );
  if (isOver) return null;
  return (
    <>
      <Callout tone="danger" role="alert">
        {t('exceed', { asked: sent.length, left: Number(error.body?.params?.QUOTA_REACHED?.available ?? 0) })}
      </Callout>
      <UpgradePrompt reason="QUOTA_REACHED" />
    </>
  );
}

interface DialogProps {
  route: Route;
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

/** Adds shadow domains, as many as are pasted; faults are shown before and after the API has checked them. */
export default function AddShadowDomainsDialog({ route, open, onOpenChange }: DialogProps) {
  const t = useTranslations('shadowDomains.add');
  const formId = useId();
  const body = useRef<HTMLFormElement>(null);
  const leadToError = useLeadToError(body);
  const form = useAddForm(route, () => onOpenChange(false), leadToError);
  const { text, read, isPending } = form;
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title={t('title', { name: route.domain_name_unicode })}
      description={t('body')}
      dirty={text.trim() !== ''}
      busy={isPending}
      keepOnOutsidePress
      footer={
        <>
          <CloseButton>{t('cancel')}</CloseButton>
          <Button variant="primary" type="submit" form={formId} loading={isPending} disabled={form.left === 0}>
            {read.names.length === 0 ? t('submit') : t('submitCount', { count: read.names.length })}
          </Button>
        </>
      }
    >
      <form
        ref={body}
        id={formId}
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          void form.submit();
        }}
      >
        <NamesField form={form} />
        <Obstacles form={form} />
        <Refusal form={form} />
      </form>
    </Dialog>
  );
}
