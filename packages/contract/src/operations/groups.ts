import { z } from 'zod';
import { group, groupName } from '../entities/groups.ts';
import { defineOperations, done, resultOf } from '../operation.ts';
import { rates } from '../rates.ts';

const idParams = z.object({ id: z.uuid().describe('Id of a group.') });
const body = z.strictObject({
  name: groupName.describe('Unique in the account, in any case.'),
});
const counted = group.extend({ domains: z.number().int().describe('How many domains are in it.') });
export type Group = z.infer<typeof counted>;

/** Groups of an account; domains that are in no other are in its default one. */
export const GROUPS_MAX = 500;

export const groupOperations = defineOperations({
  listGroups: {
    method: 'GET',
    path: 'domain/groups/',
    summary: 'All groups, the default one first, then by name; at most 500',
    auth: 'user',
    roles: ['user'],
    scope: 'domains:read',
    rate: 'none',
    ok: z.object({ success: z.literal(true), results: z.array(counted) }),
  },
  createGroup: {
    method: 'POST',
    path: 'domain/groups/',
    summary: 'Add a group',
    auth: 'user',
    roles: ['user'],
    scope: 'domains:write',
    once: true,
    rate: rates.groupWrites,
    body,
    ok: resultOf(counted),
    status: 201,
  },
  getGroup: {
    method: 'GET',
    path: 'domain/groups/{id}/',
    summary: 'One group',
    auth: 'user',
    roles: ['user'],
    scope: 'domains:read',
    rate: 'none',
    params: idParams,
    ok: resultOf(counted),
  },
  renameGroup: {
    method: 'PATCH',
    path: 'domain/groups/{id}/',
    summary: 'Rename a group',
    auth: 'user',
    roles: ['user'],
    scope: 'domains:write',
    rate: rates.groupWrites,
    params: idParams,
    body,
    ok: resultOf(counted),
  },
  deleteGroup: {
    method: 'DELETE',
    path: 'domain/groups/{id}/',
    summary: 'Delete a group; its domains fall back to the default one, which cannot be deleted',
    auth: 'user',
    roles: ['user'],
    scope: 'domains:write',
    once: true,
    rate: rates.groupWrites,
    params: idParams,
    ok: done,
  },
});
