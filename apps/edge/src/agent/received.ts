import {
  type EdgeChange,
  type EdgeFeedEntry,
  type EdgeSettings,
  type EdgeTest,
  edgeChange,
  edgeFeedEntry,
  edgeSettings,
  edgeTest,
} from '@cordon/contract/edge-config';
import type { z } from 'zod';
import { log } from './log.ts';

/** A change of a route that the node does not take: it is not what the contract says. */
export interface RefusedChange {
  readonly route_id: string;
  readonly revision: number;
  readonly reason: string;
}
export type ReceivedChange = EdgeChange | RefusedChange;

export const isRefused = (change: ReceivedChange): change is RefusedChange => !('route' in change);

const changeHead = edgeChange.pick({ route_id: true, revision: true });
const REASON_CHARACTERS_MAX = 200;

/** The first thing that is wrong, with where it is. */
function reasonOf({ issues }: z.ZodError): string {
  const [{ path, message } = { path: [], message: 'not what the contract says' }] = issues;
  return (path.length === 0 ? message : `${path.join('.')}: ${message}`).slice(0, REASON_CHARACTERS_MAX);
}

function faultOf(value: unknown): string | undefined {
  const { data, error } = edgeChange.safeParse(value);
  if (error) return reasonOf(error);
  return data.route === null || data.route.id === data.route_id ? undefined : 'route.id: another route';
}

/**
 * Each is judged alone: what is wrong with one must not keep the others from the node. A value that passes is taken as it came, with
 * whatever a newer control plane has added to it.
 */
export function readChanges(values: unknown): ReceivedChange[] {
  if (!Array.isArray(values)) {
    log.error('what the control plane sent is no list of changes, and left out');
    return [];
  }
  return (values as unknown[]).flatMap((value): ReceivedChange[] => {
    const reason = faultOf(value);
    if (reason === undefined) return [value as EdgeChange];
    const { data: head } = changeHead.safeParse(value);
    if (head) return [{ ...head, reason }];
    log.error('a change that names no route is left out', { reason });
    return [];
  });
}

export function readEntries(values: unknown): EdgeFeedEntry[] {
  const reasons: string[] = [];
  const entries = (Array.isArray(values) ? (values as unknown[]) : [values]).filter((value): value is EdgeFeedEntry => {
    const { error } = edgeFeedEntry.safeParse(value);
    if (error) reasons.push(reasonOf(error));
    return error === undefined;
  });
  if (reasons.length > 0)
    log.error('entries of feeds are malformed and left out', { count: reasons.length, reason: reasons[0] });
  return entries;
}

function readOne<Value>(schema: z.ZodType<Value>, what: string, value: unknown, take: (value: Value) => void): void {
  const { error } = schema.safeParse(value);
  if (error) log.error(`${what} malformed and left out`, { reason: reasonOf(error) });
  else take(value as Value);
}

export const readSettings = (value: unknown, take: (settings: EdgeSettings) => void): void =>
  readOne(edgeSettings, 'settings are', value, take);

export const readTest = (value: unknown, take: (test: EdgeTest) => void): void =>
  readOne(edgeTest, 'a test attack is', value, take);
