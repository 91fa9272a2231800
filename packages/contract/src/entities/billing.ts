import { z } from 'zod';
import { ADDITIONAL_TRAFFIC_MINIMUM_GB, TOP_UP_MINIMUM_USD } from '../constants.ts';
import { text } from '../text.ts';
import { timestamp } from './routes.ts';

/** Integer minor units of a currency, as a string: ETH has 18 decimals (product design, "API"). */
export const minorUnits = text(40)
  .regex(/^-?\d+$/)
  .describe('Integer minor units of the currency.');
export const currency = text(10).min(3).describe('ISO 4217 code or the ticker of a coin.');
export const paymentType = z
  .enum(['crypto', 'card', 'balance'])
  .describe('Spec section 1: cryptocurrency, card or account balance.');

/** Spec section 3, "Checkout/transaction". */
export const checkout = z.object({
  subscriptions: z.array(text(255)).max(100),
  txn_id: text(128),
  status: text(32),
  status_url: z.url().max(2048),
  checkout_url: z.url().max(2048),
  amount_currency1: minorUnits,
  amount_currency2: minorUnits,
  currency1: currency,
  currency2: currency,
  address: text(256),
  item_name: text(256),
  type: text(32),
  payment_type: paymentType,
  user: z.object({ username: text(320) }),
  bill_no: text(64),
});

/** Spec section 3, "Bill". */
export const bill = z.object({
  bill_no: text(64),
  subscription: text(255),
  item_name: text(256),
  amount: minorUnits,
  currency,
  status: text(32),
  created: timestamp,
  modified: timestamp,
  transaction_type: text(32),
  payment_type: paymentType,
});

/** Spec section 3, "Invoice". */
export const invoice = z.object({
  invoice_no: text(64),
  amount_due: minorUnits,
  amount_paid: minorUnits,
  currency,
});

/** Spec section 5: the least that can be topped up, in whole US dollars. */
export const topUpAmountUsd = z.number().int().min(TOP_UP_MINIMUM_USD);
/** Spec section 5: 0 buys none; otherwise at least the minimum, in GB. */
export const additionalTrafficGb = z
  .number()
  .int()
  .min(0)
  .refine((gb) => gb === 0 || gb >= ADDITIONAL_TRAFFIC_MINIMUM_GB, 'TOO_SMALL');
/** Spec section 5: "Additional domains or traffic must be filled in to upgrade". */
export const upgradePayload = z
  .strictObject({
    currency2: currency,
    payment_type: paymentType,
    additional_domain_number: z.number().int().min(0).max(100_000).default(0),
    additional_traffic: additionalTrafficGb.default(0),
  })
  .refine((body) => body.additional_domain_number > 0 || body.additional_traffic > 0, {
    path: ['additional_domain_number'],
    message: 'REQUIRED',
  });
