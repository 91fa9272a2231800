import type { Subscription } from '@cordon/contract';

/** How many names the subscription still has room for. */
export const namesLeft = ({ features, additional_domain_number: more, usage }: Subscription): number =>
  Math.max(0, features.domains + more - usage.domains);
