import type { PipelinePosition } from '@cordon/plugin-kit/pipeline';

/** A position as text, because an internal redirect keeps nothing else: fields with tabs between. */
export function writePosition(position: PipelinePosition): string {
  const { at, isAllowed, isPermitted, heldAt, held } = position;
  const start = `${at}\t${isAllowed ? 1 : 0}\t${isPermitted ? 1 : 0}`;
  return held === undefined ? start : `${start}\t${heldAt}\t${held.status}\t${held.reason}\t${held.rule}`;
}

export function readPosition(fields: readonly string[]): PipelinePosition {
  const [at, isAllowed, isPermitted, heldAt, status, reason, rule] = fields;
  return {
    at: tonumber(at) ?? 0,
    isAllowed: isAllowed === '1',
    isPermitted: isPermitted === '1',
    heldAt: tonumber(heldAt) ?? -1,
    held:
      reason === undefined ? undefined : { kind: 'block', status: tonumber(status) ?? 403, reason, rule: rule ?? '' },
  };
}
