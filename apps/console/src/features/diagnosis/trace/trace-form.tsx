import type { Route } from '@cordon/contract';
import { useQuery } from '@tanstack/react-query';
import { Route as RouteIcon } from 'lucide-react';
import { type ClipboardEvent, type FormEvent, useState } from 'react';
import { useTranslations } from 'use-intl';
import { versionsOptions } from '../../../domain/data/queries';
import { Callout } from '../../../domain/form/callout';
import { Button } from '../../../ui/button';
import { Card } from '../../../ui/card';
import { Checkbox } from '../../../ui/checkbox';
import { Field } from '../../../ui/field';
import { useFormat } from '../../../ui/format';
import { Select } from '../../../ui/select';
import { joinSentences } from '../../../ui/sentences';
import { Textarea, TextInput } from '../../../ui/text-input';
import { type CurlResult, isCurl, parseCurl } from './curl';
import { fromCurl, METHODS, type TraceValues } from './trace-values';

export interface TraceFormProps {
  route: Route;
  values: TraceValues;
  /** Words of what is wrong, by path of the body. */
  errors: Readonly<Record<string, string>>;
  isRunning: boolean;
  onChange: (values: TraceValues) => void;
  onSubmit: () => void;
}

const VERSIONS_SHOWN = 10;

function CurlNote({ result }: { result: CurlResult }) {
  const t = useTranslations('diagnosis.trace');
  if (!result.ok)
    return (
      <Callout tone="warning" role="alert">
        {t('curlBroken', { why: t(`curlWhy.${result.fault}`) })}
      </Callout>
    );
  const { ignored, hasBody } = result.request;
  return (
    <Callout tone="info" role="status">
      {joinSentences([
        t('curlRead'),
        hasBody && t('curlBody'),
        ignored.length > 0 && t('curlIgnored', { options: ignored.join(' ') }),
      ])}
    </Callout>
  );
}

function useVersionChoices(route: Route, chosen: string) {
  const t = useTranslations('diagnosis.trace');
  const versions = useQuery({ ...versionsOptions(route.id, 1, VERSIONS_SHOWN), enabled: route.version_live !== null });
  const numbers = new Set((versions.data?.results ?? []).map(({ version }) => version));
  if (Number(chosen) > 0) numbers.add(Number(chosen));
  return [
    ...(route.version_live === null ? [] : [{ value: 'live', label: t('live', { version: route.version_live }) }]),
    { value: 'draft', label: t('draft') },
    ...[...numbers]
      .toSorted((left, right) => right - left)
      .map((version) => ({ value: String(version), label: t('one', { version }) })),
  ];
}

/** A request as a visitor would send it: typed, or taken from a curl command. */
export function TraceForm({ route, values, errors, isRunning, onChange, onSubmit }: TraceFormProps) {
  const t = useTranslations('diagnosis.trace');
  const [curl, setCurl] = useState<CurlResult>();
  const format = useFormat();
  const choices = useVersionChoices(route, values.version);
  const set = (change: Partial<TraceValues>) => onChange({ ...values, ...change });
  const takeCurl = (text: string): boolean => {
    if (!isCurl(text)) return false;
    const result = parseCurl(text);
    setCurl(result);
    if (result.ok) onChange(fromCurl(values, result.request));
    return result.ok;
  };
  const paste = (event: ClipboardEvent) => {
    if (takeCurl(event.clipboardData.getData('text'))) event.preventDefault();
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    // Typed by hand: the fields show what was read before anything is sent.
    if (isCurl(values.url)) takeCurl(values.url);
    else onSubmit();
  };
  const methods = METHODS.some((method) => method === values.method) ? METHODS : [values.method, ...METHODS];
  return (
    <Card title={t('title')} description={t('body')}>
      <form onSubmit={submit} className="flex flex-col gap-4" noValidate>
        <div className="grid gap-4 sm:grid-cols-[110px_1fr_200px]">
          <Field label={t('method')} error={errors.method}>
            <Select
              options={methods.map((method) => ({ value: method, label: method }))}
              value={values.method}
              onValueChange={(method) => set({ method })}
            />
          </Field>
          <Field label={t('url')} hint={t('urlHint')} error={errors.url}>
            <TextInput
              mono
              value={values.url}
              onPaste={paste}
              onChange={(event) => set({ url: event.target.value })}
              spellCheck={false}
              autoCapitalize="off"
            />
          </Field>
          <Field label={t('version')} error={errors.version}>
            <Select options={choices} value={values.version} onValueChange={(version) => set({ version })} />
          </Field>
        </div>
        {curl && <CurlNote result={curl} />}
        <div className="grid gap-4 sm:grid-cols-2">
          <Field label={t('client')} hint={t('clientHint')} error={errors.client_address}>
            <TextInput
              mono
              value={values.client}
              onChange={(event) => set({ client: event.target.value })}
              spellCheck={false}
            />
          </Field>
          <div className="grid grid-cols-2 gap-4">
            <Field
              label={t('country')}
              hint={values.country.length === 2 ? format.country(values.country.toUpperCase()) : t('countryHint')}
              error={errors.country}
            >
              <TextInput
                mono
                value={values.country}
                maxLength={2}
                onChange={(event) => set({ country: event.target.value })}
              />
            </Field>
            <Field label={t('asn')} error={errors.asn}>
              <TextInput
                mono
                value={values.asn}
                maxLength={12}
                placeholder="AS64496"
                onChange={(event) => set({ asn: event.target.value })}
              />
            </Field>
          </div>
        </div>
        <Field label={t('headers')} hint={t('headersHint')} error={errors.headers}>
          <Textarea
            mono
            rows={3}
            value={values.headers}
            onChange={(event) => set({ headers: event.target.value })}
            spellCheck={false}
          />
        </Field>
        <div className="flex flex-wrap items-center gap-x-6 gap-y-2">
          <Checkbox
            label={t('crawler')}
            checked={values.isCrawler}
            onChange={(event) => set({ isCrawler: event.target.checked })}
          />
          <Checkbox
            label={t('preview')}
            checked={values.isPreview}
            onChange={(event) => set({ isPreview: event.target.checked })}
          />
          <Button
            type="submit"
            variant="primary"
            icon={<RouteIcon size={16} aria-hidden />}
            loading={isRunning}
            className="ml-auto phone:w-full"
          >
            {t('run')}
          </Button>
        </div>
      </form>
    </Card>
  );
}
