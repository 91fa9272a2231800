import { z } from 'zod';
import { subscription, subscriptionConfig } from '../entities/subscriptions.ts';
import { defineOperations, listOf, pageQuery, resultOf } from '../operation.ts';
import { rates } from '../rates.ts';
import { text } from '../text.ts';

const path = 'domain/configure/subscription/';
const cname = text(255).min(1).optional().describe('Which subscription; the first one unless given.');

/** The list of subscriptions, and spec section 7, "configure subscription". */
export const subscriptionOperations = defineOperations({
  listSubscriptions: {
    method: 'GET',
    path: 'plan/subscription/',
    summary: 'Subscriptions of the account, the first is the default',
    auth: 'user',
    scope: 'account:read',
    rate: 'none',
    query: pageQuery,
    ok: listOf(subscription),
  },
  getSubscriptionConfig: {
    method: 'GET',
    path,
    summary: 'Settings of a subscription',
    auth: 'user',
    roles: ['user'],
    scope: 'domains:read',
    rate: 'none',
    query: z.strictObject({ cname }),
    ok: resultOf(subscriptionConfig),
  },
  configureSubscription: {
    method: 'POST',
    path,
    summary: 'Enable IPv6 for every name of a subscription; VIP only, and never off again',
    auth: 'user',
    roles: ['user'],
    scope: 'domains:write',
    rate: rates.domainWrites,
    body: z.strictObject({ cname, ipv6: z.boolean() }),
    ok: resultOf(subscriptionConfig),
  },
});
