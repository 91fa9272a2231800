import { clear_certs, parse_pem_cert, parse_pem_priv_key, server_name, set_cert, set_priv_key } from 'ngx.ssl';
import { currentGeneration } from './generation.ts';
import { settingsAt } from './settings.ts';

/** `ssl_certificate_by_lua` of the shields' server: the certificate that only nodes of the czone have. Without one nobody trusts the node. */
export function presentShield(this: void): void {
  const [name] = server_name();
  const czone = (name ?? '').split('.')[0] as string;
  const shields = settingsAt(currentGeneration())?.shields?.[czone];
  if (shields === undefined || shields.certificate === undefined || shields.private_key === undefined) return;
  const [certificate] = parse_pem_cert(shields.certificate);
  const [key] = parse_pem_priv_key(shields.private_key);
  if (certificate === undefined || key === undefined) return;
  clear_certs();
  set_cert(certificate);
  set_priv_key(key);
}
