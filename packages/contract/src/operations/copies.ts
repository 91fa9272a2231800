import { z } from 'zod';
import { domainName } from '../domain-name.ts';
import { batch } from '../entities/batches.ts';
import { routeId } from '../entities/routes.ts';
import { pluginPreview } from '../entities/rules.ts';
import { defineOperations, listOf, pageQuery, resultOf } from '../operation.ts';
import { deploy, namedOrFiltered, note } from './rules.ts';

/** Domains that one call may add by cloning. */
export const CLONES_MAX = 100;

const idParams = z.object({ id: routeId });
const plugins = z
  .array(z.string().min(1).max(64))
  .min(1)
  .max(32)
  .describe("Plugins of the domain's draft, by name. What they are set to elsewhere is replaced.");

const selection = z
  .strictObject({ names: namedOrFiltered.names.optional(), filter: namedOrFiltered.filter.optional() })
  .refine(({ names, filter }) => (names === undefined) !== (filter === undefined), { error: 'SELECTION_REQUIRED' })
  .describe('One of the two; domains of the same subscription. The domain itself is left out.');

/** Bringing what is set on one domain to others. */
export const copyOperations = defineOperations({
  previewCopy: {
    method: 'POST',
    path: 'domain/routes/{id}/copy/preview/',
    summary: 'What copying plugins of a domain would change on each domain of a selection; changes nothing',
    auth: 'user',
    roles: ['user'],
    scope: 'domains:read',
    params: idParams,
    query: pageQuery,
    body: z.strictObject({ plugins, selection }),
    ok: listOf(pluginPreview),
  },
  copyPlugins: {
    method: 'POST',
    path: 'domain/routes/{id}/copy/',
    summary:
      "Copy plugins, as they are in this revision of the domain's draft, to a selection of domains, as one batch",
    auth: 'user',
    roles: ['user'],
    scope: 'domains:write',
    params: idParams,
    ifMatch: true,
    body: z.strictObject({ plugins, selection, deploy, note }),
    ok: resultOf(batch),
    status: 202,
  },
  cloneRoute: {
    method: 'POST',
    path: 'domain/routes/{id}/clone/',
    summary: "Add domains with the configuration of this one's draft, as one batch",
    auth: 'user',
    roles: ['user'],
    scope: 'domains:write',
    params: idParams,
    body: z.strictObject({
      domain_names: z
        .array(domainName)
        .min(1)
        .max(CLONES_MAX)
        .superRefine((names, ctx) => {
          names.forEach((name, index) => {
            if (names.indexOf(name) < index)
              ctx.addIssue({ code: 'custom', path: [index], message: 'DUPLICATE_ENTRY' });
          });
        })
        .describe('Names of the new domains. Each gets an exclusive CNAME of its own and proves itself.'),
      cname: z
        .string()
        .min(1)
        .max(255)
        .optional()
        .describe("Subscription of the new domains; the domain's own unless given."),
      remarks: z.string().max(1000).default(''),
      deploy: z.boolean().default(false).describe('Also deploy version 1 of each.'),
    }),
    ok: resultOf(batch),
    status: 202,
  },
});
