import { type Locale, type Me, USER_NAME_CHARACTERS_MAX } from '@cordon/contract';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, Suspense, useRef, useState } from 'react';
import { useLocale, useTranslations } from 'use-intl';
import { describeFailure, fieldTexts } from '../../app/failure';
import { LOCALES } from '../../app/locale';
import { meOptions } from '../../app/me';
import { languageNames } from '../../app/shell/language-names';
import { useStandingError } from '../../domain/form/use-standing-error';
import { useUnplacedTexts } from '../../domain/words/unplaced-texts';
import { Button } from '../../ui/button';
import { Card } from '../../ui/card';
import { Field } from '../../ui/field';
import { lazyPart } from '../../ui/lazy-part';
import { useLeadToError } from '../../ui/lead-to-error';
import { notify } from '../../ui/notices';
import { Select } from '../../ui/select';
import { joinSentences } from '../../ui/sentences';
import { ErrorState, Skeleton } from '../../ui/states';
import { TextInput } from '../../ui/text-input';
import { useUnsavedChanges } from '../../ui/unsaved-changes';
import { PasswordCard } from './password-card';
import { useUpdateMe } from './queries';

const TimeZoneInput = lazyPart(() => import('./time-zone-input'));

function ProfileForm({ me }: { me: Me }) {
  const t = useTranslations('accounts.profile');
  const error = useTranslations('fieldErrors');
  const spoken = useLocale() as Locale;
  const saved = { name: me.user.name, locale: me.user.locale ?? spoken, time_zone: me.account.time_zone };
  // Only what was typed: the language may be switched in the top bar meanwhile.
  const [edits, setEdits] = useState<Partial<typeof saved>>({});
  const values = { ...saved, ...edits };
  const [unknownZone, setUnknownZone] = useState<string>();
  const update = useUpdateMe();
  const element = useRef<HTMLFormElement>(null);
  const leadToError = useLeadToError(element);
  const errors: Partial<Record<string, string>> = update.error ? fieldTexts(update.error) : {};
  const unplacedTexts = useUnplacedTexts();
  const other = joinSentences(unplacedTexts(useStandingError(update.error, edits), (path) => path in saved));
  const isTooLong = values.name.trim().length > USER_NAME_CHARACTERS_MAX;
  const isDirty =
    values.name.trim() !== saved.name || values.locale !== saved.locale || values.time_zone !== saved.time_zone;
  useUnsavedChanges(isDirty && !update.isPending);
  const change = (part: Partial<typeof saved>) => setEdits((before) => ({ ...before, ...part }));
  function submit(event: FormEvent) {
    event.preventDefault();
    // One call at a time; without a change there is nothing to save.
    if (update.isPending || !isDirty) return;
    if (isTooLong) return leadToError();
    const name = values.name.trim();
    const { locale, time_zone } = values;
    const changed = {
      ...(name === saved.name ? {} : { name }),
      ...(locale === saved.locale ? {} : { locale }),
      ...(time_zone === saved.time_zone ? {} : { time_zone }),
    };
    update.mutate(changed, {
      onSuccess() {
        // What is typed while it is on its way stays.
        setEdits((typed) =>
          Object.fromEntries(
            Object.entries(typed).filter(([key, value]) => value !== values[key as keyof typeof values]),
          ),
        );
        notify({ tone: 'success', title: t('saved') });
      },
      onError: leadToError,
    });
  }
  return (
    <form ref={element} onSubmit={submit} noValidate className="grid max-w-3xl items-start gap-4 sm:grid-cols-2">
      <Field label={t('email')} hint={t('emailHint')}>
        <TextInput value={me.user.email} readOnly autoComplete="email" className="bg-sunken! text-muted" />
      </Field>
      <Field
        label={t('name')}
        error={isTooLong ? error('TOO_LONG', { maximum: USER_NAME_CHARACTERS_MAX }) : errors.name}
      >
        <TextInput value={values.name} autoComplete="name" onChange={(event) => change({ name: event.target.value })} />
      </Field>
      <Field label={t('language')} error={errors.locale}>
        <Select<Locale>
          value={values.locale}
          onValueChange={(locale) => change({ locale })}
          options={LOCALES.map((value) => ({ value, label: languageNames[value] }))}
        />
      </Field>
      <Field
        label={t('timeZone')}
        hint={t('timeZoneHint')}
        error={
          unknownZone === undefined
            ? errors.time_zone
            : t('timeZoneUnknown', { typed: unknownZone, zone: values.time_zone })
        }
      >
        <Suspense fallback={<Skeleton className="h-9 touch:h-10" />}>
          <TimeZoneInput
            value={values.time_zone}
            onValueChange={(time_zone) => {
              setUnknownZone(undefined);
              change({ time_zone });
            }}
            onUnknown={setUnknownZone}
          />
        </Suspense>
      </Field>
      {other && (
        <p role="alert" className="col-span-full text-sm text-danger">
          {other}
        </p>
      )}
      <Button type="submit" variant="primary" loading={update.isPending} disabled={!isDirty} className="mr-auto">
        {t('save')}
      </Button>
    </form>
  );
}

/** Name, language and time zone; the password. */
export default function ProfileTab() {
  const me = useQuery({ ...meOptions, meta: { isOfScreen: true } });
  return (
    <div className="flex flex-col gap-4">
      <Card>
        {me.data ? (
          <ProfileForm me={me.data} />
        ) : me.isError ? (
          <ErrorState {...describeFailure(me.error)} onRetry={() => void me.refetch()} isRetrying={me.isFetching} />
        ) : (
          <Skeleton className="h-64" />
        )}
      </Card>
      {me.data && <PasswordCard />}
    </div>
  );
}
