import { durationParams } from '@cordon/plugin-kit/duration-params';
import { useQuery } from '@tanstack/react-query';
import { Suspense } from 'react';
import { useTranslations } from 'use-intl';
import { needCatalogs } from '../../app/intl-store';
import { routeOptions } from '../../domain/data/queries';
import GapsCallout from '../../domain/plugins/gaps-callout';
import { SegmentedControl } from '../../ui/choice';
import { Field } from '../../ui/field';
import { lazyPart } from '../../ui/lazy-part';
import { Skeleton } from '../../ui/states';
import { TagListInput } from '../../ui/tag-list-input';
import { TextInput } from '../../ui/text-input';
import { defaultSecondsOf, type Length, lengthOf, shownLengths } from './add-bans-values';
import { NetworkNotices } from './entries/network-notices';
import type { AddBansForm } from './use-add-bans-form';

const DomainCombobox = lazyPart(async () => {
  await needCatalogs('combobox');
  return import('../../domain/combobox/domain-combobox');
});
const DurationInput = lazyPart(async () => ({ default: (await import('../../ui/duration-input')).DurationInput }));

interface FieldsProps {
  form: AddBansForm;
}

/** Whom to ban. */
export function NetworksField({ form: { values, valid, networks, set, errorOf, isWrong } }: FieldsProps) {
  const t = useTranslations('bans.add');
  const tNotices = useTranslations('bans.notices');
  const nothing = values.networks.length === 0 ? t('networksRequired') : tNotices('nothingLeft');
  const wrong = networks.length === 0 ? nothing : errorOf('networks');
  return (
    <>
      <Field label={t('networks')} hint={t('networksHint')} error={isWrong('networks') ? wrong : undefined}>
        <TagListInput
          value={values.networks}
          onValueChange={(entries) => set({ networks: entries })}
          errorOf={(_, index) => errorOf(`networks.${index}`)}
          placeholder="198.41.128.7, 198.41.128.0/24"
        />
      </Field>
      <NetworkNotices networks={valid} isBan />
    </>
  );
}

/** From all domains, or from which. */
export function DomainFields({ form: { values, set, isWrong, gaps } }: FieldsProps) {
  const t = useTranslations('bans.add');
  return (
    <>
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
        <Field label={t('domain')} error={isWrong('route_id') ? t('domainRequired') : undefined}>
          <Suspense fallback={<Skeleton className="h-9 w-full touch:h-10" />}>
            <DomainCombobox
              placeholder={t('domainPlaceholder')}
              value={values.domain}
              onValueChange={(id) => set({ domain: id })}
            />
          </Suspense>
        </Field>
      )}
      {gaps && <GapsCallout gaps={gaps} of="bans.add" />}
    </>
  );
}

/** How long. */
export function LengthFields({ form: { values, set, isWrong } }: FieldsProps) {
  const t = useTranslations('bans.add');
  const length = lengthOf(values);
  const { data: route } = useQuery({
    ...routeOptions(values.domain ?? ''),
    enabled: values.isOneDomain && values.domain !== undefined,
  });
  const ofDomain = values.isOneDomain && values.domain !== undefined && route ? defaultSecondsOf(route) : undefined;
  const labelOf = (value: Length) =>
    value === 'domain' && ofDomain !== undefined
      ? t('lengths.domainOf', durationParams(ofDomain))
      : t(`lengths.${value}`);
  const lengths = shownLengths(values, ofDomain);
  const hint = values.isOneDomain ? length === 'domain' && t('lengthOfDomain') : t('lengthOfAll');
  return (
    <>
      <Field label={t('length')} hint={hint}>
        <SegmentedControl
          options={lengths.map((value) => ({ value, label: labelOf(value) }))}
          value={lengths.includes(length) ? length : 'domain'}
          onValueChange={(next) => set({ length: next })}
          className="self-start phone:flex-wrap"
        />
      </Field>
      {length === 'own' && (
        <Field label={t('ownLength')} error={isWrong('seconds') ? t('lengthBounds') : undefined}>
          <Suspense fallback={<Skeleton className="h-9 w-52 touch:h-10" />}>
            <DurationInput value={values.own} onValueChange={(own) => set({ own })} />
          </Suspense>
        </Field>
      )}
    </>
  );
}

/** Why, for colleagues. */
export function NoteField({ form: { values, set, errorOf, isWrong } }: FieldsProps) {
  const t = useTranslations('bans.add');
  return (
    <Field label={t('note')} hint={t('noteHint')} error={isWrong('note') ? errorOf('note') : undefined}>
      <TextInput value={values.note} maxLength={200} onChange={(event) => set({ note: event.target.value })} />
    </Field>
  );
}
