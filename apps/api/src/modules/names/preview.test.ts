import { expect, it } from 'vitest';
import { type NameServerToAsk, signPreview } from './preview.ts';

const route = { id: 'r', domain_name: 'www.example.com', cname: 'a.b.vip01.edge.example.net' };
const dig = (nameServer: NameServerToAsk) =>
  signPreview(Buffer.alloc(32), route, { address: '203.0.113.1', httpsPort: 443 }, nameServer).dig;

it('asks the world for the exclusive CNAME where the edge domain is delegated, else the name server itself', () => {
  expect(dig('delegated')).toBe('dig +short a.b.vip01.edge.example.net');
  expect(dig({ address: '::1', port: 5300 })).toBe('dig @::1 -p 5300 +short a.b.vip01.edge.example.net');
  expect(dig(null)).toBeNull();
});
