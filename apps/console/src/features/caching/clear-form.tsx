import { ApiError, type CacheClear, type FieldErrorCode, type Route } from '@cordon/contract';
import { useRef, useState } from 'react';
import { useTranslations } from 'use-intl';
import { failureTexts } from '../../app/failure';
import ScheduleFields from '../../domain/tasks/schedule-fields';
import { useCodeWords } from '../../domain/words/error-words';
import { Button } from '../../ui/button';
import { Checkbox } from '../../ui/checkbox';
import { SegmentedControl } from '../../ui/choice';
import { ConfirmDialog } from '../../ui/confirm-dialog';
import { Field } from '../../ui/field';
import { useFormat } from '../../ui/format';
import { Textarea } from '../../ui/text-input';
import { faultsOfAnswer, findFaults, type ListedKind, readLines, valuesMax } from './clear-lines';
import { CurlLine } from './curl-line';
import { LineFaults } from './line-faults';
import { type ClearBody, useClearCache } from './queries';
import { useClearSchedule } from './use-clear-schedule';
import { useKept } from './use-kept';

const KINDS = ['all', 'urls', 'prefixes', 'tags'] as const;
type Kind = (typeof KINDS)[number];
const isListed = (kind: Kind): kind is ListedKind => kind !== 'all';

interface ClearFormProps {
  route: Route;
  /** Another is chosen or tried: what came of the one before says nothing of it. */
  onClear: () => void;
  onCleared: (clear: CacheClear) => void;
}

/** What is to be cleared of a domain's cache, and how. */
export function ClearForm({ route, onClear, onCleared }: ClearFormProps) {
  const t = useTranslations('caching');
  const format = useFormat();
  const words = useCodeWords();
  const [kind, setKind] = useKept<Kind>(route.id, 'clear kind', 'all');
  const [texts, setTexts] = useKept<Partial<Record<Kind, string>>>(route.id, 'clear texts', {});
  const [soft, setSoft] = useKept(route.id, 'clear soft', false);
  const [isAsked, setAsked] = useState(false);
  /** What is wrong is said once it was tried. */
  const [isTried, setTried] = useState(false);
  const clear = useClearCache(route.id, { isSilent: true });
  // The dialog that asks about it says why it failed.
  const clearAll = useClearCache(route.id);
  const schedule = useClearSchedule(route.id);
  const isLater = kind === 'all' && schedule.fields.value.isLater;

  const text = texts[kind] ?? '';
  const lines = isListed(kind) ? readLines(kind, text) : [];
  const names = [route.domain_name, ...route.shadow_domains];
  const levels = route.live?.wildcard_levels;
  const found = isListed(kind) ? findFaults(kind, lines, { names, levels }) : [];
  const body: ClearBody = {
    kind,
    ...(isListed(kind) ? { values: lines.map(({ value }) => value) } : {}),
    ...(soft ? { soft } : {}),
  };
  const isSame = clear.variables?.kind === kind && clear.variables.values?.join('\n') === body.values?.join('\n');
  const answered = isSame && clear.error instanceof ApiError ? faultsOfAnswer(clear.error.fields, lines) : [];
  const faults = isTried ? [...found, ...answered] : [];
  const whole: { code: FieldErrorCode; maximum?: string } | undefined = !isListed(kind)
    ? undefined
    : lines.length === 0
      ? { code: 'REQUIRED' }
      : lines.length > valuesMax(kind)
        ? { code: 'TOO_MANY', maximum: format.number(valuesMax(kind)) }
        : undefined;
  const error =
    isTried && whole ? (
      words(whole.code, whole.maximum === undefined ? {} : { maximum: whole.maximum })
    ) : faults.length > 0 ? (
      <LineFaults faults={faults} words={words} />
    ) : undefined;
  // Of a failure that no line has.
  const failed = clear.isError && isSame && answered.length === 0 ? failureTexts(clear.error) : [];

  const latest = useRef(texts);
  latest.current = texts;
  /** What was cleared is done with; what was typed meanwhile is not. */
  const forget = () => {
    if (latest.current[kind] !== text) return;
    setTexts({ ...latest.current, [kind]: '' });
    setTried(false);
  };
  const send = () => {
    onClear();
    return (isListed(kind) ? clear : clearAll).mutateAsync(body).then((cleared) => {
      if (isListed(kind)) forget();
      onCleared(cleared);
    });
  };
  const submit = () => {
    if (kind === 'all') return setAsked(true);
    setTried(true);
    onClear();
    if (whole === undefined && found.length === 0) send().catch(() => undefined);
  };

  return (
    <form
      noValidate
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        if (!isLater) return submit();
        onClear();
        schedule.submit(event.currentTarget, soft);
      }}
    >
      <Field label={t('what')} hint={t(`hint.${kind}`)}>
        <SegmentedControl
          options={KINDS.map((value) => ({ value, label: t(`kind.${value}`) }))}
          value={kind}
          onValueChange={(value) => {
            setKind(value);
            setTried(false);
            onClear();
          }}
          className="self-start"
        />
      </Field>
      {isListed(kind) && (
        <Field label={t(`kind.${kind}`)} hint={t('perLine', { maximum: valuesMax(kind) })} error={error}>
          <Textarea
            mono
            rows={5}
            spellCheck={false}
            autoCapitalize="off"
            autoComplete="off"
            value={text}
            placeholder={t(`example.${kind}`, { name: route.domain_name_unicode.replace('*', 'www') })}
            onChange={(event) => setTexts({ ...texts, [kind]: event.target.value })}
            onKeyDown={(event) => {
              if (event.key === 'Enter' && (event.metaKey || event.ctrlKey)) submit();
            }}
          />
        </Field>
      )}
      <Checkbox
        label={t('soft')}
        hint={t('softHint')}
        checked={soft}
        onChange={(event) => setSoft(event.target.checked)}
      />
      {kind === 'all' && <ScheduleFields {...schedule.fields} />}
      {[...failed, ...(isLater ? schedule.failed : [])].map((reason) => (
        <p key={reason} role="alert" className="text-sm text-danger">
          {reason}
        </p>
      ))}
      <div>
        <Button
          type="submit"
          variant="primary"
          loading={isLater ? schedule.isPending : isListed(kind) ? clear.isPending : clearAll.isPending && !isAsked}
        >
          {t(isLater ? 'schedule' : 'clear')}
        </Button>
      </div>
      {!isLater && <CurlLine routeId={route.id} call="clear-cache" body={body} />}
      <ConfirmDialog
        open={isAsked}
        onOpenChange={setAsked}
        title={t('ask.title', { name: route.domain_name_unicode })}
        confirmLabel={t('clear')}
        tone={soft ? 'primary' : 'danger'}
        onConfirm={send}
      >
        <p>{t(soft ? 'ask.soft' : 'ask.hard')}</p>
      </ConfirmDialog>
    </form>
  );
}
