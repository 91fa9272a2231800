import { Suspense } from 'react';
import { needCatalogs } from '../app/intl-store';
import type { AddressDialog as Dialog } from '../domain/traffic/address-dialog';
import { lazyPart } from '../ui/lazy-part';

const AddBansDialog = lazyPart(async () => {
  await needCatalogs('bans');
  return import('../features/bans/add-bans-dialog');
});
const AllowDialog = lazyPart(async () => {
  await needCatalogs('bans');
  return import('../features/bans/allowed/add-dialog');
});

/** Bans the address of a request, or lets it pass all protection, without leaving the screen that shows the request. */
export const AddressDialog: Dialog = ({ action, address, domain, onClose }) => (
  <Suspense fallback={null}>
    {action === 'ban' ? (
      <AddBansDialog domain={domain} address={address} onClose={onClose} />
    ) : (
      <AllowDialog address={address} onClose={onClose} />
    )}
  </Suspense>
);
