import type { z } from 'zod';
import type { Operation } from '../operation.ts';

/** Where a request came from, for the audit log. */
export interface RequestSource {
  /** IP address of the client. */
  readonly address: string;
  /** As the client calls itself, cut to what is kept. */
  readonly userAgent: string | null;
}

/** Who does something, for the audit log and for "changed by". */
export interface Actor {
  readonly accountId: string;
  readonly kind: 'user' | 'token' | 'operator' | 'system';
  readonly label: string;
  /** Of the request, or of the one that began the batch. Absent: no request, as for what Cordon does by itself. */
  readonly source?: RequestSource | undefined;
}

/** A page of a list. */
export interface Page {
  readonly limit: number;
  readonly offset: number;
}

/** What a part of a request has become, checked by the operation. */
export type ParsedPart<Op, Key extends string> = Op extends { readonly [K in Key]: infer Schema extends z.ZodType }
  ? z.output<Schema>
  : undefined;

/** A call of an operation, everything checked by the contract. */
export interface OperationCall<Op extends Operation> {
  readonly params: ParsedPart<Op, 'params'>;
  readonly query: ParsedPart<Op, 'query'>;
  readonly body: ParsedPart<Op, 'body'>;
  /** Whether `okMinimal` is answered; `ok` where not, or where the operation has no other. */
  readonly prefersMinimal: boolean;
  /** Who calls. */
  readonly actor: Op extends { readonly auth: 'user' } ? Actor : undefined;
  /** Where the operation's query has `page` and `perpage`. */
  readonly page: ParsedPart<Op, 'query'> extends { readonly page: number; readonly perpage: number } ? Page : undefined;
}

/**
 * What a handler answers of the body of success: the bare result of `resultOf`, `{ results, count }` of `listOf`,
 * nothing of `done`, else the body but for `success`. The mount adds the rest.
 */
type Answer<Body> = Body extends { readonly result: infer Result }
  ? Result
  : Body extends { readonly results: infer Results; readonly count: number }
    ? { readonly results: Results; readonly count: number }
    : Omit<Body, 'success'>;

export type AnswerOf<Op extends Operation> = Promise<
  keyof z.input<Op['ok']> extends 'success'
    ? void
    : Answer<z.input<Op extends { readonly okMinimal: infer Minimal extends z.ZodType } ? Minimal : Op['ok']>>
>;
