import type { Route } from '../../packages/contract/index.ts';
import { edgeRequest } from './edge-request.ts';
import type { CustomerClient, Instance } from './instance.ts';
import { operate } from './operator.ts';
import { until } from './until.ts';

export interface Customer {
  readonly email: string;
  readonly password: string;
  readonly api: CustomerClient;
  readonly subscriptionCname: string;
}

/** A new account with an API token and its first subscription. */
export async function createCustomer(instance: Instance, email: string, plan = 'free'): Promise<Customer> {
  const made = ['account', 'create', '--email', email, '--generate', '--plan', plan, '--reason', 'test'];
  const password = /^password (\S+)$/m.exec(await operate(instance, ...made))?.[1] ?? '';
  const printed = await operate(instance, 'token', '--account', email, '--ttl', '60m', '--reason', 'test');
  const api = instance.client(printed.split(/\s+/).at(-1) ?? '');
  const { results } = await api.listSubscriptions();
  return { email, password, api, subscriptionCname: results[0]?.cname ?? '' };
}

/** Adds and deploys a domain, lets its name count as proved, and waits until a visitor is served by its origin. */
export async function deployDomain(
  instance: Instance,
  customer: Customer,
  domainName: string,
  originPort: number,
): Promise<Route> {
  const { result } = await customer.api.createRoute({
    body: {
      cname: customer.subscriptionCname,
      domain_name: domainName,
      upstreams: { protocol: 'http', targets: [{ host: '127.0.0.1', port: originPort }] },
      deploy: true,
    },
  });
  await operate(instance, 'names', 'verify', result.id, '--reason', 'test');
  await until(
    `${domainName} served`,
    async () => (await edgeRequest(instance.ports.edgeHttp, domainName)).status === 200,
  );
  return (await customer.api.getRoute({ params: { id: result.id } })).result;
}
