import {
  type EdgeChange,
  type EdgeClear,
  type EdgeFeedEntry,
  type EdgeLook,
  type EdgePrefetch,
  type EdgeSettings,
  type EdgeTest,
  edgeChange,
  edgeClear,
  edgeFeedEntry,
  edgeLook,
  edgePrefetch,
  edgePrefetchEnd,
  edgeSettings,
  edgeTest,
} from '@cordon/contract/edge-config';
import { z } from 'zod';
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
export function readChanges(values: readonly unknown[]): ReceivedChange[] {
  return values.flatMap((value): ReceivedChange[] => {
    const reason = faultOf(value);
    if (reason === undefined) return [value as EdgeChange];
    const { data: head } = changeHead.safeParse(value);
    if (head) return [{ ...head, reason }];
    log.error('a change that names no route is left out', { reason });
    return [];
  });
}

export function readEntries(values: readonly unknown[]): EdgeFeedEntry[] {
  const reasons: string[] = [];
  const entries = values.filter((value): value is EdgeFeedEntry => {
    const { error } = edgeFeedEntry.safeParse(value);
    if (error) reasons.push(reasonOf(error));
    return error === undefined;
  });
  if (reasons.length > 0)
    log.error('entries of feeds are malformed and left out', { count: reasons.length, reason: reasons[0] });
  return entries;
}

const cursor = z.string().regex(/^\d{1,15}$/);

/** Whether the control plane can be asked for what follows it. */
export const isCursor = (text: string | undefined): text is string => cursor.safeParse(text).success;

const snapshotHead = z.object({ cursor, epoch: z.uuid() });

/** Throws when it is malformed: without it there is no snapshot. */
export const readSnapshotHead = (value: unknown): z.infer<typeof snapshotHead> => snapshotHead.parse(value);

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** What an event of the stream carries, as it came; undefined, with a line of the log, for one that is malformed. */
function readEvent<Value>(schema: z.ZodType<Value>, event: string, data: string): Value | undefined {
  const value = parseJson(data);
  const { error } = schema.safeParse(value);
  if (!error) return value as Value;
  log.error('an event of the stream is malformed and left out', {
    event,
    reason: value === undefined ? 'no JSON' : reasonOf(error),
  });
  return undefined;
}

export const readSettings = (data: string): EdgeSettings | undefined => readEvent(edgeSettings, 'settings', data);

export const readTest = (data: string): EdgeTest | undefined => readEvent(edgeTest, 'test', data);

export const readLook = (data: string): EdgeLook | undefined => readEvent(edgeLook, 'look', data);

/** A part of a prefetch, or the end of one. */
export type ReceivedPrefetch = EdgePrefetch | z.infer<typeof edgePrefetchEnd>;

const prefetchEvent = z.union([edgePrefetchEnd, edgePrefetch]);

export const readPrefetch = (data: string): ReceivedPrefetch | undefined => readEvent(prefetchEvent, 'prefetch', data);

const routesEvent = z.object({ changes: z.array(z.unknown()) });

export function readRoutes(data: string): ReceivedChange[] | undefined {
  const event = readEvent(routesEvent, 'routes', data);
  return event && readChanges(event.changes);
}

const feedsEvent = z.object({ cursor, entries: z.array(z.unknown()) });

export function readFeeds(data: string): { cursor: string; entries: EdgeFeedEntry[] } | undefined {
  const event = readEvent(feedsEvent, 'feeds', data);
  return event && { cursor: event.cursor, entries: readEntries(event.entries) };
}

const clearsEvent = z.object({
  cursor: cursor.optional(),
  clears: z.array(z.unknown()).optional(),
  all: z.literal(true).optional(),
});
const clearHead = edgeClear.pick({ id: true, route_id: true });

/** One that is not understood clears all of its route: too much is harmless, too little is not. */
function readClear(value: unknown): EdgeClear[] {
  const { data, error } = edgeClear.safeParse(value);
  if (data) return [data];
  const { data: head } = clearHead.safeParse(value);
  log.error('a clear is malformed', { route_id: head?.route_id, reason: reasonOf(error) });
  return head ? [{ ...head, kind: 'all', values: [], soft: false }] : [];
}

/** What is to be cleared; `isAll`: everything that is stored on the node. */
export interface ReceivedClears {
  /** Undefined: they are still being stored, and come once more with one. */
  readonly cursor: string | undefined;
  readonly clears: EdgeClear[];
  readonly isAll: boolean;
}

export function readClears(data: string): ReceivedClears | undefined {
  const event = readEvent(clearsEvent, 'clears', data);
  return event && { cursor: event.cursor, clears: (event.clears ?? []).flatMap(readClear), isAll: event.all === true };
}
