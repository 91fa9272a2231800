import type { EdgeLook, EdgeLookResult, EdgeStoredObject, EdgeVisit } from '@cordon/contract/edge-config';
import type { RunnerStored } from '../runner/payload.ts';
import type { AdminClient } from './admin-client.ts';
import { decodedPath } from './byte-path.ts';
import { log } from './log.ts';
import type { OwnVisitResult, OwnVisits } from './own-visits.ts';

/** The control plane waits for a node a little longer. */
const VISIT_MS = 12_000;
/** Answered at once; what comes beyond them is not, and its asker hears that the node did not. */
const LOOKS_MAX = 40;
const TAGS_MAX = 50;

/** A field that any origin may have sent, as the control plane takes it. */
const cut = (value: string | string[] | undefined, max: number): string =>
  [value ?? []]
    .flat()
    .join(', ')
    .replace(/[^ -~]/g, '?')
    .slice(0, max);

const toStored = (stored: RunnerStored | undefined): EdgeStoredObject | null =>
  stored === undefined
    ? null
    : {
        ...stored,
        content_type: cut(stored.content_type, 200),
        content_encoding: cut(stored.content_encoding, 100),
        tags: (stored.tags ?? []).slice(0, TAGS_MAX).map((tag) => cut(tag, 200)),
        etag: cut(stored.etag, 300),
        last_modified: cut(stored.last_modified, 100),
        vary: cut(stored.vary, 300),
      };

const toVisit = ({ status, headers, bytes, milliseconds }: OwnVisitResult): EdgeVisit => ({
  status,
  cache_status: cut(headers['cache-status'], 1000),
  cache_control: cut(headers['cache-control'], 1000),
  vary: cut(headers.vary, 300),
  age: cut(headers.age, 20),
  content_type: cut(headers['content-type'], 200),
  content_encoding: cut(headers['content-encoding'], 100),
  sets_cookie: headers['set-cookie'] !== undefined,
  bytes,
  milliseconds,
});

/** Says what this node has stored of a URL, after asking for it as a visitor would where that is wanted. */
export class CacheLooks {
  readonly #admin: Pick<AdminClient, 'postLook'>;
  readonly #visits: Pick<OwnVisits, 'visit'>;
  readonly #send: (body: string) => Promise<void>;
  #underWay = 0;
  /** Whether nginx knows what it serves. */
  isReady: () => boolean = () => false;

  constructor(
    admin: Pick<AdminClient, 'postLook'>,
    visits: Pick<OwnVisits, 'visit'>,
    send: (body: string) => Promise<void>,
  ) {
    this.#admin = admin;
    this.#visits = visits;
    this.#send = send;
  }

  /** Looks and reports; never throws. */
  async answer(look: EdgeLook): Promise<void> {
    if (!this.isReady() || this.#underWay >= LOOKS_MAX) return;
    this.#underWay++;
    try {
      await this.#send(JSON.stringify({ id: look.id, result: await this.#look(look) }));
    } catch (error) {
      log.warn('what is stored of a URL could not be reported', { route_id: look.route_id, error });
    } finally {
      this.#underWay--;
    }
  }

  async #look({ route_id, scheme, host, target, path, headers, fetch }: EdgeLook): Promise<EdgeLookResult> {
    const visit =
      fetch &&
      (await this.#visits.visit(
        { routeId: route_id, host, scheme, target, headers, isRefresh: fetch.refresh },
        VISIT_MS,
      ));
    const found = await this.#admin.postLook({ route_id, scheme, host, target, path: decodedPath(path), headers });
    const { is_cached, device, language, br, gzip, identity, varies_by } = found;
    return {
      is_cached,
      query: cut(found.query, 8192),
      device,
      language: cut(language, 64),
      objects: { br: toStored(br), gzip: toStored(gzip), identity: toStored(identity) },
      ...(varies_by === undefined ? {} : { varies_by: cut(varies_by, 300) }),
      ...(visit ? { visit: toVisit(visit) } : {}),
    };
  }
}
