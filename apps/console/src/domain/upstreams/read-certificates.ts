import { useMutation } from '@tanstack/react-query';
import { api } from '../../app/api-client';

/** What is in certificates that were pasted. */
export const useReadCertificates = () =>
  useMutation({
    mutationFn: async (pem: string) => (await api.readCertificates({ body: { pem } })).result,
    meta: { isSilent: true },
  });
