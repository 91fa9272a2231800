import { domainOperations, isWildcardName, parseDomainName, type Subscription } from '@cordon/contract';
import { contractResolver, type FieldCodes } from '../../../domain/form/contract-form';
import {
  emptyRedirect,
  emptyUpstreams,
  planErrors,
  redirectErrors,
  toUpstreamBody,
  type UpstreamValues,
  upstreamField,
} from '../../../domain/upstreams/upstream-values';

export interface AddDomainValues extends UpstreamValues {
  cname: string;
  domain_name: string;
  remarks: string;
  /** For the history, of version 1. */
  note: string;
}

export const ADD_STEPS = ['name', 'traffic', 'review'] as const;
export type AddStep = (typeof ADD_STEPS)[number];

/** Fields that a step checks before it lets go. */
export const STEP_FIELDS = {
  name: ['cname', 'domain_name'],
  traffic: ['traffic_action', 'upstreams', 'redirection'],
  review: ['remarks', 'note'],
} as const satisfies Record<AddStep, readonly (keyof AddDomainValues)[]>;

/** The step that shows a field, so that an error of the API lands where it can be mended. */
export function stepOf(path: string): AddStep | undefined {
  const root = path.split('.')[0] ?? '';
  return ADD_STEPS.find((step) => (STEP_FIELDS[step] as readonly string[]).includes(root));
}

/** The field of the wizard that shows an error of the API; undefined where it has none. */
export function fieldOf(path: string, { traffic_action }: AddDomainValues): string | undefined {
  const field = upstreamField(path, traffic_action);
  if (field !== undefined) return field;
  const step = stepOf(path);
  return step === undefined || step === 'traffic' ? undefined : path;
}

export const emptyValues = (cname: string): AddDomainValues => ({
  cname,
  domain_name: '',
  remarks: '',
  note: '',
  traffic_action: 'upstream',
  upstreams: emptyUpstreams(),
  redirection: emptyRedirect(),
});

/** Body of `createRoute` but for `deploy`. */
export const toCreateBody = (values: AddDomainValues) => ({
  cname: values.cname,
  domain_name: values.domain_name,
  remarks: values.remarks.trim(),
  note: values.note.trim(),
  ...toUpstreamBody(values),
});

function planRules(values: AddDomainValues, subscription: Subscription | undefined): FieldCodes {
  const name = parseDomainName(values.domain_name);
  return {
    ...planErrors(values, subscription),
    ...redirectErrors(values, name.ok ? [name.name] : []),
    ...(name.ok &&
      subscription &&
      isWildcardName(name.name) &&
      !subscription.features.wildcard_domain && { domain_name: 'WILDCARD_NEEDS_VIP' }),
  };
}

/** Checks the wizard by the schema of `createRoute` and the chosen plan. */
export const addDomainResolver = (subscriptionOf: (cname: string) => Subscription | undefined) =>
  contractResolver<AddDomainValues>(domainOperations.createRoute.body, toCreateBody, (values) =>
    planRules(values, subscriptionOf(values.cname)),
  );
