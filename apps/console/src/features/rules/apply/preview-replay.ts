import type { PluginPreview } from '@cordon/contract';
import { findDefinition } from '@cordon/plugins/definitions';
import { api } from '../../../app/api-client';
import { type PreviewReplay, stoppedBy } from './preview-stops';

const UNKNOWN: PreviewReplay = { requests: undefined, isComplete: true, blocked: 0, challenged: 0 };

/** Plugins that change and decide by what the log has; not those whose lists the preview has in part only. */
const askedOf = ({ deploys, changed, after, lists }: PluginPreview) =>
  after.plugins.filter(({ name, enabled }) => {
    const definition = findDefinition(name);
    if (!deploys || !enabled || !definition || !changed.includes(name)) return false;
    const { reasons, feeds = [] } = definition;
    return reasons.length > 0 && feeds.length === 0 && lists.every(({ plugin }) => plugin !== name);
  });

async function replayOne(preview: PluginPreview, signal: AbortSignal): Promise<PreviewReplay | undefined> {
  let most: PreviewReplay | undefined;
  for (const plugin of askedOf(preview)) {
    const params = { id: preview.route_id };
    const { result } = await api.replayRequests({ params, body: { plugin }, signal });
    const wasOn = preview.before.plugins.some(({ name, enabled }) => name === plugin.name && enabled);
    const replay: PreviewReplay = {
      requests: result.requests,
      isComplete: result.is_complete,
      blocked: result.newly_blocked,
      // Of one that was on, who was challenged already is not known.
      challenged: wasOn ? 0 : result.verdicts.challenge,
    };
    if (most === undefined || stoppedBy(replay) > stoppedBy(most)) most = replay;
  }
  return most;
}

/** Of each domain whose protection changes, by its id, what that would have done to its recent requests. */
export async function replayPreviews(
  previews: readonly PluginPreview[],
  signal: AbortSignal,
): Promise<Readonly<Record<string, PreviewReplay>>> {
  const replays: Record<string, PreviewReplay> = {};
  const ask = async (preview: PluginPreview) => {
    const replay = await replayOne(preview, signal).catch(() => UNKNOWN);
    if (replay) replays[preview.route_id] = replay;
  };
  await Promise.all(previews.map(ask));
  return replays;
}
