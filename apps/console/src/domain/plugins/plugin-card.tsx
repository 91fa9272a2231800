import { ApiError, type PluginEffect, type Route, type Subscription } from '@cordon/contract';
import type { PluginDefinition } from '@cordon/plugin-kit';
import { ALLOWED_FEED, BANS_FEED } from '@cordon/plugin-kit/feeds';
import { firstEntry } from '@cordon/plugin-kit/schema';
import { Link } from '@tanstack/react-router';
import clsx from 'clsx';
import { CopyPlus, ListChecks, ListX, SlidersHorizontal } from 'lucide-react';
import { useTranslations } from 'use-intl';
import { notifyFailure } from '../../app/failure';
import { Badge } from '../../ui/badge';
import { Button, buttonClass } from '../../ui/button';
import { useFormat } from '../../ui/format';
import { notify } from '../../ui/notices';
import { Switch } from '../../ui/switch';
import { useUpdateRoute } from '../data/queries';
import { Callout } from '../form/callout';
import { PlanLimitLine } from '../form/upgrade-prompt';
import { isStale } from '../form/use-draft';
import { parseConfig } from '../model/parse-config';
import { entryOf, isConfigured, isPending } from '../model/plugin-state';
import { type PluginWords, pluginName } from '../words/plugin-words';
import { PluginIcon } from './plugin-icon';

interface PluginCardProps {
  route: Route;
  definition: PluginDefinition;
  words: PluginWords;
  /** What the customer calls a plugin that this one needs, and which is switched off. */
  missing: string | undefined;
  subscription: Subscription | undefined;
  /** What it did in the last 24 hours; undefined while unknown. */
  effect: Omit<PluginEffect, 'plugin'> | undefined;
  onEdit: () => void;
  onDeploy: () => void;
  onCopy: () => void;
}

/** Whether there is anything to set but on and off. */
const hasSettings = ({ schema }: PluginDefinition): boolean =>
  !('shape' in schema) || Object.keys(schema.shape as object).length > 0;

/** How the plugin stands in the draft. */
function standingOf({ route, definition, words, subscription }: PluginCardProps) {
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
    isLocked: definition.tier === 'vip' && subscription?.tier === 'free',
  };
}

type PartProps = PluginCardProps & ReturnType<typeof standingOf>;

/** Switches the plugin on and off in the draft. */
function useToggle({ route, definition, name, entry, isSetUp, onEdit, onDeploy }: PartProps) {
  const t = useTranslations('domain.plugin');
  const update = useUpdateRoute(route.id);

  async function toggle(enabled: boolean) {
    const next = enabled && !isSetUp ? firstEntry(definition) : entry;
    // Switched on without a usable configuration it would protect nothing: set it up first.
    if (enabled && !parseConfig(definition, next.config).success) return onEdit();
    try {
      await update.mutateAsync({ revision: route.draft_revision, body: { plugins: [{ ...next, enabled }] } });
      notify({
        id: `plugin:${definition.name}`,
        tone: 'success',
        title: t(enabled ? 'switchedOn' : 'switchedOff', { name }),
        description: t('notDeployed'),
        ...(route.suspension === null && { action: { label: t('deployNow'), onPress: onDeploy } }),
      });
    } catch (error) {
      if (error instanceof ApiError && isStale(error)) notify({ tone: 'warning', title: t('staleToggle') });
      else notifyFailure(error, () => void toggle(enabled));
    }
  }
  return { toggle, isBusy: update.isPending || route.operation?.state === 'running' };
}

/** What it is called, what it does, and what it is set to. */
function CardTexts({ route, definition, words, name, isByDefault, isOwn, isSetUp, parsed }: PartProps) {
  const t = useTranslations('domain.plugin');
  const summary = parsed.success ? definition.summary(parsed.data) : undefined;
  return (
    <div className="min-w-0 flex-1 basis-64">
      <h2 className="flex flex-wrap items-center gap-x-2 gap-y-1 font-semibold">
        {name}
        {isByDefault && <Badge>{t('byDefault')}</Badge>}
        {isPending(route, definition) && <Badge tone="primary">{t('pending')}</Badge>}
      </h2>
      {/* Once set up, what it is set to says what it does. */}
      {!isOwn && <p className="text-sm text-muted text-pretty">{words('description')}</p>}
      {isSetUp && (
        <p className="text-sm font-medium wrap-anywhere">
          {summary ? words(summary.message, summary.params) : t('notSetUp')}
        </p>
      )}
    </div>
  );
}

/** Of challenges, how many were passed; where that is not known of this plugin alone, how many there were. */
function ChallengeEffect({ challenged, passed }: Omit<PluginEffect, 'plugin'>) {
  const t = useTranslations('domain.plugin.challenges');
  const format = useFormat();
  if (challenged === 0) return null;
  return (
    <dd className="text-sm text-muted">
      {passed === null
        ? t('shown', { count: challenged })
        : t('passed', { count: challenged, passed, share: format.percent(Math.min(1, passed / challenged), 0) })}
    </dd>
  );
}

/** Of one that is on, how many requests it decided. */
function Effect({ definition, effect, entry }: PartProps) {
  const t = useTranslations('domain.plugin');
  const format = useFormat();
  if (definition.reasons.length === 0 || !entry.enabled) return null;
  return (
    <dl className="flex flex-col-reverse text-right">
      {effect && <ChallengeEffect {...effect} />}
      <dt className="text-sm text-muted">{t('effect')}</dt>
      <dd className="tabular font-semibold">{effect === undefined ? '—' : format.number(effect.requests)}</dd>
    </dl>
  );
}

function EnabledSwitch(props: PartProps) {
  const t = useTranslations('domain.plugin');
  const { toggle, isBusy } = useToggle(props);
  return (
    <span className="grid min-h-9 place-items-center touch:min-h-10">
      <Switch
        aria-label={t('switchLabel', { name: props.name })}
        checked={props.entry.enabled}
        disabled={props.isLocked || isBusy}
        onChange={(event) => void toggle(event.target.checked)}
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
      onClick={onEdit}
    >
      {t(isSetUp ? 'edit' : 'setUp')}
    </Button>
  );
}

/** Where what it goes by is listed, and its way to other domains. */
function CardLinks({ route, definition, name, isSetUp, isOwn, onCopy }: PartProps) {
  const t = useTranslations('domain.plugin');
  if (!isSetUp) return null;
  return (
    <>
      {definition.feeds?.includes(ALLOWED_FEED) && (
        <Link to="/manage-ip" search={{ tab: 'allowed' }} className={buttonClass('secondary', 'sm')}>
          <ListChecks size={16} aria-hidden />
          {t('allowList')}
        </Link>
      )}
      {definition.feeds?.includes(BANS_FEED) && (
        <Link to="/manage-ip" search={{ domain: route.id }} className={buttonClass('secondary', 'sm')}>
          <ListX size={16} aria-hidden />
          {t('bans')}
        </Link>
      )}
      {isOwn && (
        <Button size="sm" aria-label={t('copyOf', { name })} icon={<CopyPlus size={16} aria-hidden />} onClick={onCopy}>
          {t('copy')}
        </Button>
      )}
    </>
  );
}

/** One plugin in a row: what it does, whether it is on, what it is set to, and what it did in the last 24 hours. */
export function PluginCard(props: PluginCardProps) {
  const t = useTranslations('domain.plugin');
  const card = { ...props, ...standingOf(props) };
  return (
    <article className="flex min-w-0 flex-col gap-2 px-4 py-3 sm:px-5" aria-label={card.name}>
      <div className="flex flex-wrap items-center justify-end gap-x-4 gap-y-2">
        <span className="flex min-w-0 flex-1 basis-72 items-center gap-3">
          <PluginIcon area={props.definition.area} isEnabled={card.entry.enabled} />
          <CardTexts {...card} />
        </span>
        <Effect {...card} />
        <span className={clsx('flex flex-wrap items-center justify-end gap-2', card.isSetUp && 'sm:w-80')}>
          <CardLinks {...card} />
          <EditButton {...card} />
          <EnabledSwitch {...card} />
        </span>
      </div>
      {props.missing && (
        <Callout tone="warning" className="text-sm">
          {t('needsBans', { name: props.missing })}
        </Callout>
      )}
      {card.isLocked && <PlanLimitLine reason="PLUGIN_NEEDS_VIP" />}
    </article>
  );
}
