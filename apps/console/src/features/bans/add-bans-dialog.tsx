import { ApiError } from '@cordon/contract';
import { Ban } from 'lucide-react';
import { type FormEvent, lazy, Suspense, useId, useState } from 'react';
import { useTranslations } from 'use-intl';
import { Callout } from '../../domain/form/callout';
import { useCodeWords, useErrorList } from '../../domain/words/error-words';
import { Button } from '../../ui/button';
import { SegmentedControl } from '../../ui/choice';
import { CloseButton } from '../../ui/closing';
import { Dialog } from '../../ui/dialog';
import { Field } from '../../ui/field';
import { useFormat } from '../../ui/format';
import { notify } from '../../ui/notices';
import { Skeleton } from '../../ui/states';
import { TagListInput } from '../../ui/tag-list-input';
import { TextInput } from '../../ui/text-input';
import { type AddBansErrors, type AddBansValues, errorsOf, LENGTHS, toBody } from './add-bans-values';
import { useAddBans } from './ban-queries';
import { NetworkNotices } from './network-notices';
import { WideBansQuestion } from './wide-bans-question';
import { wideRanges } from './wide-ranges';

const DomainCombobox = lazy(() => import('./domain-combobox'));
const DurationInput = lazy(async () => ({ default: (await import('../../ui/duration-input')).DurationInput }));

const FIELDS = ['networks', 'route_id', 'seconds', 'note'];
const NO_ERRORS: AddBansErrors = { fields: {}, params: {} };

/** Which field of the form an error of the API belongs to. */
const isPlaced = (path: string) => FIELDS.includes(path) || /^networks\.\d+$/.test(path);

/** Bans many addresses and ranges, from one domain or from all. */
export default function AddBansDialog({ domain, onClose }: { domain: string | undefined; onClose: () => void }) {
  const t = useTranslations('bans.add');
  const tUi = useTranslations('ui');
  const format = useFormat();
  const formId = useId();
  const codeWords = useCodeWords();
  const errorList = useErrorList();
  const add = useAddBans();
  const [values, setValues] = useState<AddBansValues>({
    networks: [],
    isOneDomain: domain !== undefined,
    domain,
    length: '1h',
    own: '3h',
    note: '',
  });
  const [wasTried, setTried] = useState(false);
  const [isAsking, setAsking] = useState(false);
  const [refused, setRefused] = useState<AddBansErrors>(NO_ERRORS);
  const set = (change: Partial<AddBansValues>) => {
    setValues((before) => ({ ...before, ...change }));
    // They were about what has been changed since.
    setRefused(NO_ERRORS);
    add.reset();
  };
  const found = errorsOf(values);
  const { fields, params } = {
    fields: { ...refused.fields, ...found.fields },
    params: { ...refused.params, ...found.params },
  };
  const words = (path: string) => {
    const code = fields[path];
    // The general words are about two lists.
    if (code === 'ADDRESS_CONFLICT') return t('inside', { other: params[path]?.other ?? '' });
    return code === undefined ? undefined : codeWords(code, params[path]);
  };
  const shown = (path: string) => (wasTried ? words(path) : undefined);
  const others = add.error instanceof ApiError ? Object.keys(add.error.fields).filter((path) => !isPlaced(path)) : [];
  const hasPlaced = Object.keys(refused.fields).some(isPlaced);

  function submit(event: FormEvent) {
    event.preventDefault();
    setTried(true);
    if (Object.keys(found.fields).length > 0 || add.isPending) return;
    if (wideRanges(values.networks).length > 0) setAsking(true);
    else void send();
  }
  async function send() {
    setAsking(false);
    try {
      const { banned, ends_at: endsAt } = await add.mutateAsync(toBody(values));
      notify({
        tone: 'success',
        title: t('done', { count: banned }),
        description: endsAt === null ? undefined : t('doneUntil', { time: format.dateTime(endsAt) }),
      });
      onClose();
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      setRefused({ fields: error.fields, params: error.body?.params ?? {} });
    }
  }
  return (
    <Dialog
      open
      onOpenChange={(isOpen) => !isOpen && onClose()}
      title={t('title')}
      description={t('body')}
      busy={add.isPending}
      dirty={values.networks.length > 0 || values.note !== ''}
      footer={
        <>
          <CloseButton>{tUi('cancel')}</CloseButton>
          <Button
            type="submit"
            form={formId}
            variant="primary"
            icon={<Ban size={16} aria-hidden />}
            loading={add.isPending}
          >
            {values.networks.length > 1 ? t('submitMany', { count: values.networks.length }) : t('submit')}
          </Button>
        </>
      }
    >
      <form id={formId} onSubmit={submit} noValidate className="flex flex-col gap-4">
        {add.error && (!hasPlaced || others.length > 0) && (
          <Callout tone="danger" role="alert">
            {errorList(add.error).join(' ')}
          </Callout>
        )}
        <Field
          label={t('networks')}
          hint={t('networksHint')}
          error={wasTried && values.networks.length === 0 ? t('networksRequired') : shown('networks')}
        >
          <TagListInput
            value={values.networks}
            onValueChange={(networks) => set({ networks })}
            errorOf={(_, index) => words(`networks.${index}`)}
            placeholder="198.41.128.7, 198.41.128.0/24"
          />
        </Field>
        <NetworkNotices networks={values.networks.filter((_, index) => !fields[`networks.${index}`])} />
        <Field label={t('from')}>
          <SegmentedControl
            options={[
              { value: 'all', label: t('fromAll') },
              { value: 'one', label: t('fromOne') },
            ]}
            value={values.isOneDomain ? 'one' : 'all'}
            onValueChange={(value) => set({ isOneDomain: value === 'one' })}
            className="self-start"
          />
        </Field>
        {values.isOneDomain && (
          <Field label={t('domain')} error={wasTried && fields.route_id ? t('domainRequired') : undefined}>
            <Suspense fallback={<Skeleton className="h-9 w-full" />}>
              <DomainCombobox
                placeholder={t('domainPlaceholder')}
                value={values.domain}
                onValueChange={(id) => set({ domain: id })}
              />
            </Suspense>
          </Field>
        )}
        <Field label={t('length')}>
          <SegmentedControl
            options={LENGTHS.map((value) => ({ value, label: t(`lengths.${value}`) }))}
            value={values.length}
            onValueChange={(length) => set({ length })}
            className="self-start phone:flex-wrap"
          />
        </Field>
        {values.length === 'own' && (
          <Field label={t('ownLength')} error={fields.seconds && wasTried ? t('lengthBounds') : undefined}>
            <Suspense fallback={<Skeleton className="h-9 w-52" />}>
              <DurationInput value={values.own} onValueChange={(own) => set({ own })} />
            </Suspense>
          </Field>
        )}
        <Field label={t('note')} hint={t('noteHint')} error={shown('note')}>
          <TextInput value={values.note} maxLength={200} onChange={(event) => set({ note: event.target.value })} />
        </Field>
      </form>
      <WideBansQuestion open={isAsking} onOpenChange={setAsking} networks={values.networks} onConfirm={send} />
    </Dialog>
  );
}
