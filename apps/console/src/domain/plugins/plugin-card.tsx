import { ApiError, type PluginEffect, type Route, type Subscription } from '@cordon/contract';
import type { PluginDefinition } from '@cordon/plugin-kit';
import { ALLOWED_FEED, BANS_FEED } from '@cordon/plugin-kit/feeds';
import { firstEntry } from '@cordon/plugin-kit/schema';
import { useQuery } from '@tanstack/react-query';
import clsx from 'clsx';
import { CopyPlus, SlidersHorizontal } from 'lucide-react';
import { Suspense, useContext, useEffect, useMemo } from 'react';
import { useTranslations } from 'use-intl';
import { missingReason, notifyFailure } from '../../app/failure';
import { Badge } from '../../ui/badge';
import { Button, IconButton } from '../../ui/button';
import { useFormat } from '../../ui/format';
import { lazyPart } from '../../ui/lazy-part';
import { dismissNotice, notify } from '../../ui/notices';
import { joinSentences } from '../../ui/sentences';
import { Switch } from '../../ui/switch';
import { Link } from '../../ui/text-link';
import { useLong } from '../../ui/use-long';
import { useMedia } from '../../ui/use-media';
import { isStale } from '../data/use-saves';
import { Callout } from '../form/callout';
import { PlanLimitLine } from '../form/upgrade-prompt';
import { isServed } from '../model/domain-state';
import { parseConfig } from '../model/parse-config';
import { entryOf, excludedEntries, isConfigured, isLocked, isPending } from '../model/plugin-state';
import { StartedContext } from '../model/started';
import { challengeKind } from '../words/challenge-kind';
import { type PluginWords, pluginName, usePluginWords } from '../words/plugin-words';
import { earlierLimit, entryAtPress, withRatesOn } from './earlier-limit';
import { EarlierLimitLine } from './earlier-limit-line';
import { LARGE_SHARE } from './large-share';
import type { PluginConfig } from './plugin-fields';
import { worthOptions } from './queries';
import { stopKind } from './stop-kind';
import { useRestWords } from './use-rest-words';
import { useSwitchDraft } from './use-switch-draft';

/** What starts a plugin has room beside its other controls. */
const WIDE = '(min-width: 1200px)';

const MissingLine = lazyPart(() => import('./missing-line'));

interface PluginCardProps {
  route: Route;
  definition: PluginDefinition;
  /** Of its area, itself too. */
  definitions: readonly PluginDefinition[];
  words: PluginWords;
  subscription: Subscription | undefined;
  /** What it did in the last 24 hours; undefined while unknown. */
  effect: Omit<PluginEffect, 'plugin'> | undefined;
  /** With a configuration that the form is opened with, if it is another one than the draft's. */
  onEdit: (proposed?: PluginConfig) => void;
  onDeploy: () => void;
  onCopy: () => void;
  /** Asks for how long one on standby is to be started, or whether it is to end; left out where it cannot be. */
  onStart?: (() => void) | undefined;
}

/** Whether there is anything to set but on and off. */
const hasSettings = ({ schema }: PluginDefinition): boolean =>
  !('shape' in schema) || Object.keys(schema.shape as object).length > 0;

/** How the plugin stands in the draft. */
function useStanding({ route, definition, words, subscription }: PluginCardProps) {
  const started = useContext(StartedContext);
  const entry = entryOf(route.draft, definition);
  const isOwn = isConfigured(route, definition);
  const isByDefault = !isOwn && entry.enabled;
  return {
    name: pluginName(words, definition.name),
    entry,
    parsed: parseConfig(definition, entry.config),
    isOwn,
    isByDefault,
    isSetUp: isOwn || isByDefault,
    isLocked: isLocked(definition, subscription),
    /** Of one on standby that is on in the live version, whether it is started. */
    started: definition.isStandby && entryOf(route.live, definition).enabled && started,
  };
}

type PartProps = PluginCardProps & ReturnType<typeof useStanding>;

/** Switches the plugin on and off in the draft. */
function useToggle({ route, definition, definitions, name, entry, isSetUp, onEdit, onDeploy }: PartProps) {
  const t = useTranslations('domain.plugin');
  const draft = useSwitchDraft(route);
  const wordsOf = usePluginWords();
  const isLong = useLong(draft.saving !== undefined);
  useEffect(() => {
    if (!isLong) return;
    const id = notify({ tone: 'warning', isOf: 'tab', durationMs: 0, title: t('noAnswer', { name }) });
    return () => dismissNotice(id);
  }, [isLong, name, t]);

  async function toggle(enabled: boolean) {
    const next = enabled && !isSetUp ? firstEntry(definition) : entry;
    // Without usable settings, or new behind a limit that stops every client first, it would do nothing: set it up first.
    const hasNoEffect =
      !parseConfig(definition, next.config).success ||
      (!isSetUp && earlierLimit(route.draft, definition, next, definitions) !== undefined);
    if (enabled && hasNoEffect) return onEdit();
    const excludedIn = (config: Route['draft']) => (enabled ? excludedEntries(config, definition, definitions) : []);
    const [excluded] = excludedIn(route.draft);
    const other = excluded && wordsOf && pluginName(wordsOf(excluded.name), excluded.name);
    try {
      const saved = await draft.save({ ...next, enabled }, excludedIn);
      const id = `plugin:${definition.name}`;
      if (entryOf(saved.draft, definition).enabled !== enabled)
        return notify({ id, tone: 'warning', title: t('notSwitched', { name }) });
      notify({
        id,
        tone: 'success',
        isOf: 'tab',
        title: other ? t('switchedOver', { name, other }) : t(enabled ? 'switchedOn' : 'switchedOff', { name }),
        ...(saved.pending_changes === 0
          ? { description: t('asLive') }
          : {
              description: t('notDeployed'),
              ...(route.suspension === null && { action: { label: t('deployNow'), onPress: onDeploy } }),
            }),
      });
    } catch (error) {
      if (error instanceof ApiError && isStale(error)) notify({ tone: 'warning', title: t('staleToggle') });
      // Of what nothing answered it is not known whether it was done.
      else
        notifyFailure(
          error,
          () => void toggle(enabled),
          t(missingReason(error) ? 'switchUnknown' : 'notSwitched', { name }),
        );
    }
  }
  return { toggle, saving: draft.saving, isBusy: draft.saving !== undefined || route.operation?.state === 'running' };
}

function CardName({ route, definition, name, entry, isByDefault, started }: PartProps) {
  const t = useTranslations('domain.plugin');
  // Its switch alone would read as if it were at work.
  const standing = definition.isStandby
    ? entry.enabled && (started ? 'started' : 'standby')
    : isByDefault && 'byDefault';
  return (
    <h2 className="flex min-w-0 flex-wrap items-center gap-x-2 gap-y-1 font-semibold sm:w-64 sm:flex-none">
      {name}
      {standing && <Badge>{t(standing)}</Badge>}
      {isPending(route, definition) && (
        <Badge tone="warning">{t(entryOf(route.live, definition).enabled ? 'changed' : 'pending')}</Badge>
      )}
    </h2>
  );
}

/** What it is set to, which says what it does; of one that is not set up, what it would do; of one that rests, until when. */
function CardSummary({ route, definition, words, entry, isSetUp, isLocked, parsed, started }: PartProps) {
  const t = useTranslations('domain.plugin');
  const rests = useRestWords(definition);
  if (isLocked) return <PlanLimitLine reason="PLUGIN_NEEDS_VIP" />;
  // What is done now, or not before a time, goes by the live version.
  const isAsLive = !isPending(route, definition);
  const summaryOf = (started && isAsLive && definition.started) || definition.summary;
  const summary = parsed.success ? summaryOf(parsed.data) : undefined;
  const set = summary ? words(summary.message, summary.params) : t('notSetUp');
  const text = isSetUp ? (isAsLive && !started && rests) || set : words('description');
  return (
    <p
      // Of what is off it is no fact.
      className={clsx('min-w-0 text-sm wrap-anywhere', !entry.enabled && 'text-muted')}
    >
      {text}
    </p>
  );
}

/** Of challenges, how many were passed; where that is not known of this plugin alone, how many there were. */
function ChallengeEffect({ plugin, challenged, passed }: PluginEffect) {
  const t = useTranslations('domain.plugin.challenges');
  const format = useFormat();
  if (challenged === 0) return null;
  const kind = challengeKind(plugin);
  return (
    <dd className="text-sm">
      {passed === null
        ? t('shown', { kind, count: challenged })
        : t('passed', { kind, count: challenged, passed, share: format.percent(Math.min(1, passed / challenged), 0) })}
    </dd>
  );
}

/** How many requests it decided. */
function Effect({ definition, effect }: PartProps) {
  const t = useTranslations('domain.plugin');
  const format = useFormat();
  if (definition.reasons.length === 0) return null;
  // Where all were challenged one number says it.
  const hasChallenges = effect !== undefined && effect.challenged > 0;
  const isOnlyChallenges = hasChallenges && effect.challenged === effect.requests;
  return (
    <dl
      className="flex flex-row-reverse items-baseline gap-x-2 whitespace-nowrap text-muted phone:w-full phone:justify-end"
      // What the number is of comes first and is drawn last: below the number where a line does not hold both.
      style={hasChallenges ? { flexWrap: 'wrap-reverse', whiteSpace: 'normal' } : undefined}
    >
      <dt className="text-sm">{isOnlyChallenges ? t('day') : t('effect', { count: effect?.requests ?? 0 })}</dt>
      {!isOnlyChallenges && (
        <dd className="tabular font-semibold text-ink">
          {effect === undefined ? '—' : format.number(effect.requests)}
        </dd>
      )}
      {effect && <ChallengeEffect {...effect} plugin={definition.name} />}
    </dl>
  );
}

/** Of one that visitors do not have yet, what it would have stopped. */
function Worth({ route, definition, definitions, entry, isSetUp, isLocked }: PartProps) {
  const t = useTranslations('domain.plugin');
  const format = useFormat();
  const { feeds = [], reasons, atLevel, rate } = definition;
  const isAsked = route.live !== null && !isLocked && reasons.length > 0 && feeds.length === 0;
  // Nothing is known of one that was never set up and that no level turns on.
  const isMeant = isSetUp || atLevel !== undefined;
  const plugin = useMemo(() => {
    const next = entryAtPress(route, definition);
    return isAsked && isMeant && parseConfig(definition, next.config).success ? next : undefined;
  }, [route, definition, isAsked, isMeant]);
  const { data } = useQuery(worthOptions(route.id, plugin));
  if (!data || !plugin || earlierLimit(route.draft, definition, plugin, definitions)) return null;
  const stopped = data.verdicts.block + data.verdicts.challenge;
  if (stopped === 0) return null;
  const counts = { kind: stopKind(data), count: stopped, requests: data.requests };
  const share = stopped / data.requests;
  // Who is stopped for a flood was not wanted. Of what refuses by country, path or proof, how many it stops says nothing for it.
  const isWorth =
    !entry.enabled &&
    rate !== undefined &&
    // Of two that stop the same requests, the one that comes first is.
    !earlierLimit(withRatesOn(route, definitions), definition, plugin, definitions);
  // It is either a large attack or a limit that ordinary visitors reach, too.
  if (isWorth && share >= LARGE_SHARE) {
    const large = t('replay.large', {
      ...counts,
      complete: String(data.is_complete),
      share: format.percent(share, 0),
    });
    return (
      <Callout tone="warning" className="tabular mt-1 w-full text-sm">
        {joinSentences([large, t('flood')])}
      </Callout>
    );
  }
  return (
    <p className="tabular flex w-full flex-wrap items-center gap-x-2 gap-y-1 text-sm text-muted">
      {isWorth && <Badge tone="primary">{t('worth')}</Badge>}
      {t('wouldStop', counts)}
    </p>
  );
}

function EnabledSwitch(props: PartProps) {
  const t = useTranslations('domain.plugin');
  const { toggle, saving, isBusy } = useToggle(props);
  return (
    <span className="grid min-h-9 place-items-center touch:min-h-10">
      <Switch
        aria-label={t('switchLabel', { name: props.name })}
        // At once where the hand has put it; back where it was, if it was not saved.
        checked={(saving ?? props.entry).enabled}
        disabled={props.isLocked}
        // Closed it would lose the focus of who has just pressed it.
        aria-busy={isBusy || undefined}
        // What takes longer than a moment is seen to.
        style={isBusy ? { opacity: 0.5, transitionProperty: 'opacity', transitionDelay: '0.5s' } : undefined}
        onChange={(event) => isBusy || void toggle(event.target.checked)}
      />
    </span>
  );
}

/** Opens what it is set to, if there is anything to set. */
function EditButton({ definition, name, isSetUp, isLocked, onEdit }: PartProps) {
  const t = useTranslations('domain.plugin');
  if (!hasSettings(definition)) return null;
  return (
    <Button
      size="sm"
      aria-label={t(isSetUp ? 'editOf' : 'setUpOf', { name })}
      icon={<SlidersHorizontal size={16} aria-hidden />}
      disabled={isLocked}
      onClick={() => onEdit()}
    >
      <span className="phone:hidden">{t(isSetUp ? 'edit' : 'setUp')}</span>
    </Button>
  );
}

/** Starts one on standby, whose switch alone does not, and ends it. */
function StartButton({ route, definition, started, onStart }: PartProps) {
  const t = useTranslations('domain.plugin');
  if (!definition.isStandby || !onStart || !isServed(route) || route.paused !== null) return null;
  return (
    <Button size="sm" onClick={onStart}>
      {t(started === 'account' ? 'endAll' : started ? 'end' : 'start')}
    </Button>
  );
}

/** Where what it goes by is listed. */
function ListLink({ route, definition, isSetUp }: PartProps) {
  const t = useTranslations('domain.plugin');
  if (!isSetUp) return null;
  if (definition.feeds?.includes(ALLOWED_FEED))
    return (
      <Link to="/manage-ip" search={{ tab: 'allowed' }} className="reach whitespace-nowrap text-sm">
        {t('allowList')}
      </Link>
    );
  if (definition.feeds?.includes(BANS_FEED))
    return (
      <Link to="/manage-ip" search={{ domain: route.id }} className="reach whitespace-nowrap text-sm">
        {t('bans')}
      </Link>
    );
  return null;
}

/** One plugin in a row: what it is set to, what it did in the last 24 hours, and whether it is on. */
export function PluginCard(props: PluginCardProps) {
  const t = useTranslations('domain.plugin');
  const card = { ...props, ...useStanding(props) };
  const isWide = useMedia(WIDE);
  const { name } = card;
  const isLive = props.route.live !== null && entryOf(props.route.live, props.definition).enabled;
  return (
    <article className="flex min-w-0 flex-col gap-2 px-4 py-1.5" aria-label={name}>
      <div className="flex items-center gap-x-4 phone:gap-x-2">
        {/* On a phone the name stands above the summary, beside the controls. */}
        <div className="min-w-0 flex-1 sm:contents">
          <CardName {...card} />
          <span className="flex min-w-0 flex-1 flex-wrap items-center gap-x-3">
            {/* Beside what it did while there is room to read it, else on a line of its own. */}
            <span className="flex min-w-0 flex-1 basis-40 flex-wrap items-center gap-x-3">
              <CardSummary {...card} />
              <ListLink {...card} />
              {!isWide && <StartButton {...card} />}
            </span>
            {/* On a phone, a line that is there before its words. */}
            <span className="w-full sm:contents" style={card.isSetUp ? { minHeight: '1.5rem' } : undefined}>
              {/* It may have been live earlier on. */}
              {(isLive || (props.effect && props.effect.requests > 0)) && <Effect {...card} />}
              {!isLive && <Worth {...card} />}
            </span>
          </span>
        </div>
        <span className="flex items-center justify-end gap-2 sm:min-w-40">
          {isWide && <StartButton {...card} />}
          {card.isOwn && (
            <IconButton
              size="sm"
              label={t('copyOf', { name })}
              icon={<CopyPlus size={16} aria-hidden />}
              onClick={props.onCopy}
            />
          )}
          <EditButton {...card} />
          <EnabledSwitch {...card} />
        </span>
      </div>
      {card.definition.isBanning && card.entry.enabled && (
        <Suspense fallback={null}>
          <MissingLine route={card.route} definition={card.definition} />
        </Suspense>
      )}
      <EarlierLimitLine {...card} />
    </article>
  );
}
