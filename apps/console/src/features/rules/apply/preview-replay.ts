import type { DraftReplay, PluginPreview } from '@cordon/contract';
import { findDefinition } from '@cordon/plugins/definitions';
import { api } from '../../../app/api-client';
import type { Applicable } from './apply-types';

/** By the ids of domains; undefined where it could not be told. */
export type PreviewReplays = Readonly<Record<string, DraftReplay | undefined>>;

/** Whether the plugin decides, by what the log has. */
function decides(name: string): boolean {
  const definition = findDefinition(name);
  return definition !== undefined && definition.reasons.length > 0 && (definition.feeds ?? []).length === 0;
}

/** Whether a deploy may stop or let pass other visitors than now: by what is brought, or by what waits in the draft. */
const isAsked = ({ deploys, changed, also_deploys: also, is_live: isLive }: PluginPreview): boolean =>
  deploys && !isLive && (changed.length === 0 || changed.some(decides) || also > 0);

/** What a deploy of what is brought, and of what waits in their drafts, would do otherwise to the recent requests of domains. */
export async function replayPreviews(
  previews: readonly PluginPreview[],
  brought: Applicable['brought'],
  signal: AbortSignal,
): Promise<PreviewReplays> {
  const ask = ({ route_id: id }: PluginPreview) =>
    api.replayDraft({ params: { id }, body: { brought }, signal }).then(
      ({ result }) => [id, result] as const,
      () => [id, undefined] as const,
    );
  return Object.fromEntries(await Promise.all(previews.filter(isAsked).map(ask)));
}
