import { ApiError, type Route } from '@cordon/contract';
import { isHostOf, readClearUrl } from '@cordon/contract/cache-targets';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { useTranslations } from 'use-intl';
import { failureTexts, fieldTexts } from '../../../app/failure';
import { useStandingError } from '../../../domain/form/use-standing-error';
import { useCodeWords } from '../../../domain/words/error-words';
import { Button } from '../../../ui/button';
import { SegmentedControl } from '../../../ui/choice';
import { Field } from '../../../ui/field';
import { Select } from '../../../ui/select';
import { TextInput } from '../../../ui/text-input';
import { useKept } from '../use-kept';
import { useLeadToRefusal } from '../use-lead-to-refusal';
import type { GivenUrl } from './given-url';
import type { TryBody } from './queries';

const DEVICES = ['desktop', 'mobile', 'tablet'] as const;
const SCHEMES = ['https', 'http'] as const;

interface KeyChoices {
  readonly byDevice: boolean;
  readonly languages: readonly string[];
}

interface KeySettings {
  readonly by_device?: boolean;
  readonly languages?: readonly string[];
}

/** Which kinds of visitors have copies of their own, by what is live. Of the plugins, only those that cache have a key. */
function keyChoices({ live }: Pick<Route, 'live'>): KeyChoices {
  const keys = (live?.plugins ?? []).map(({ enabled, config }) => (enabled ? config.key : undefined));
  const key = keys.find((one): one is KeySettings => typeof one === 'object' && one !== null && 'languages' in one);
  return { byDevice: key?.by_device === true, languages: key?.languages ?? [] };
}

/** Why the URL cannot be tried, without asking. */
function faultOf(url: string, route: Route): { code: string; params?: { name: string } } | undefined {
  const read = readClearUrl(url);
  if (!read.ok) return { code: read.code };
  const names = [route.domain_name, ...route.shadow_domains];
  const { host } = read.value;
  return host === null || isHostOf(host, names, route.live?.wildcard_levels)
    ? undefined
    : { code: 'CACHE_URL_FOREIGN', params: { name: host } };
}

const hasScheme = (url: string): boolean => /^\s*https?:/i.test(url);

interface TryFormProps {
  route: Route;
  given: GivenUrl | undefined;
  isPending: boolean;
  error: unknown;
  onSubmit: (body: TryBody) => void;
  /** What is wrong was found without asking. */
  onRefused: () => void;
  /** Another is meant from now on: what came of the one before says nothing of it. */
  onEdit: () => void;
}

/** One URL, and what else makes another copy of it. */
export function TryForm({ route, given, isPending, error: whole, onSubmit, onRefused, onEdit }: TryFormProps) {
  const t = useTranslations('caching.tryUrl');
  const words = useCodeWords();
  const form = useRef<HTMLFormElement>(null);
  const leadToError = useLeadToRefusal(form, whole);
  const input = useRef<HTMLInputElement>(null);
  const [url, setUrl] = useKept(route.id, 'try', '');
  /** What is wrong is said of what was sent, until it is changed. */
  const [sent, setSent] = useState<string>();
  const [scheme, setScheme] = useState<(typeof SCHEMES)[number]>(
    // Without a certificate visitors come by the other one, whose copies are others.
    route.certificate_expires_at === null ? 'http' : 'https',
  );
  const [device, setDevice] = useState<(typeof DEVICES)[number]>('desktop');
  const { byDevice, languages } = keyChoices(route);
  const [language, setLanguage] = useState('');

  const error = useStandingError(whole, `${url} ${scheme} ${device} ${language}`);
  const isSent = sent === url;
  const answered = isSent && error instanceof ApiError ? fieldTexts(error).url : undefined;
  const found = isSent ? faultOf(url, route) : undefined;
  const fault = found ? words(found.code, found.params) : answered;
  const failed = isSent && error !== null && answered === undefined ? failureTexts(error) : [];
  const submit = (text: string) => {
    setSent(text);
    if (faultOf(text, route) !== undefined) {
      onRefused();
      return leadToError();
    }
    const body = {
      url: text.trim(),
      ...(hasScheme(text) ? {} : { scheme }),
      ...(byDevice ? { device } : {}),
      ...(languages.length > 0 ? { language: language || languages[0] } : {}),
    };
    onSubmit(body);
  };
  const tryGiven = useEffectEvent((text: string) => {
    onEdit();
    setUrl(text);
    input.current?.focus({ preventScroll: true });
    submit(text);
  });
  useEffect(() => {
    if (given) tryGiven(given.url);
  }, [given]);

  return (
    <form
      ref={form}
      noValidate
      className="flex flex-col gap-3"
      onSubmit={(event) => {
        event.preventDefault();
        submit(url);
      }}
    >
      <Field label={t('url')} hint={t('urlHint')} error={fault}>
        <div className="flex gap-2 phone:flex-col">
          <TextInput
            ref={input}
            mono
            spellCheck={false}
            autoCapitalize="off"
            autoComplete="off"
            inputMode="url"
            className="min-w-0 flex-1"
            placeholder={t('example', { name: route.domain_name_unicode.replace('*', 'www') })}
            value={url}
            onChange={(event) => {
              setUrl(event.target.value);
              onEdit();
            }}
          />
          <Button type="submit" variant="primary" loading={isPending}>
            {t('try')}
          </Button>
        </div>
      </Field>
      <div className="flex flex-wrap gap-x-6 gap-y-3 empty:hidden">
        {!hasScheme(url) && (
          <Field label={t('scheme')}>
            <SegmentedControl
              options={SCHEMES.map((value) => ({ value, label: value }))}
              value={scheme}
              onValueChange={(chosen) => {
                setScheme(chosen);
                onEdit();
              }}
              className="self-start"
            />
          </Field>
        )}
        {byDevice && (
          <Field label={t('device')}>
            <SegmentedControl
              options={DEVICES.map((value) => ({ value, label: t(`devices.${value}`) }))}
              value={device}
              onValueChange={(chosen) => {
                setDevice(chosen);
                onEdit();
              }}
              className="self-start"
            />
          </Field>
        )}
        {languages.length > 0 && (
          <Field label={t('language')} className="min-w-40">
            <Select
              options={languages.map((value) => ({ value, label: value }))}
              value={language || languages[0]}
              onValueChange={(chosen) => {
                setLanguage(chosen);
                onEdit();
              }}
            />
          </Field>
        )}
      </div>
      {failed.map((reason) => (
        <p key={reason} role="alert" className="text-sm text-danger">
          {reason}
        </p>
      ))}
    </form>
  );
}
