/** Keys of what belongs to no domain; a shorter key covers the longer ones. */
export const appKeys = {
  me: () => ['me'] as const,
  deploymentConfig: () => ['deployment-config'] as const,
};

export const subscriptionKeys = {
  all: ['subscriptions'] as const,
  list: () => [...subscriptionKeys.all, 'list'] as const,
  config: (cname: string) => [...subscriptionKeys.all, 'config', cname] as const,
};
