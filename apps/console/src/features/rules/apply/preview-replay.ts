import type { PluginEntry, PluginPreview } from '@cordon/contract';
import { findDefinition } from '@cordon/plugins/definitions';
import { api } from '../../../app/api-client';
import { challengeKind } from '../../../domain/words/challenge-kind';
import { type PreviewReplay, stoppedBy } from './preview-stops';

const FAILED: PreviewReplay = {
  requests: undefined,
  isComplete: true,
  blocked: 0,
  challenged: 0,
  kind: 'challenge',
  unknown: 0,
  unknownRules: [],
};

/** Plugins that change and decide by what the log has. */
const decidingOf = ({ deploys, changed, after }: PluginPreview) =>
  after.plugins.filter(({ name, enabled }) => {
    const definition = findDefinition(name);
    if (!deploys || !enabled || !definition || !changed.includes(name)) return false;
    const { reasons, feeds = [] } = definition;
    return reasons.length > 0 && feeds.length === 0;
  });

async function replayPlugin(
  { route_id: id, before }: PluginPreview,
  plugin: PluginEntry,
  signal: AbortSignal,
): Promise<PreviewReplay> {
  const { result } = await api.replayRequests({ params: { id }, body: { plugin }, signal });
  const wasOn = before.plugins.some(({ name, enabled }) => name === plugin.name && enabled);
  return {
    requests: result.requests,
    isComplete: result.is_complete,
    blocked: result.newly_blocked,
    // Of one that was on, who was challenged already is not known.
    challenged: wasOn ? 0 : result.verdicts.challenge,
    kind: challengeKind(plugin.name),
    unknown: result.verdicts.unknown,
    unknownRules: result.unknown_rules,
  };
}

async function replayOne(preview: PluginPreview, signal: AbortSignal): Promise<PreviewReplay | undefined> {
  const deciding = decidingOf(preview);
  // Of long lists the preview has a part only.
  const whole = deciding.filter(({ name }) => preview.lists.every(({ plugin }) => plugin !== name));
  if (whole.length === 0) return deciding.length === 0 ? undefined : FAILED;
  const replays: PreviewReplay[] = [];
  for (const plugin of whole) replays.push(await replayPlugin(preview, plugin, signal));
  const most = replays.reduce((one, other) => (stoppedBy(other) > stoppedBy(one) ? other : one));
  const unknown = Math.max(...replays.map((replay) => replay.unknown));
  return {
    ...most,
    // What one plugin stops for sure is known, whatever another would do.
    unknown: Math.min(unknown, (most.requests ?? 0) - stoppedBy(most)),
    unknownRules: replays.flatMap((replay) => replay.unknownRules),
  };
}

/** Of each domain whose protection changes, by its id, what that would have done to its recent requests. */
export async function replayPreviews(
  previews: readonly PluginPreview[],
  signal: AbortSignal,
): Promise<Readonly<Record<string, PreviewReplay>>> {
  const replays: Record<string, PreviewReplay> = {};
  const ask = async (preview: PluginPreview) => {
    const replay = await replayOne(preview, signal).catch(() => FAILED);
    if (replay) replays[preview.route_id] = replay;
  };
  await Promise.all(previews.map(ask));
  return replays;
}
