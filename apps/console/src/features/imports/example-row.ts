import type { ImportColumn } from '@cordon/contract';

/** The worked example, which is accepted as it is. A name that is nobody's to prove: an import of it by mistake serves no visitor. */
export const exampleRow = (remarks: string): Record<ImportColumn, string> => ({
  domain_name: 'www.example.com',
  protocol: 'https',
  upstreams: '198.41.128.10:8443 198.41.128.11:8443',
  status: 'running',
  group: '-',
  remarks,
  shadow_domains: 'example.com',
});
