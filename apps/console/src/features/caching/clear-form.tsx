import type { CacheClear, Route } from '@cordon/contract';
import { useRef, useState } from 'react';
import { useTranslations } from 'use-intl';
import { ClearFields } from '../../domain/clears/clear-fields';
import { type ClearChoice, EVERYTHING, isListed, useClearValues } from '../../domain/clears/use-clear-values';
import ScheduleFields from '../../domain/tasks/schedule-fields';
import { Button } from '../../ui/button';
import { ConfirmDialog } from '../../ui/confirm-dialog';
import { useLeadToError } from '../../ui/lead-to-error';
import { CurlLine } from './curl-line';
import { type ClearBody, useClearCache } from './queries';
import { useClearSchedule } from './use-clear-schedule';
import { useKept } from './use-kept';

interface ClearFormProps {
  route: Route;
  /** Another is chosen or tried: what came of the one before says nothing of it. */
  onClear: () => void;
  onCleared: (clear: CacheClear) => void;
}

/** What is to be cleared of a domain's cache, how, and when. */
export function ClearForm({ route, onClear, onCleared }: ClearFormProps) {
  const t = useTranslations('caching');
  const [choice, setChoice] = useKept<ClearChoice>(route.id, 'clear', EVERYTHING);
  const [isAsked, setAsked] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const leadToError = useLeadToError(form);
  const clear = useClearCache(route.id, { isSilent: true });
  // The dialog that asks about it says why it failed.
  const clearAll = useClearCache(route.id);
  const schedule = useClearSchedule(route.id);
  const { isLater } = schedule;
  const { kind, texts, soft } = choice;
  const values = useClearValues({
    choice,
    own: { names: [route.domain_name, ...route.shadow_domains], levels: route.live?.wildcard_levels },
    error: isLater ? schedule.error : clear.error,
    asked: isLater ? schedule.asked : clear.variables,
  });
  const rest = { ...(isListed(kind) ? { values: values.values } : {}), ...(soft ? { soft } : {}) };
  const body: ClearBody = { kind, ...rest };

  const latest = useRef(choice);
  latest.current = choice;
  /** What was cleared is done with; what was typed meanwhile is not. */
  const forget = () => {
    if (!isListed(kind) || latest.current.texts[kind] !== texts[kind]) return;
    setChoice({ ...latest.current, texts: { ...latest.current.texts, [kind]: '' } });
    values.setTried(false);
  };
  const send = () => {
    onClear();
    return (isListed(kind) ? clear : clearAll).mutateAsync(body).then((cleared) => {
      forget();
      onCleared(cleared);
    });
  };
  const submit = () => {
    if (kind === 'all' && !isLater) return setAsked(true);
    onClear();
    values.setTried(true);
    if (!values.isRight || (isLater && !schedule.isRight)) return leadToError();
    const done = isLater ? schedule.schedule({ clear_kind: kind, ...rest }).then(forget) : send();
    done.catch(() => undefined);
  };

  return (
    <form
      ref={form}
      noValidate
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <ClearFields
        choice={choice}
        onChoiceChange={(next) => {
          if (next.kind !== kind) onClear();
          setChoice(next);
        }}
        values={values}
        hint={t(`hint.${kind}`)}
        urlsExample={t('example', { name: route.domain_name_unicode.replace('*', 'www') })}
      />
      <ScheduleFields {...schedule.fields} />
      {values.failed.map((reason) => (
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
      {isLater ? (
        schedule.at !== undefined && (
          <CurlLine routeId={route.id} call="schedule" body={schedule.bodyOf({ clear_kind: kind, ...rest })} />
        )
      ) : (
        <CurlLine routeId={route.id} call="clear" body={body} />
      )}
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
